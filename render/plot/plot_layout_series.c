/* SPDX-License-Identifier: MIT */
/* Curves in the frame: lines and bands, then, in plot_layout_points.c, points. Where more points than pixels
 * are in view, a column of pixels shows its first and last value and all that lies between its extremes:
 * nothing that could be seen is lost. */
#include <math.h>

#include "plot_path.h"
#include "plot_stroke.h"

/* Bands are cut loosely, this many frames above and below it. */
#define FAR 20.0

/* --- Lines --- */

static void
add_dense_line(const DebyePlotStroke *stroke, DebyePlotPath *path)
{
  DebyePlotPixelColumn column;
  for (gsize at = stroke->first; debye_plot_stroke_next_column(stroke, at, &column); at = column.last) {
    double first = stroke->y[column.first], last = stroke->y[column.last - 1];
    if (column.extremes.minimum > column.extremes.maximum) {
      debye_plot_path_break(path);
      continue;
    }
    if (isfinite(first))
      debye_plot_path_add(path, column.page_x, debye_plot_stroke_place_y(stroke, first));
    debye_plot_path_add(path, column.page_x, debye_plot_stroke_place_y(stroke, column.extremes.minimum));
    debye_plot_path_add(path, column.page_x, debye_plot_stroke_place_y(stroke, column.extremes.maximum));
    if (isfinite(last))
      debye_plot_path_add(path, column.page_x, debye_plot_stroke_place_y(stroke, last));
  }
}

/* Half-way to the next point, on the page: so steps are even on a logarithmic axis too. */
static double
step_edge(const DebyePlotStroke *stroke, gsize i)
{
  return 0.5 * (debye_plot_stroke_place_x(stroke, stroke->x[i]) +
                debye_plot_stroke_place_x(stroke, stroke->x[i + 1]));
}

static void
add_step(const DebyePlotStroke *stroke, DebyePlotPath *path, gsize i)
{
  gsize n = debye_curve_get_n_points(stroke->series->curve);
  double x = debye_plot_stroke_place_x(stroke, stroke->x[i]),
         y = debye_plot_stroke_place_y(stroke, stroke->y[i]);
  gboolean has_left = i > 0 && debye_plot_stroke_has_place_x(stroke, i - 1),
           has_right = i + 1 < n && debye_plot_stroke_has_place_x(stroke, i + 1);
  double right = has_right ? step_edge(stroke, i) : x + (has_left ? x - step_edge(stroke, i - 1) : 0.0);
  double left = has_left ? step_edge(stroke, i - 1) : x - (right - x);
  debye_plot_path_add(path, left, y);
  debye_plot_path_add(path, right, y);
}

static void
add_sparse_line(const DebyePlotStroke *stroke, DebyePlotPath *path)
{
  gboolean steps = debye_curve_get_style(stroke->series->curve) == DEBYE_CURVE_STEPS;
  for (gsize i = stroke->first; i < stroke->last; i++) {
    if (!isfinite(stroke->y[i]) || !debye_plot_stroke_has_place_x(stroke, i))
      debye_plot_path_break(path);
    else if (steps)
      add_step(stroke, path, i);
    else
      debye_plot_path_add(path, debye_plot_stroke_place_x(stroke, stroke->x[i]),
                          debye_plot_stroke_place_y(stroke, stroke->y[i]));
  }
}

static double
get_width(const DebyePlotLayout *self, const DebyePlotSeries *series)
{
  return series->width > 0.0 ? series->width : self->style.line_width;
}

/* Lengths of dashes and of the gaps between, in widths of the line, without its round ends. */
static void
set_stroke(DebyeDrawItem *item, const DebyePlotLayout *layout, const DebyePlotSeries *series)
{
  static const struct {
    float dash, gap;
    gboolean has_dots;
  } patterns[DEBYE_PLOT_N_DASHES] = {
      [DEBYE_PLOT_SOLID] = {0.0f, 0.0f, FALSE},       [DEBYE_PLOT_DASHED] = {4.0f, 3.0f, FALSE},
      [DEBYE_PLOT_DASH_DOT] = {5.0f, 5.0f, TRUE},     [DEBYE_PLOT_DOTTED] = {0.1f, 2.2f, FALSE},
      [DEBYE_PLOT_LONG_DASHED] = {9.0f, 3.0f, FALSE}, [DEBYE_PLOT_SHORT_DASHED] = {1.5f, 2.5f, FALSE},
  };
  const DebyePlotDash dash = series->has_dash ? series->dash : debye_plot_style_get_dash(series->color);
  const float width = (float)get_width(layout, series);
  item->width = width;
  item->dash = patterns[dash].dash * width;
  item->gap = patterns[dash].gap * width;
  item->has_dots = patterns[dash].has_dots;
}

