/* SPDX-License-Identifier: MIT */
/* Implementation of plot_stroke.h: steps through the points of a curve that a layout draws. */
#include "plot_stroke.h"

#include <math.h>

/* From this many points a column of pixels on they are reduced. */
#define DENSE 4

double
debye_plot_stroke_place_x(const DebyePlotStroke *stroke, double value)
{
  return debye_plot_layout_get_place(stroke->layout, DEBYE_PLOT_X, value);
}

double
debye_plot_stroke_place_y(const DebyePlotStroke *stroke, double value)
{
  return debye_plot_layout_get_place(stroke->layout, stroke->series->axis, value);
}

gboolean
debye_plot_stroke_has_place_x(const DebyePlotStroke *stroke, gsize i)
{
  return isfinite(stroke->x[i]) &&
         (stroke->layout->axes[DEBYE_PLOT_X].scale == DEBYE_PLOT_LINEAR || stroke->x[i] > 0.0);
}

void
debye_plot_stroke_init(DebyePlotStroke *stroke, DebyePlotLayout *layout, DebyePlotSeries *series)
{
  DebyeCurve *curve = series->curve;
  const DebyePlotLayoutAxis *axis = &layout->axes[DEBYE_PLOT_X];
  gsize n = debye_curve_get_n_points(curve);
  *stroke = (DebyePlotStroke){layout,
                              series,
                              debye_curve_get_x(curve),
                              debye_curve_get_y(curve),
                              debye_plot_series_get_errors(series),
                              0,
                              n,
                              FALSE,
                              0};
  stroke->n_columns = (gsize)ceil(layout->frame.width * layout->pixels);
  if (!debye_curve_is_ordered(curve))
    return;
  gsize begin = debye_plot_find_x(stroke->x, 0, n, axis->minimum);
  gsize end = debye_plot_find_x(stroke->x, begin, n, axis->maximum);
  while (end < n && stroke->x[end] <= axis->maximum)
    end++;
  stroke->first = begin > 0 ? begin - 1 : 0;
  stroke->last = MIN(end + 1, n);
  while (stroke->first < stroke->last && !debye_plot_stroke_has_place_x(stroke, stroke->first))
    stroke->first++;
  stroke->is_dense = stroke->last - stroke->first > DENSE * stroke->n_columns;
}

/* --- Columns of pixels --- */

gboolean
debye_plot_stroke_next_column(const DebyePlotStroke *stroke, gsize at, DebyePlotPixelColumn *column)
{
  const DebyePlotLayout *layout = stroke->layout;
  if (at >= stroke->last)
    return FALSE;
  double index = floor((debye_plot_stroke_place_x(stroke, stroke->x[at]) - layout->frame.x) * layout->pixels);
  double edge = layout->frame.x + (index + 1.0) / layout->pixels;
  double value = debye_plot_layout_get_value(layout, DEBYE_PLOT_X, edge);
  column->first = at;
  column->last = MAX(debye_plot_find_x(stroke->x, at, stroke->last, value), at + 1);
  column->page_x = edge - 0.5 / layout->pixels;
  column->extremes =
      debye_plot_reduction_get(debye_plot_series_reduce(stroke->series), column->first, column->last);
  return TRUE;
}
