/* SPDX-License-Identifier: MIT */
/* Lays out words in the frame and names at the right ends of curves, in their colours, for plot_layout.c. */
#include <math.h>
#include <stdlib.h>

#include "plot_layout_private.h"
#include "plot_text.h"

/* Of the page's width, for the longest name. */
#define MAX_NAME 0.4
#define MAX_NAME_BESIDE_AXIS 0.22
#define DISTANCE 1.15 /* of two names, in sizes of their text */
/* Of the frame's width: how far before its edge a curve may leave the view without a piece of the curve beside its name. */
#define NEAR 0.06
#define SAMPLE_WIDTH 2.0 /* in sizes of the text */

/* A name, and where its curve ends in view. */
typedef struct {
  const DebyePlotSeries *series;
  double end_x, end_y;
  double y; /* of the name's middle */
  gboolean has_sample;
} End;

static char *
write_name(const DebyePlotLayout *self, const DebyePlotSeries *series)
{
  return debye_plot_layout_write_name(series, self->style.tick_size, MAX_NAME * self->drawing->width);
}

/* Beside an axis or a colour bar at the right long names would leave next to nothing of the frame. */
static gboolean
has_room_for_names(const DebyePlotLayout *self)
{
  double widest = 0.0;
  GPtrArray *all = debye_plot_get_all_series(self->plot);
  if (!self->axes[DEBYE_PLOT_Y2].is_shown && !self->axes[DEBYE_PLOT_COLOR].is_shown)
    return TRUE;
  for (guint i = 0; i < all->len; i++) {
    const DebyePlotSeries *series = all->pdata[i];
    g_autofree char *markup = series->hidden ? NULL : write_name(self, series);
    widest = fmax(widest, debye_plot_text_width(markup, self->style.tick_size));
  }
  return widest < MAX_NAME_BESIDE_AXIS * self->drawing->width;
}

gboolean
debye_plot_layout_has_ends(const DebyePlotLayout *self)
{
  return debye_plot_get_legend_side(self->plot) == DEBYE_PLOT_LEGEND_ENDS &&
         debye_plot_get_legend_visible(self->plot) && has_room_for_names(self);
}

static gboolean
is_in_view(const DebyePlotRectangle *frame, double x, double y)
{
  return isfinite(y) && x >= frame->x && x <= frame->x + frame->width && y >= frame->y &&
         y <= frame->y + frame->height;
}

/* Of a curve that leaves the frame, where it does. */
static void
extend_to_edge(const DebyePlotLayout *self, gsize last, End *end)
{
  DebyeCurve *curve = end->series->curve;
  const double right = self->frame.x + self->frame.width;
  if (last + 1 >= debye_curve_get_n_points(curve))
    return;
  const double x = debye_plot_layout_get_place(self, DEBYE_PLOT_X, debye_curve_get_x(curve)[last + 1]);
  const double y = debye_plot_layout_get_place(self, end->series->axis, debye_curve_get_y(curve)[last + 1]);
  const double edge = end->y + (right - end->end_x) / (x - end->end_x) * (y - end->y);
  if (x <= right || !is_in_view(&self->frame, right, edge))
    return;
  end->end_x = right;
  end->end_y = end->y = edge;
}

/* FALSE: nothing of the curve is in view. */
static gboolean
find_end(const DebyePlotLayout *self, const DebyePlotSeries *series, End *end)
{
  gsize last = 0;
  const double *x = debye_curve_get_x(series->curve), *y = debye_curve_get_y(series->curve);
  *end = (End){.series = series, .end_x = -HUGE_VAL};
  for (gsize i = 0; i < debye_curve_get_n_points(series->curve); i++) {
    const double page_x = debye_plot_layout_get_place(self, DEBYE_PLOT_X, x[i]);
    const double page_y = debye_plot_layout_get_place(self, series->axis, y[i]);
    if (page_x < end->end_x || !is_in_view(&self->frame, page_x, page_y))
      continue;
    end->end_x = page_x;
    end->end_y = end->y = page_y;
    last = i;
  }
  if (end->end_x < self->frame.x)
    return FALSE;
  extend_to_edge(self, last, end);
  end->has_sample = last + 1 < debye_curve_get_n_points(series->curve) &&
                    self->frame.x + self->frame.width - end->end_x > NEAR * self->frame.width;
  return TRUE;
}

static double
sample_room(const DebyePlotLayout *self, const End *end)
{
  return end->has_sample ? SAMPLE_WIDTH * self->style.tick_size + self->style.gap : 0.0;
}

