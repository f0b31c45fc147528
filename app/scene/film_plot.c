/* SPDX-License-Identifier: MIT */
/* Draws a plot beside the pictures of a movie; called by film_page.c. What doesn't move is drawn once. */
#include "film_plot.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "film_ink.h"
#include "render/plot/plot_cairo.h"
#include "render/plot/plot_layout.h"

#define POINTS_PER_PIXEL 0.75 /* of logical ones */
#define VEIL 0.72             /* over the part of curves that is still to come */
#define TEXT 1.2              /* times the size of text: a plot is looked at from farther away than a page */
#define LINES 1.25            /* likewise */
#define MARK_WIDTH 1.0        /* points */
#define FRAME_WIDTH 0.4       /* points, of the frame's line within its rectangle */
#define DOT_RADIUS 3.2        /* points */
#define RIM 1.2               /* points, about a dot */

struct _DebyeFilmPlot {
  DebyePlot *plot;
  char *name;
  gboolean in_time;
  double per_picosecond; /* of the axis, if it is of time */
  double place;          /* of the mark; NAN: none */
  gboolean was_marked;
  DebyePlotLayout *layout; /* of the size that was drawn last */
  cairo_surface_t *still;
  double width, height;
};

static void
forget(DebyeFilmPlot *self)
{
  g_clear_pointer(&self->layout, debye_plot_layout_free);
  g_clear_pointer(&self->still, cairo_surface_destroy);
}

void
debye_film_plot_free(DebyeFilmPlot *self)
{
  forget(self);
  g_clear_object(&self->plot);
  g_free(self->name);
  g_free(self);
}

/* --- What the axis counts --- */

/* A lag time τ has the unit of a time and is none. A time without a unit is in ps, as in the files of this program. */
static gboolean
find_axis(DebyeFilmPlot *self, const DebyeQuantity *x)
{
  self->per_picosecond = 1.0;
  if (g_ascii_strcasecmp(x->name, "frame") == 0)
    return TRUE;
  const gboolean is_named = g_ascii_strcasecmp(x->name, "time") == 0 || strcmp(x->name, "t") == 0;
  const gboolean has_unit = x->unit != NULL && *x->unit != '\0';
  self->in_time = is_named && (!has_unit || debye_unit_get_factor("ps", x->unit, &self->per_picosecond));
  return self->in_time;
}

DebyeFilmPlot *
debye_film_plot_new(DebyePlot *plot, const char *name, GError **error)
{
  g_autoptr(DebyeFilmPlot) self = g_new0(DebyeFilmPlot, 1);
  self->plot = debye_plot_copy(plot);
  self->name = g_strdup(name);
  self->place = NAN;
  if (debye_plot_get_n_series(self->plot) == 0) {
    debye_error_set(error, DEBYE_ERROR_VALUE, "%s: expected curves over time or frames, found none", name);
    return NULL;
  }
  DebyeCurve *curve = debye_plot_get_curve(self->plot, debye_plot_get_series(self->plot, 0));
  const DebyeQuantity *x = debye_curve_get_x_quantity(curve);
  if (find_axis(self, x))
    return g_steal_pointer(&self);
  g_autofree char *title = debye_quantity_get_title(x);
  debye_error_set(error, DEBYE_ERROR_VALUE,
                  "%s: expected curves over time or frames, found %s. Give a curve over time, such as a "
                  "result of debye-cli measure.",
                  name, title);
  return NULL;
}

/* --- The frame that is shown --- */

gboolean
debye_film_plot_seek(DebyeFilmPlot *self, gsize frame, double time, GError **error)
{
  double minimum, maximum;
  if (self->in_time && isnan(time))
    return debye_error_set(error, DEBYE_ERROR_MISSING,
                           "%s: the plot goes over time, but frame %" G_GSIZE_FORMAT
                           " of the trajectory has none. Give curves over numbers of frames.",
                           self->name, frame);
  debye_plot_get_limits(self->plot, DEBYE_PLOT_X, &minimum, &maximum);
  const double place = self->in_time ? time * self->per_picosecond : (double)frame;
  self->place = place >= minimum && place <= maximum ? place : NAN;
  self->was_marked |= !isnan(self->place);
  return TRUE;
}

gboolean
debye_film_plot_was_marked(const DebyeFilmPlot *self)
{
  return self->was_marked;
}

/* Between the two points beside it; NAN: outside the curve, or in a gap. */
static double
find_value(DebyeCurve *curve, double place)
{
  const double *x = debye_curve_get_x(curve), *y = debye_curve_get_y(curve);
  const gsize n = debye_curve_get_n_points(curve);
  for (gsize i = 0; i < n; i++) {
    if (x[i] == place)
      return y[i];
    if (i + 1 < n && x[i] < place && place < x[i + 1])
      return y[i] + (y[i + 1] - y[i]) * (place - x[i]) / (x[i + 1] - x[i]);
  }
  return NAN;
}

/* --- Drawing --- */