static void
add_line(const DebyePlotStroke *stroke)
{
  DebyePlotPath path;
  DebyePlotDrawing *drawing = stroke->layout->drawing;
  DebyeDrawItem *item = debye_plot_drawing_add(drawing, DEBYE_DRAW_LINE,
                                               debye_plot_layout_get_ink(stroke->layout, stroke->series));
  item->clipped = TRUE;
  item->series = stroke->series->id;
  set_stroke(item, stroke->layout, stroke->series);
  debye_plot_path_begin(&path, drawing, &stroke->layout->frame,
                        2.0 * get_width(stroke->layout, stroke->series));
  if (stroke->is_dense)
    add_dense_line(stroke, &path);
  else
    add_sparse_line(stroke, &path);
  debye_plot_path_break(&path);
}

/* --- Bands --- */

typedef struct {
  const DebyePlotStroke *stroke;
  gboolean has_last;
  double x, low, high; /* the last point, on the page */
} Band;

static void
put_band(Band *band, double x, double low, double high)
{
  const DebyePlotRectangle *frame = &band->stroke->layout->frame;
  double top = frame->y - FAR * frame->height, bottom = frame->y + (1.0 + FAR) * frame->height;
  const float values[] = {(float)x, (float)CLAMP(low, top, bottom), (float)CLAMP(high, top, bottom)};
  debye_plot_drawing_put(band->stroke->layout->drawing, values, G_N_ELEMENTS(values));
}

static void
break_band(Band *band)
{
  static const float values[] = {DEBYE_DRAW_BREAK, 0.0f, 0.0f};
  if (band->has_last)
    debye_plot_drawing_put(band->stroke->layout->drawing, values, G_N_ELEMENTS(values));
  band->has_last = FALSE;
}

/* A point far beside the frame is moved along the band's edges to near it. */
static void
add_to_band(Band *band, double x, double low, double high)
{
  const DebyePlotRectangle *frame = &band->stroke->layout->frame;
  double left = frame->x - 2.0, right = frame->x + frame->width + 2.0;
  double own_x = x, own_low = low, own_high = high;
  if (band->has_last && x > right && band->x < right) {
    double part = (right - band->x) / (x - band->x);
    x = right;
    low = band->low + part * (low - band->low);
    high = band->high + part * (high - band->high);
  } else if (band->has_last && band->x < left && own_x > left) {
    double part = (left - band->x) / (x - band->x);
    put_band(band, left, band->low + part * (low - band->low), band->high + part * (high - band->high));
  }
  if (x >= left && x <= right)
    put_band(band, x, low, high);
  band->has_last = TRUE;
  band->x = own_x;
  band->low = own_low;
  band->high = own_high;
}

static void
add_dense_band(const DebyePlotStroke *stroke, Band *band)
{
  DebyePlotPixelColumn column;
  for (gsize at = stroke->first; debye_plot_stroke_next_column(stroke, at, &column); at = column.last) {
    if (column.extremes.low > column.extremes.high)
      break_band(band);
    else
      add_to_band(band, column.page_x, debye_plot_stroke_place_y(stroke, column.extremes.low),
                  debye_plot_stroke_place_y(stroke, column.extremes.high));
  }
}

static void
add_sparse_band(const DebyePlotStroke *stroke, Band *band)
{
  gboolean steps = debye_curve_get_style(stroke->series->curve) == DEBYE_CURVE_STEPS;
  for (gsize i = stroke->first; i < stroke->last; i++) {
    double error = fabs(stroke->errors[i]);
    if (!isfinite(stroke->y[i]) || !isfinite(error) || !debye_plot_stroke_has_place_x(stroke, i)) {
      break_band(band);
      continue;
    }
    double low = debye_plot_stroke_place_y(stroke, stroke->y[i] - error),
           high = debye_plot_stroke_place_y(stroke, stroke->y[i] + error);
    double x = debye_plot_stroke_place_x(stroke, stroke->x[i]);
    if (steps && i > 0 && debye_plot_stroke_has_place_x(stroke, i - 1))
      add_to_band(band, step_edge(stroke, i - 1), low, high);
    else
      add_to_band(band, x, low, high);
    if (steps && i + 1 < stroke->last && debye_plot_stroke_has_place_x(stroke, i + 1))
      add_to_band(band, step_edge(stroke, i), low, high);
  }
}

