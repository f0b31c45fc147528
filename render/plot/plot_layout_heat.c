/* SPDX-License-Identifier: MIT */
/* The heat map and its colour bar. Axes may be uneven or logarithmic, so the page's pixels look up the cells
 * they lie in; where cells are smaller than pixels a pixel shows their mean. */
#include <math.h>
#include <string.h>

#include "color_map.h"
#include "plot_layout_private.h"

/* Pixels of a picture, at most: beyond this a file only grows. */
#define MAX_PIXELS 2048.0

/* For each pixel along an axis the cells first … last-1 that it covers; none: outside. */
typedef struct {
  gsize first, last;
} Span;

/* The edge between cells i-1 and i of ascending or descending centres. */
static double
edge_place(const DebyePlotLayout *self, DebyePlotAxis axis, const double *centres, gsize n, gsize i)
{
  double before = debye_plot_layout_get_place(self, axis, centres[i > 0 ? i - 1 : 0]);
  double after = debye_plot_layout_get_place(self, axis, centres[i < n ? i : n - 1]);
  if (i > 0 && i < n)
    return 0.5 * (before + after);
  if (n < 2)
    return i == 0 ? self->axes[axis].from : self->axes[axis].to;
  double inner = edge_place(self, axis, centres, n, i == 0 ? 1 : n - 1);
  return i == 0 ? 2.0 * before - inner : 2.0 * after - inner;
}

/* `start`: the page's place of pixel 0; pixels follow each other in steps of `step`. */
static Span *
find_spans(const DebyePlotLayout *self, DebyePlotAxis axis, const double *centres, gsize n, double start,
           double step, int n_pixels)
{
  Span *spans = g_new0(Span, n_pixels);
  for (gsize i = 0; i < n; i++) {
    double a = (edge_place(self, axis, centres, n, i) - start) / step;
    double b = (edge_place(self, axis, centres, n, i + 1) - start) / step;
    if (!isfinite(a) || !isfinite(b))
      continue;
    /* The pixels whose middle lies in the cell; a cell that covers none still counts where it lies. */
    int from = (int)CLAMP(ceil(fmin(a, b) - 0.5), -1.0, (double)n_pixels);
    int to = (int)CLAMP(ceil(fmax(a, b) - 0.5), -1.0, (double)n_pixels);
    if (from == to)
      to = from + 1;
    for (int pixel = MAX(from, 0); pixel < MIN(to, n_pixels); pixel++) {
      Span *span = &spans[pixel];
      *span =
          span->last > span->first ? (Span){MIN(span->first, i), MAX(span->last, i + 1)} : (Span){i, i + 1};
    }
  }
  return spans;
}

static double
mean_of(DebyeMatrix *matrix, Span rows, Span columns)
{
  const double *values = debye_matrix_get_values(matrix);
  gsize width = debye_matrix_get_n_columns(matrix), n = 0;
  double sum = 0.0;
  for (gsize i = rows.first; i < rows.last; i++)
    for (gsize j = columns.first; j < columns.last; j++) {
      double value = values[i * width + j];
      if (isfinite(value)) {
        sum += value;
        n++;
      }
    }
  return n > 0 ? sum / (double)n : (double)NAN;
}

#define N_SHADES 512

/* Limits that lie as far below zero as above are of signed values: their sign has a colour then, and zero none. */
static gboolean
is_centred(const DebyePlotLayout *self)
{
  const DebyePlotLayoutAxis *axis = &self->axes[DEBYE_PLOT_COLOR];
  return axis->scale == DEBYE_PLOT_LINEAR && fabs(axis->minimum + axis->maximum) <= 1e-9 * axis->maximum;
}

static void
make_shades(const DebyePlotLayout *self, guint32 shades[N_SHADES])
{
  const DebyeColorMap *map = debye_color_map_find(is_centred(self) ? "red-white-blue" : "viridis");
  for (int i = 0; i < N_SHADES; i++) {
    float rgb[3];
    debye_color_map_get(map, (double)i / (N_SHADES - 1), rgb);
    guint32 red = (guint32)lroundf(255.0f * rgb[0]), green = (guint32)lroundf(255.0f * rgb[1]),
            blue = (guint32)lroundf(255.0f * rgb[2]);
    shades[i] = 0xff000000u | red << 16 | green << 8 | blue;
  }
}

