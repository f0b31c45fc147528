/* SPDX-License-Identifier: MIT */
/* Lays out points and their error bars for plot_layout_series.c. A marker on a pixel that has one already
 * would not be seen. */
#include <math.h>
#include <string.h>

#include "plot_stroke.h"

/* --- Error bars --- */

static void
put_error_bar(const DebyePlotStroke *stroke, double x, double low, double high)
{
  const DebyePlotRectangle *frame = &stroke->layout->frame;
  double top = frame->y - 1.0, bottom = frame->y + frame->height + 1.0;
  const float values[] = {(float)x, (float)CLAMP(low, top, bottom), (float)x,
                          (float)CLAMP(high, top, bottom)};
  if (x >= frame->x && x <= frame->x + frame->width && low > top && high < bottom)
    debye_plot_drawing_put(stroke->layout->drawing, values, G_N_ELEMENTS(values));
}

void
debye_plot_stroke_add_bars(const DebyePlotStroke *stroke)
{
  const DebyePlotStyle *style = &stroke->layout->style;
  DebyePlotPixelColumn column;
  if (stroke->errors == NULL)
    return;
  DebyeDrawItem *item = debye_plot_drawing_add(stroke->layout->drawing, DEBYE_DRAW_SEGMENTS,
                                               debye_plot_layout_get_ink(stroke->layout, stroke->series));
  item->clipped = TRUE;
  item->series = stroke->series->id;
  item->width = (float)(0.7 * style->line_width);
  for (gsize at = stroke->first; stroke->is_dense && debye_plot_stroke_next_column(stroke, at, &column);
       at = column.last)
    if (column.extremes.low <= column.extremes.high)
      put_error_bar(stroke, column.page_x, debye_plot_stroke_place_y(stroke, column.extremes.low),
                    debye_plot_stroke_place_y(stroke, column.extremes.high));
  for (gsize i = stroke->first; !stroke->is_dense && i < stroke->last; i++)
    if (isfinite(stroke->y[i]) && isfinite(stroke->errors[i]) && debye_plot_stroke_has_place_x(stroke, i))
      put_error_bar(stroke, debye_plot_stroke_place_x(stroke, stroke->x[i]),
                    debye_plot_stroke_place_y(stroke, stroke->y[i] - fabs(stroke->errors[i])),
                    debye_plot_stroke_place_y(stroke, stroke->y[i] + fabs(stroke->errors[i])));
}

/* --- Few markers --- */

/* Which pixels have a marker already: a second one there would not be seen. */
typedef struct {
  guint8 *taken;
  gsize columns, rows;
} Occupancy;

static gboolean
occupy(Occupancy *occupancy, const DebyePlotLayout *layout, double x, double y)
{
  gsize column = (gsize)((x - layout->frame.x) * layout->pixels);
  gsize row = (gsize)((y - layout->frame.y) * layout->pixels);
  gsize bit = MIN(row, occupancy->rows - 1) * occupancy->columns + MIN(column, occupancy->columns - 1);
  guint8 mask = (guint8)(1u << (bit % 8));
  gboolean is_free = (occupancy->taken[bit / 8] & mask) == 0;
  occupancy->taken[bit / 8] |= mask;
  return is_free;
}

static gboolean
is_in_frame(const DebyePlotRectangle *frame, double x, double y)
{
  return x >= frame->x && x <= frame->x + frame->width && y >= frame->y && y <= frame->y + frame->height;
}

static void
put_marker(const DebyePlotStroke *stroke, double x, double y)
{
  const float values[] = {(float)x, (float)y};
  debye_plot_drawing_put(stroke->layout->drawing, values, G_N_ELEMENTS(values));
}