static void
lay_out(DebyeFilmPlot *self, const DebyeLook *look, double width, double height, double scale)
{
  const double points = POINTS_PER_PIXEL / scale;
  DebyePlotStyle style;
  debye_plot_style_init(&style, debye_film_ink_is_dark(look), 1.0);
  debye_plot_style_set_text_size(&style, TEXT * look->font_size * POINTS_PER_PIXEL);
  debye_plot_style_set_line_width(&style, LINES * style.frame_width);
  style.background =
      (DebyePlotColor){look->background[0], look->background[1], look->background[2], look->background[3]};
  style.with_caption = FALSE;
  style.legend_above = TRUE;
  forget(self);
  self->width = width;
  self->height = height;
  self->layout =
      debye_plot_layout_new(self->plot, &style, width * points, height * points, 1.0 / points, NULL);
  self->still = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)ceil(width), (int)ceil(height));
  cairo_t *cr = cairo_create(self->still);
  cairo_scale(cr, 1.0 / points, 1.0 / points);
  debye_plot_drawing_draw(debye_plot_layout_get_drawing(self->layout), cr);
  cairo_destroy(cr);
}

/* What is still to come steps back behind a veil, which leaves the frame's line. */
static void
draw_veil(const DebyeFilmPlot *self, cairo_t *cr, const DebyeLook *look, double x)
{
  const DebyePlotRectangle frame = debye_plot_layout_get_frame(self->layout);
  const double right = frame.x + frame.width - FRAME_WIDTH, top = frame.y + FRAME_WIDTH;
  if (x >= right)
    return;
  cairo_set_source_rgba(cr, (double)look->background[0], (double)look->background[1],
                        (double)look->background[2], VEIL * (double)look->background[3]);
  cairo_rectangle(cr, x, top, right - x, frame.height - 2.0 * FRAME_WIDTH);
  cairo_fill(cr);
}

static void
draw_line(const DebyeFilmPlot *self, cairo_t *cr, const DebyeLook *look, double x)
{
  const DebyePlotRectangle frame = debye_plot_layout_get_frame(self->layout);
  debye_film_ink_set(cr, look, 0.55);
  cairo_set_line_width(cr, MARK_WIDTH);
  cairo_move_to(cr, x, frame.y);
  cairo_line_to(cr, x, frame.y + frame.height);
  cairo_stroke(cr);
}

/* As it is drawn on this page, which may be dark. */
static DebyePlotColor
find_color(const DebyeFilmPlot *self, guint series)
{
  const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(self->layout);
  for (guint i = 0; i < drawing->items->len; i++) {
    const DebyeDrawItem *item = debye_plot_drawing_get(drawing, i);
    if (item->series == series && (item->kind == DEBYE_DRAW_LINE || item->kind == DEBYE_DRAW_MARKERS))
      return item->ink;
  }
  return debye_plot_color_from_rgb(debye_plot_get_series_rgb(self->plot, series));
}

static void
draw_dot(const DebyeFilmPlot *self, cairo_t *cr, const DebyeLook *look, guint series, double x)
{
  double low, high;
  const DebyePlotAxis axis = debye_plot_get_series_axis(self->plot, series);
  const double value = find_value(debye_plot_get_curve(self->plot, series), self->place);
  debye_plot_get_limits(self->plot, axis, &low, &high);
  if (!(value >= low && value <= high) || !debye_plot_get_series_visible(self->plot, series))
    return;
  const DebyePlotColor color = find_color(self, series);
  const double y = debye_plot_layout_get_place(self->layout, axis, value);
  cairo_new_path(cr);
  cairo_arc(cr, x, y, DOT_RADIUS + RIM, 0.0, 2.0 * G_PI);
  cairo_set_source_rgb(cr, (double)look->background[0], (double)look->background[1],
                       (double)look->background[2]);
  cairo_fill(cr);
  cairo_arc(cr, x, y, DOT_RADIUS, 0.0, 2.0 * G_PI);
  cairo_set_source_rgb(cr, (double)color.red, (double)color.green, (double)color.blue);
  cairo_fill(cr);
}

void
debye_film_plot_draw(DebyeFilmPlot *self, cairo_t *cr, const DebyeLook *look, double width, double height,
                     double scale)
{
  if (self->layout == NULL || self->width != width || self->height != height)
    lay_out(self, look, width, height, scale);
  cairo_save(cr);
  cairo_set_source_surface(cr, self->still, 0.0, 0.0);
  cairo_paint(cr);
  if (!isnan(self->place)) {
    const double x = debye_plot_layout_get_place(self->layout, DEBYE_PLOT_X, self->place);
    cairo_scale(cr, scale / POINTS_PER_PIXEL, scale / POINTS_PER_PIXEL);
    draw_veil(self, cr, look, x);
    draw_line(self, cr, look, x);
    for (gsize i = 0; i < debye_plot_get_n_series(self->plot); i++)
      draw_dot(self, cr, look, debye_plot_get_series(self->plot, i), x);
  }
  cairo_restore(cr);
}
