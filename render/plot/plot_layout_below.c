/* SPDX-License-Identifier: MIT */
/* Lays a plot out for the widget and for files: alone, or with another one under it over the same x axis. */
#include <math.h>

#include "plot_layout_private.h"

/* Of the height that both frames have. */
#define SHARE 0.24
/* Of the page's height, before it is known what labels need. */
#define FIRST_SHARE 0.4

typedef struct {
  DebyePlot *plot;
  DebyePlotStyle style;
  double height;
  DebyePlotLayout *layout;
} Part;

static void
set_part(Part *part, double width, double pixels, const DebyePlotLegendPlace *legend)
{
  g_clear_pointer(&part->layout, debye_plot_layout_free);
  part->layout = debye_plot_layout_new_single(part->plot, &part->style, width, part->height, pixels, legend);
}

static double
bottom_room(const Part *part)
{
  const DebyePlotRectangle *frame = &part->layout->frame;
  return part->height - frame->y - frame->height;
}

static double
right_room(const Part *part, double width)
{
  return width - part->layout->frame.x - part->layout->frame.width;
}

/* As the axis above is. */
static DebyePlot *
create_below(DebyePlot *plot)
{
  double limits[2];
  DebyePlotTickChoice ticks;
  DebyePlot *below = debye_plot_copy(debye_plot_get_below(plot));
  debye_plot_get_limits(plot, DEBYE_PLOT_X, &limits[0], &limits[1]);
  debye_plot_get_ticks(plot, DEBYE_PLOT_X, &ticks);
  debye_plot_set_scale(below, DEBYE_PLOT_X, debye_plot_get_scale(plot, DEBYE_PLOT_X));
  debye_plot_set_view(below, DEBYE_PLOT_X, limits[0], limits[1]);
  debye_plot_set_ticks(below, DEBYE_PLOT_X, &ticks);
  debye_plot_set_label(below, DEBYE_PLOT_X, debye_plot_get_label(plot, DEBYE_PLOT_X));
  debye_plot_set_caption(below, debye_plot_get_caption(plot));
  debye_plot_set_legend_visible(below, FALSE);
  return below;
}

/* First what labels need, then the frames of equal width, the lower one with its share of the height. */
static DebyePlotLayout *
new_stacked(DebyePlot *plot, const DebyePlotStyle *style, double width, double height, double pixels,
            const DebyePlotLegendPlace *legend)
{
  g_autoptr(DebyePlot) below = create_below(plot);
  Part upper = {plot, *style, (1.0 - FIRST_SHARE) * height, NULL},
       lower = {below, *style, FIRST_SHARE * height, NULL};
  upper.style.without_x_labels = TRUE;
  upper.style.with_caption = FALSE;
  upper.style.least_rooms.bottom = lower.style.least_rooms.top = 0.0;
  set_part(&upper, width, pixels, legend);
  set_part(&lower, width, pixels, NULL);
  const double left = fmax(upper.layout->frame.x, lower.layout->frame.x);
  const double right = fmax(right_room(&upper, width), right_room(&lower, width));
  const double rooms =
      upper.layout->frame.y + bottom_room(&upper) + lower.layout->frame.y + bottom_room(&lower);
  upper.style.least_rooms.left = lower.style.least_rooms.left = left;
  upper.style.least_rooms.right = lower.style.least_rooms.right = right;
  lower.height = lower.layout->frame.y + bottom_room(&lower) + SHARE * fmax(height - rooms, 0.0);
  upper.height = height - lower.height;
  set_part(&upper, width, pixels, legend);
  set_part(&lower, width, pixels, NULL);
  upper.layout->below = lower.layout;
  upper.layout->drawing->below = lower.layout->drawing;
  upper.layout->drawing->below_y = upper.height;
  upper.layout->drawing->height = height;
  return upper.layout;
}

DebyePlotLayout *
debye_plot_layout_new(DebyePlot *plot, const DebyePlotStyle *style, double width, double height,
                      double pixels_per_point, const DebyePlotLegendPlace *legend)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(plot) && style != NULL && pixels_per_point > 0.0, NULL);
  return (debye_plot_get_below(plot) != NULL ? new_stacked : debye_plot_layout_new_single)(
      plot, style, width, height, pixels_per_point, legend);
}
