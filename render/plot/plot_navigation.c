/* SPDX-License-Identifier: MIT */
/* Zooms and pans a plot for its widget. Moves of the view are moves of the axes' ends on the page, so they
 * are the same on a logarithmic axis. */
#include "plot_navigation.h"

#include <math.h>

#include "plot_layout_private.h"

/* How many times wider or narrower than the data a view may get. */
#define WIDEST 1e4

static gboolean
is_within(double at, double begin, double length)
{
  return at >= begin && at <= begin + length;
}

guint
debye_plot_layout_get_axes_at(const DebyePlotLayout *self, double x, double y)
{
  const DebyePlotRectangle *frame = &self->frame;
  gboolean in_columns = is_within(x, frame->x, frame->width), in_rows = is_within(y, frame->y, frame->height);
  if (in_columns && in_rows)
    return DEBYE_PLOT_ALL_AXES;
  if (in_columns && y > frame->y)
    return DEBYE_PLOT_ONLY(DEBYE_PLOT_X);
  if (in_rows && x < frame->x)
    return DEBYE_PLOT_ONLY(DEBYE_PLOT_Y);
  if (in_rows && self->axes[DEBYE_PLOT_COLOR].is_shown && x >= self->color_bar.x)
    return DEBYE_PLOT_ONLY(DEBYE_PLOT_COLOR);
  if (in_rows && self->axes[DEBYE_PLOT_Y2].is_shown)
    return DEBYE_PLOT_ONLY(DEBYE_PLOT_Y2);
  return 0;
}

/* What is to be shown: told to the plot at the end, all at once, since the first change may end the layout. */
typedef struct {
  guint axes;
  double limits[DEBYE_PLOT_N_AXES][2];
} Views;

/* A view from one place to another, unless that is more than a person can mean. */
static void
show(Views *views, DebyePlot *plot, const DebyePlotLayout *layout, DebyePlotAxis which, double from,
     double to)
{
  double minimum = debye_plot_layout_get_value(layout, which, from);
  double maximum = debye_plot_layout_get_value(layout, which, to);
  double data_minimum, data_maximum;
  debye_plot_find_range(plot, which, &data_minimum, &data_maximum);
  double data_from = debye_plot_layout_get_place(layout, which, data_minimum);
  double data_to = debye_plot_layout_get_place(layout, which, data_maximum);
  if (!layout->axes[which].is_shown || !isfinite(minimum) || !isfinite(maximum) ||
      fabs(to - from) > WIDEST * fabs(data_to - data_from) ||
      !(maximum - minimum > 1e-11 * fmax(fabs(minimum), fabs(maximum))))
    return;
  views->axes |= DEBYE_PLOT_ONLY(which);
  views->limits[which][0] = minimum;
  views->limits[which][1] = maximum;
}

void
debye_plot_zoom(DebyePlot *plot, const DebyePlotLayout *layout, guint axes, double x, double y, double factor)
{
  g_return_if_fail(DEBYE_IS_PLOT(plot) && factor > 0.0);
  Views views = {0};
  for (DebyePlotAxis axis = 0; axis < DEBYE_PLOT_N_AXES; axis++) {
    const DebyePlotLayoutAxis *own = &layout->axes[axis];
    double centre = axis == DEBYE_PLOT_X ? x : y;
    if (axes & DEBYE_PLOT_ONLY(axis))
      show(&views, plot, layout, axis, centre + (own->from - centre) / factor,
           centre + (own->to - centre) / factor);
  }
  debye_plot_set_views(plot, views.axes, (const double(*)[2])views.limits);
}

void
debye_plot_pan(DebyePlot *plot, const DebyePlotLayout *layout, guint axes, double dx, double dy)
{
  g_return_if_fail(DEBYE_IS_PLOT(plot));
  Views views = {0};
  for (DebyePlotAxis axis = 0; axis < DEBYE_PLOT_N_AXES; axis++) {
    double shift = axis == DEBYE_PLOT_X ? dx : dy;
    if ((axes & DEBYE_PLOT_ONLY(axis)) && shift != 0.0)
      show(&views, plot, layout, axis, layout->axes[axis].from - shift, layout->axes[axis].to - shift);
  }
  debye_plot_set_views(plot, views.axes, (const double(*)[2])views.limits);
}

void
debye_plot_zoom_to(DebyePlot *plot, const DebyePlotLayout *layout, const DebyePlotRectangle *rectangle,
                   double least)
{
  g_return_if_fail(DEBYE_IS_PLOT(plot) && rectangle != NULL);
  Views views = {0};
  const DebyePlotRectangle *frame = &layout->frame;
  double left = fmax(rectangle->x, frame->x),
         right = fmin(rectangle->x + rectangle->width, frame->x + frame->width);
  double top = fmax(rectangle->y, frame->y),
         bottom = fmin(rectangle->y + rectangle->height, frame->y + frame->height);
  if (right - left >= least)
    show(&views, plot, layout, DEBYE_PLOT_X, left, right);
  for (DebyePlotAxis axis = DEBYE_PLOT_Y; axis <= DEBYE_PLOT_Y2 && bottom - top >= least; axis++)
    show(&views, plot, layout, axis, bottom, top);
  debye_plot_set_views(plot, views.axes, (const double(*)[2])views.limits);
}