static void
add_sparse_markers(const DebyePlotStroke *stroke)
{
  const DebyePlotLayout *layout = stroke->layout;
  Occupancy occupancy = {NULL, stroke->n_columns + 1, (gsize)ceil(layout->frame.height * layout->pixels) + 1};
  occupancy.taken = g_malloc0(occupancy.columns * occupancy.rows / 8 + 1);
  for (gsize i = stroke->first; i < stroke->last; i++) {
    if (!isfinite(stroke->y[i]) || !debye_plot_stroke_has_place_x(stroke, i))
      continue;
    double x = debye_plot_stroke_place_x(stroke, stroke->x[i]);
    double y = debye_plot_stroke_place_y(stroke, stroke->y[i]);
    if (is_in_frame(&layout->frame, x, y) && occupy(&occupancy, layout, x, y))
      put_marker(stroke, x, y);
  }
  g_free(occupancy.taken);
}

/* --- Many markers: by columns --- */

/* So few points are looked at one by one. */
#define FEW 64

typedef struct {
  const DebyePlotStroke *stroke;
  DebyePlotReduction *reduction;
  double page_x;
  guint8 *taken; /* rows of this column that have a marker */
  gssize n_rows;
} MarkerColumn;

/* May lie beyond the rows. */
static gssize
row_of(const MarkerColumn *column, double value)
{
  const DebyePlotLayout *layout = column->stroke->layout;
  double place = debye_plot_stroke_place_y(column->stroke, value);
  return (gssize)CLAMP(floor((place - layout->frame.y) * layout->pixels), -1.0, (double)column->n_rows);
}

static void
take_row(MarkerColumn *column, gssize row, double value)
{
  if (row < 0 || row >= column->n_rows || column->taken[row])
    return;
  column->taken[row] = 1;
  put_marker(column->stroke, column->page_x, debye_plot_stroke_place_y(column->stroke, value));
}

/* What could only fall on pixels that are taken is left out as a whole. */
static void
add_stretch(MarkerColumn *column, gsize first, gsize last)
{
  const double *y = column->stroke->y;
  if (last - first <= FEW) {
    for (gsize i = first; i < last; i++)
      if (isfinite(y[i]))
        take_row(column, row_of(column, y[i]), y[i]);
    return;
  }
  DebyePlotExtremes extremes = debye_plot_reduction_get(column->reduction, first, last);
  if (extremes.minimum > extremes.maximum)
    return;
  gssize top = row_of(column, extremes.maximum), bottom = row_of(column, extremes.minimum);
  if (top == bottom) {
    take_row(column, top, extremes.minimum);
    return;
  }
  gssize from = MAX(top, 0), to = MIN(bottom + 1, column->n_rows);
  if (from >= to || memchr(&column->taken[from], 0, (gsize)(to - from)) == NULL)
    return;
  gsize middle = (first + (last - first) / 2) & ~(gsize)(FEW - 1);
  middle = middle > first ? middle : first + FEW;
  add_stretch(column, first, middle);
  add_stretch(column, middle, last);
}

static void
add_dense_markers(const DebyePlotStroke *stroke)
{
  DebyePlotPixelColumn pixels;
  const DebyePlotRectangle *frame = &stroke->layout->frame;
  MarkerColumn column = {.stroke = stroke, .reduction = debye_plot_series_reduce(stroke->series)};
  column.n_rows = (gssize)ceil(frame->height * stroke->layout->pixels);
  column.taken = g_malloc(MAX((gsize)column.n_rows, 1));
  for (gsize at = stroke->first; debye_plot_stroke_next_column(stroke, at, &pixels); at = pixels.last) {
    column.page_x = pixels.page_x;
    memset(column.taken, 0, (gsize)column.n_rows);
    if (pixels.page_x >= frame->x && pixels.page_x <= frame->x + frame->width)
      add_stretch(&column, pixels.first, pixels.last);
  }
  g_free(column.taken);
}

void
debye_plot_stroke_add_points(const DebyePlotStroke *stroke)
{
  const DebyePlotStyle *style = &stroke->layout->style;
  DebyeDrawItem *item = debye_plot_drawing_add(stroke->layout->drawing, DEBYE_DRAW_MARKERS,
                                               debye_plot_layout_get_ink(stroke->layout, stroke->series));
  item->clipped = TRUE;
  item->series = stroke->series->id;
  item->size = (float)style->marker_size;
  item->marker = stroke->series->marker;
  if (stroke->is_dense)
    add_dense_markers(stroke);
  else
    add_sparse_markers(stroke);
}
