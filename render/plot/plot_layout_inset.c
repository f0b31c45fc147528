/* SPDX-License-Identifier: MIT */
/* Plans a small plot of a part of the x axis within the frame, for files; called by plot_layout.c, which lays it out. */
#include <math.h>

#include "plot_cover.h"
#include "plot_layout_private.h"

/* Of the frame. */
#define WIDTH 0.54
#define HEIGHT 0.5
/* Of texts and lines, by the plot's. */
#define SIZE 0.78
/* Above and below the values, of their span. */
#define PADDING 0.06

/* Of the left axis, with errors; FALSE: nothing is in the range. */
static gboolean
find_values(const DebyePlotSeries *series, const double range[2], gboolean is_log, double limits[2])
{
  gboolean found = FALSE;
  const double *x = debye_curve_get_x(series->curve), *y = debye_curve_get_y(series->curve);
  const double *errors = is_log ? NULL : debye_plot_series_get_errors(series);
  for (gsize i = 0; i < debye_curve_get_n_points(series->curve); i++) {
    const double error = errors != NULL && isfinite(errors[i]) ? fabs(errors[i]) : 0.0;
    if (!isfinite(y[i]) || x[i] < range[0] || x[i] > range[1] || (is_log && y[i] <= 0.0))
      continue;
    limits[0] = fmin(limits[0], y[i] - error);
    limits[1] = fmax(limits[1], y[i] + error);
    found = TRUE;
  }
  return found;
}

static void
pad(double limits[2], gboolean is_log)
{
  const double room = PADDING * (is_log ? log10(limits[1] / limits[0]) : limits[1] - limits[0]);
  limits[0] = is_log ? limits[0] / pow(10.0, room) : limits[0] - room;
  limits[1] = is_log ? limits[1] * pow(10.0, room) : limits[1] + room;
}

/* The curves of the left axis in that range. NULL: there is nothing of them. */
static DebyePlot *
create_inset(DebyePlot *plot, const double range[2])
{
  gboolean found = FALSE;
  double limits[2] = {HUGE_VAL, -HUGE_VAL};
  g_autoptr(DebyePlot) inset = debye_plot_copy(plot);
  GPtrArray *all = debye_plot_get_all_series(inset);
  const gboolean is_log = debye_plot_get_scale(plot, DEBYE_PLOT_Y) == DEBYE_PLOT_LOG;
  for (guint i = 0; i < all->len; i++) {
    DebyePlotSeries *series = all->pdata[i];
    series->hidden = series->hidden || series->axis != DEBYE_PLOT_Y;
    found = (!series->hidden && find_values(series, range, is_log, limits)) || found;
  }
  if (!found)
    return NULL;
  pad(limits, is_log);
  debye_plot_set_below(inset, NULL);
  debye_plot_set_inset(inset, NAN, NAN);
  debye_plot_set_legend_visible(inset, FALSE);
  debye_plot_clear_peaks(inset);
  debye_plot_set_view(inset, DEBYE_PLOT_X, range[0], range[1]);
  debye_plot_set_view(inset, DEBYE_PLOT_Y, limits[0], limits[1]);
  for (DebyePlotAxis axis = 0; axis < DEBYE_PLOT_N_AXES; axis++) {
    debye_plot_set_label(inset, axis, NULL);
    debye_plot_set_ticks(inset, axis, &(DebyePlotTickChoice){.step = 0.0});
  }
  return g_steal_pointer(&inset);
}

static DebyePlotStyle
get_style(const DebyePlotLayout *self)
{
  DebyePlotStyle style = self->style;
  style.tick_size *= SIZE;
  style.line_width *= SIZE;
  style.marker_size *= SIZE;
  style.major_tick *= SIZE;
  style.minor_tick *= SIZE;
  style.gap *= SIZE;
  style.with_caption = style.without_x_labels = FALSE;
  style.least_rooms.left = style.least_rooms.top = style.least_rooms.right = style.least_rooms.bottom = 0.0;
  return style;
}

static double
stay_within(double from, double length, double room_from, double room_length)
{
  return fmax(fmin(from, room_from + room_length - length), room_from);
}

/* Moves the box to where a person put it, else to where it hides least. Returns what it hides. */
static double
move_box(const DebyePlotLayout *self, const DebyePlotCover *cover, const DebyePlotRectangle *room,
         DebyePlotRectangle *box)
{
  double x, y, across, down, hidden = 0.0;
  const DebyePlotLegendSide side = debye_plot_get_inset_place(self->plot, &x, &y);
  if (isfinite(x) && isfinite(y)) {
    box->x = stay_within(self->frame.x + x * self->frame.width, box->width, room->x, room->width);
    box->y = stay_within(self->frame.y + y * self->frame.height, box->height, room->y, room->height);
    return debye_plot_cover_get(cover, box);
  }
  if (side == DEBYE_PLOT_LEGEND_AUTO)
    hidden = debye_plot_cover_find(cover, room, box->width, box->height, &across, &down);
  else
    debye_plot_layout_get_parts(side, &across, &down);
  box->x = room->x + across * (room->width - box->width);
  box->y = room->y + down * (room->height - box->height);
  return side == DEBYE_PLOT_LEGEND_AUTO ? hidden : debye_plot_cover_get(cover, box);
}

/* As large as a place is free for, else where it hides least of curves and words: it lies over what it hides. */
static DebyePlotRectangle
find_place(const DebyePlotLayout *self)
{
  static const double sizes[] = {1.0, 0.87, 0.75};
  const DebyePlotRectangle *frame = &self->frame;
  const double margin = self->style.major_tick + 0.5 * self->style.gap;
  const DebyePlotRectangle room = {frame->x + margin, frame->y + margin, frame->width - 2.0 * margin,
                                   frame->height - 2.0 * margin};
  g_autoptr(DebyePlotCover) cover = debye_plot_cover_new(self->drawing, frame, TRUE);
  DebyePlotRectangle place = room;
  double least = HUGE_VAL;
  for (gsize i = 0; i < G_N_ELEMENTS(sizes) && least > 0.0; i++) {
    DebyePlotRectangle box = {.width = sizes[i] * WIDTH * frame->width,
                              .height = sizes[i] * HEIGHT * frame->height};
    const double hidden = move_box(self, cover, &room, &box);
    if (hidden < 0.6 * least)
      place = box;
    least = fmin(least, hidden);
  }
  return place;
}

DebyePlot *
debye_plot_layout_plan_inset(const DebyePlotLayout *self, DebyePlotStyle *style, DebyePlotRectangle *place)
{
  double range[2];
  g_autoptr(DebyePlot) inset =
      debye_plot_get_inset(self->plot, &range[0], &range[1]) ? create_inset(self->plot, range) : NULL;
  if (inset == NULL)
    return NULL;
  *style = get_style(self);
  *place = find_place(self);
  return g_steal_pointer(&inset);
}