/* What is right of the frame stands beyond the names: the second axis, then the colour bar. */
double
debye_plot_layout_get_end_room(const DebyePlotLayout *self)
{
  double widest = 0.0;
  GPtrArray *all = debye_plot_get_all_series(self->plot);
  if (!debye_plot_layout_has_ends(self))
    return 0.0;
  for (guint i = 0; i < all->len; i++) {
    End end;
    const DebyePlotSeries *series = all->pdata[i];
    if (series->hidden || !find_end(self, series, &end))
      continue;
    g_autofree char *markup = write_name(self, series);
    widest = fmax(widest, debye_plot_text_width(markup, self->style.tick_size) + sample_room(self, &end));
  }
  const double ticks = self->axes[DEBYE_PLOT_Y2].is_shown ? self->style.major_tick : 0.0;
  return widest > 0.0 ? widest + 2.0 * self->style.gap + ticks : 0.0;
}

static int
compare_ends(gconstpointer a, gconstpointer b)
{
  const End *first = a, *second = b;
  return (first->y > second->y) - (first->y < second->y);
}

/* Names keep their distance and stay beside the frame: pushed down one by one, then up from its foot. */
static void
part(const DebyePlotLayout *self, GArray *ends)
{
  const double distance = DISTANCE * self->style.tick_size, half = 0.5 * distance;
  double lowest = self->frame.y + half - distance;
  g_array_sort(ends, compare_ends);
  for (guint i = 0; i < ends->len; i++) {
    End *end = &g_array_index(ends, End, i);
    end->y = lowest = fmax(end->y, lowest + distance);
  }
  double highest = self->frame.y + self->frame.height - half + distance;
  for (guint i = ends->len; i-- > 0;) {
    End *end = &g_array_index(ends, End, i);
    end->y = highest = fmin(end->y, highest - distance);
  }
}

/* With a thin line from the frame's edge where the curve ends at another height. From the curve's last point the line would
 * look like the curve going on: the name of one that leaves the view above or below has a piece of the curve beside it. */
static void
add_end(DebyePlotLayout *self, const End *end)
{
  const double right = self->frame.x + self->frame.width, gap = self->style.gap;
  const DebyePlotColor ink = debye_plot_layout_get_ink(self, end->series);
  g_autofree char *markup = write_name(self, end->series);
  if (end->has_sample) {
    debye_plot_layout_add_sample(self, end->series, right + gap, end->y,
                                 SAMPLE_WIDTH * self->style.tick_size);
  } else if (fabs(end->y - end->end_y) > 0.4 * self->style.tick_size) {
    const float leader[] = {(float)right, (float)end->end_y, (float)(right + 0.8 * gap), (float)end->y};
    debye_plot_drawing_add(self->drawing, DEBYE_DRAW_SEGMENTS, ink)->width = (float)self->hairline;
    debye_plot_drawing_put(self->drawing, leader, G_N_ELEMENTS(leader));
  }
  debye_plot_drawing_add_text(self->drawing, ink, markup, self->style.tick_size,
                              right + gap + sample_room(self, end), end->y + 0.35 * self->style.tick_size,
                              0.0, FALSE);
}

void
debye_plot_layout_add_ends(DebyePlotLayout *self)
{
  GPtrArray *all = debye_plot_get_all_series(self->plot);
  g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(End));
  for (guint i = 0; i < all->len && debye_plot_layout_has_ends(self); i++) {
    End end;
    const DebyePlotSeries *series = all->pdata[i];
    if (!series->hidden && find_end(self, series, &end))
      g_array_append_val(ends, end);
  }
  part(self, ends);
  for (guint i = 0; i < ends->len; i++)
    add_end(self, &g_array_index(ends, End, i));
}

/* --- Words --- */

void
debye_plot_layout_add_words(DebyePlotLayout *self)
{
  GPtrArray *all = debye_plot_get_words(self->plot);
  const DebyePlotRectangle *frame = &self->frame;
  for (guint i = 0; i < all->len; i++) {
    const DebyePlotMark *words = all->pdata[i];
    const double x = debye_plot_layout_get_place(self, DEBYE_PLOT_X, words->x);
    const double y = debye_plot_layout_get_place(self, DEBYE_PLOT_Y, words->y);
    if (x >= frame->x && x <= frame->x + frame->width && y >= frame->y && y <= frame->y + frame->height)
      debye_plot_drawing_add_text(self->drawing, self->style.ink, words->markup, self->style.tick_size, x, y,
                                  words->align, FALSE);
  }
}
