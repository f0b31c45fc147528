/* SPDX-License-Identifier: MIT */
/* Finds the curve's point under the pointer; called by the plot's widget. */
#include <math.h>

#include "plot_layout_private.h"

/* Among more points than this within reach, only extremes are looked at: the rest can't be pointed at. */
#define MAX_POINTS 4096

static void
consider(const DebyePlotLayout *self, const DebyePlotSeries *series, gsize i, double x, double y,
         double *best, DebyePlotPoint *point)
{
  double own_x = debye_curve_get_x(series->curve)[i], own_y = debye_curve_get_y(series->curve)[i];
  const double *errors = debye_curve_get_errors(series->curve);
  if (!isfinite(own_x) || !isfinite(own_y))
    return;
  double page_x = debye_plot_layout_get_place(self, DEBYE_PLOT_X, own_x);
  double page_y = debye_plot_layout_get_place(self, series->axis, own_y);
  double distance = hypot(page_x - x, page_y - y);
  if (!(distance < *best))
    return;
  *best = distance;
  *point = (DebyePlotPoint){series->id, i,      own_x, own_y, errors != NULL ? errors[i] : (double)NAN,
                            NAN,        page_x, page_y};
}

/* An ordered curve's points within reach; of any other all. */
static void
search(const DebyePlotLayout *self, const DebyePlotSeries *series, double x, double y, double reach,
       double *best, DebyePlotPoint *point)
{
  const double *values = debye_curve_get_x(series->curve);
  gsize n = debye_curve_get_n_points(series->curve), first = 0, last = n;
  if (debye_curve_is_ordered(series->curve)) {
    first = debye_plot_find_x(values, 0, n, debye_plot_layout_get_value(self, DEBYE_PLOT_X, x - reach));
    last = debye_plot_find_x(values, first, n, debye_plot_layout_get_value(self, DEBYE_PLOT_X, x + reach));
    /* A line is read out between its points too: the next on each side. */
    first = first > 0 ? first - 1 : 0;
    last = MIN(last + 1, n);
  }
  gsize stride = MAX((last - first) / MAX_POINTS, 1);
  for (gsize i = first; i < last; i += stride)
    consider(self, series, i, x, y, best, point);
}

/* The index of the centre nearest to a value, seen on the page. */
static gsize
nearest(const DebyePlotLayout *self, DebyePlotAxis axis, const double *centres, gsize n, double place)
{
  gsize best = 0;
  double least = HUGE_VAL;
  for (gsize i = 0; i < n; i++) {
    double distance = fabs(debye_plot_layout_get_place(self, axis, centres[i]) - place);
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

static gboolean
find_cell(const DebyePlotLayout *self, double x, double y, DebyePlotPoint *point)
{
  DebyeMatrix *matrix = debye_plot_get_matrix(self->plot);
  const DebyePlotRectangle *frame = &self->frame;
  if (matrix == NULL || x < frame->x || x > frame->x + frame->width || y < frame->y ||
      y > frame->y + frame->height)
    return FALSE;
  gsize n_columns = debye_matrix_get_n_columns(matrix);
  gsize column = nearest(self, DEBYE_PLOT_X, debye_matrix_get_column_values(matrix), n_columns, x);
  gsize row =
      nearest(self, DEBYE_PLOT_Y, debye_matrix_get_row_values(matrix), debye_matrix_get_n_rows(matrix), y);
  *point = (DebyePlotPoint){
      .index = row * n_columns + column,
      .x = debye_matrix_get_column_values(matrix)[column],
      .y = debye_matrix_get_row_values(matrix)[row],
      .error = NAN,
      .value = debye_matrix_get_values(matrix)[row * n_columns + column],
  };
  point->page_x = debye_plot_layout_get_place(self, DEBYE_PLOT_X, point->x);
  point->page_y = debye_plot_layout_get_place(self, DEBYE_PLOT_Y, point->y);
  return TRUE;
}

gboolean
debye_plot_layout_find_point(const DebyePlotLayout *self, double x, double y, double reach,
                             DebyePlotPoint *point)
{
  GPtrArray *all = debye_plot_get_all_series(self->plot);
  double best = reach;
  for (guint i = 0; i < all->len; i++) {
    const DebyePlotSeries *series = all->pdata[i];
    if (!series->hidden)
      search(self, series, x, y, reach, &best, point);
  }
  return best < reach || find_cell(self, x, y, point);
}