static void
add_band(const DebyePlotStroke *stroke)
{
  Band band = {.stroke = stroke};
  DebyePlotColor ink = debye_plot_layout_get_ink(stroke->layout, stroke->series);
  if (stroke->errors == NULL)
    return;
  ink.alpha = stroke->layout->style.band_opacity;
  DebyeDrawItem *item = debye_plot_drawing_add(stroke->layout->drawing, DEBYE_DRAW_BAND, ink);
  item->clipped = TRUE;
  item->series = stroke->series->id;
  if (stroke->is_dense)
    add_dense_band(stroke, &band);
  else
    add_sparse_band(stroke, &band);
}

/* --- All --- */

typedef enum { PASS_BANDS, PASS_POINTS, PASS_LINES, N_PASSES } Pass;

static void
add_pass(DebyePlotLayout *self, DebyePlotSeries *series, Pass pass)
{
  DebyePlotStroke stroke;
  const DebyeCurveStyle style = debye_plot_series_get_style(series);
  const gboolean has_bars = debye_plot_series_has_bars(series);
  debye_plot_stroke_init(&stroke, self, series);
  if (pass == PASS_BANDS && !has_bars)
    add_band(&stroke);
  if (pass == PASS_POINTS && has_bars)
    debye_plot_stroke_add_bars(&stroke);
  if (pass == PASS_POINTS && (style == DEBYE_CURVE_MARKERS || series->has_markers))
    debye_plot_stroke_add_points(&stroke);
  if (pass == PASS_LINES && (style == DEBYE_CURVE_LINE || style == DEBYE_CURVE_STEPS))
    add_line(&stroke);
}

/* Bands under points, points under lines: a model's line over measured points. */
void
debye_plot_layout_add_series(DebyePlotLayout *self)
{
  GPtrArray *all = debye_plot_get_all_series(self->plot);
  for (Pass pass = 0; pass < N_PASSES; pass++)
    for (guint i = 0; i < all->len; i++) {
      DebyePlotSeries *series = all->pdata[i];
      if (!series->hidden)
        add_pass(self, series, pass);
    }
}

void
debye_plot_layout_add_sample(DebyePlotLayout *self, const DebyePlotSeries *series, double x, double y,
                             double width)
{
  DebyePlotDrawing *drawing = self->drawing;
  const DebyeCurveStyle style = debye_plot_series_get_style(series);
  const gboolean has_band =
      debye_plot_series_get_errors(series) != NULL && !debye_plot_series_has_bars(series);
  DebyePlotColor ink = debye_plot_layout_get_ink(self, series);
  ink.alpha = series->hidden ? 0.35f : 1.0f;
  double half = 0.34 * self->style.tick_size;
  if (style == DEBYE_CURVE_BAND || has_band) {
    DebyePlotColor band = ink;
    band.alpha *= self->style.band_opacity;
    debye_plot_drawing_add_rectangle(drawing, band, x, y - half, width, 2.0 * half);
  }
  if (style == DEBYE_CURVE_MARKERS || series->has_markers) {
    const float point[] = {(float)(x + 0.5 * width), (float)y};
    DebyeDrawItem *item = debye_plot_drawing_add(drawing, DEBYE_DRAW_MARKERS, ink);
    item->size = (float)self->style.marker_size;
    item->marker = series->marker;
    debye_plot_drawing_put(drawing, point, G_N_ELEMENTS(point));
  }
  if (style == DEBYE_CURVE_LINE || style == DEBYE_CURVE_STEPS) {
    const float line[] = {(float)x,         (float)y, 0.0f, (float)(x + width), (float)y, (float)width,
                          DEBYE_DRAW_BREAK, 0.0f,     0.0f};
    DebyeDrawItem *item = debye_plot_drawing_add(drawing, DEBYE_DRAW_LINE, ink);
    set_stroke(item, self, series);
    debye_plot_drawing_put(drawing, line, G_N_ELEMENTS(line));
  }
}