/* 0 … 1 along the colour axis. */
static double
color_fraction(const DebyePlotLayout *self, double value)
{
  const DebyePlotLayoutAxis *axis = &self->axes[DEBYE_PLOT_COLOR];
  double place = debye_plot_layout_get_place(self, DEBYE_PLOT_COLOR, value);
  return (place - axis->from) / (axis->to - axis->from);
}

/* How the values of a page become colours. */
typedef struct {
  const DebyePlotLayout *layout;
  DebyeMatrix *matrix;
  guint32 shades[N_SHADES];
} Painter;

static guint32
shade_of(const Painter *painter, Span rows, Span columns)
{
  double value = mean_of(painter->matrix, rows, columns);
  double fraction = isnan(value) ? (double)NAN : color_fraction(painter->layout, value);
  return isnan(fraction) ? 0 : painter->shades[(int)lround(CLAMP(fraction, 0.0, 1.0) * (N_SHADES - 1))];
}

/* Pixels side by side that show the same cells have one colour. */
static void
fill_row(const Painter *painter, Span rows, const Span *across, guint32 *pixels, int columns)
{
  for (int i = 0; i < columns; i++) {
    gboolean same = i > 0 && across[i].first == across[i - 1].first && across[i].last == across[i - 1].last;
    pixels[i] = same ? pixels[i - 1] : shade_of(painter, rows, across[i]);
  }
}

static void
fill_pixels(const DebyePlotLayout *self, guint32 *pixels, int columns, int rows)
{
  DebyeMatrix *matrix = debye_plot_get_matrix(self->plot);
  const DebyePlotRectangle *frame = &self->frame;
  Painter painter = {.layout = self, .matrix = matrix};
  make_shades(self, painter.shades);
  g_autofree Span *across =
      find_spans(self, DEBYE_PLOT_X, debye_matrix_get_column_values(matrix),
                 debye_matrix_get_n_columns(matrix), frame->x, frame->width / columns, columns);
  g_autofree Span *down = find_spans(self, DEBYE_PLOT_Y, debye_matrix_get_row_values(matrix),
                                     debye_matrix_get_n_rows(matrix), frame->y, frame->height / rows, rows);
  for (int i = 0; i < rows; i++) {
    guint32 *row = pixels + (gsize)i * (gsize)columns;
    if (i > 0 && down[i].first == down[i - 1].first && down[i].last == down[i - 1].last)
      memcpy(row, row - columns, (gsize)columns * sizeof *row);
    else
      fill_row(&painter, down[i], across, row, columns);
  }
}

static void
add_image(DebyePlotLayout *self, const DebyePlotRectangle *place, guint32 *pixels, int columns, int rows)
{
  DebyeDrawItem *item = debye_plot_drawing_add(self->drawing, DEBYE_DRAW_IMAGE, self->style.ink);
  item->x = (float)place->x;
  item->y = (float)place->y;
  item->w = (float)place->width;
  item->h = (float)place->height;
  item->columns = columns;
  item->rows = rows;
  item->pixels = g_bytes_new_take(pixels, (gsize)columns * (gsize)rows * sizeof *pixels);
}

static void
add_color_bar(DebyePlotLayout *self)
{
  guint32 *shades = g_new(guint32, N_SHADES);
  make_shades(self, shades);
  for (int i = 0; i < N_SHADES / 2; i++) {
    guint32 swapped = shades[i];
    shades[i] = shades[N_SHADES - 1 - i];
    shades[N_SHADES - 1 - i] = swapped;
  }
  add_image(self, &self->color_bar, shades, 1, N_SHADES);
}

void
debye_plot_layout_add_heat_map(DebyePlotLayout *self)
{
  const DebyePlotRectangle *frame = &self->frame;
  if (debye_plot_get_matrix(self->plot) == NULL)
    return;
  int columns = (int)CLAMP(round(frame->width * self->pixels), 1.0, MAX_PIXELS);
  int rows = (int)CLAMP(round(frame->height * self->pixels), 1.0, MAX_PIXELS);
  guint32 *pixels = g_new(guint32, (gsize)columns * (gsize)rows);
  fill_pixels(self, pixels, columns, rows);
  add_image(self, frame, pixels, columns, rows);
  add_color_bar(self);
}
