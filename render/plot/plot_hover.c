/* SPDX-License-Identifier: MIT */
/* Draws the read-out under the pointer and the rectangle of a zoom; called by the plot's widget. */
#include "plot_hover.h"

#include <math.h>

#include "data/messages/message.h"
#include "plot_layout_private.h"
#include "plot_text.h"

/* Even where a pixel is worth more, a value has this part of itself as its last digit. */
#define LEAST_DIGITS 2e-3

/* --- Words --- */

/* What a pixel is worth at a place. */
static double
pixel_value(const DebyePlotLayout *self, DebyePlotAxis axis, double place)
{
  double step = 0.5 / self->pixels;
  return fabs(debye_plot_layout_get_value(self, axis, place + step) -
              debye_plot_layout_get_value(self, axis, place - step));
}

static char *
assignment(const char *label, double value, double error, double resolution, const char *unit)
{
  const gboolean is_number = (unit == NULL || *unit == '\0') && value == round(value); /* of a residue */
  double digits = is_number ? 1.0 : fmin(resolution, LEAST_DIGITS * fabs(value));
  g_autofree char *text = debye_plot_value_text(value, digits > 0.0 ? digits : resolution);
  g_autofree char *deviation =
      isfinite(error) ? debye_plot_value_text(error, fmin(digits, 0.1 * error)) : NULL;
  g_autofree char *said = debye_message_translate(unit), *called = debye_message_translate(label);
  return g_strconcat(called, " = ", text, deviation != NULL ? " ± " : "", deviation != NULL ? deviation : "",
                     *said != '\0' ? " " : "", said, NULL);
}

static char **
describe_cell(const DebyePlotLayout *self, const DebyePlotPoint *point)
{
  DebyeMatrix *matrix = debye_plot_get_matrix(self->plot);
  const DebyeQuantity *column = debye_matrix_get_column_quantity(matrix),
                      *row = debye_matrix_get_row_quantity(matrix), *own = debye_matrix_get_quantity(matrix);
  g_autoptr(GStrvBuilder) lines = g_strv_builder_new();
  g_autofree char *value = assignment(own->label, point->value, NAN, 0.0, own->unit);
  g_autofree char *x = assignment(column->label, point->x, NAN, 0.0, column->unit);
  g_autofree char *y = assignment(row->label, point->y, NAN, 0.0, row->unit);
  g_strv_builder_add_many(lines, value, x, y, NULL);
  return g_strv_builder_end(lines);
}

char **
debye_plot_layout_describe(const DebyePlotLayout *self, const DebyePlotPoint *point)
{
  DebyeCurve *curve = debye_plot_get_curve(self->plot, point->series);
  if (curve == NULL)
    return debye_plot_get_matrix(self->plot) != NULL ? describe_cell(self, point) : g_new0(char *, 1);
  const DebyeQuantity *x = debye_curve_get_x_quantity(curve), *y = debye_curve_get_y_quantity(curve);
  g_autoptr(GStrvBuilder) lines = g_strv_builder_new();
  g_autofree char *first =
      assignment(x->label, point->x, NAN, pixel_value(self, DEBYE_PLOT_X, point->page_x), x->unit);
  g_autofree char *second =
      assignment(y->label, point->y, point->error, pixel_value(self, DEBYE_PLOT_Y, point->page_y), y->unit);
  g_autofree char *name = debye_plot_text_from_name(debye_curve_get_name(curve));
  if (*name != '\0')
    g_strv_builder_add(lines, name);
  g_strv_builder_add_many(lines, first, second, NULL);
  return g_strv_builder_end(lines);
}

/* --- Drawing --- */

static DebyePlotColor
faded(DebyePlotColor ink, float alpha)
{
  ink.alpha *= alpha;
  return ink;
}

static void
add_outline(DebyePlotDrawing *drawing, DebyePlotColor ink, double width, const DebyePlotRectangle *box)
{
  float left = (float)box->x, top = (float)box->y, right = left + (float)box->width,
        bottom = top + (float)box->height;
  const float lines[] = {left,  top,    right, top,    right, top,    right, bottom,
                         right, bottom, left,  bottom, left,  bottom, left,  top};
  debye_plot_drawing_add(drawing, DEBYE_DRAW_SEGMENTS, ink)->width = (float)width;
  debye_plot_drawing_put(drawing, lines, G_N_ELEMENTS(lines));
}

static void
add_disc(DebyePlotDrawing *drawing, DebyePlotColor ink, double size, const DebyePlotPoint *point)
{
  const float centre[] = {(float)point->page_x, (float)point->page_y};
  debye_plot_drawing_add(drawing, DEBYE_DRAW_MARKERS, ink)->size = (float)size;
  debye_plot_drawing_put(drawing, centre, G_N_ELEMENTS(centre));
}

static DebyePlotColor
series_ink(const DebyePlotLayout *self, guint id)
{
  GPtrArray *all = debye_plot_get_all_series(self->plot);
  for (guint i = 0; i < all->len; i++) {
    const DebyePlotSeries *series = all->pdata[i];
    if (series->id == id)
      return debye_plot_layout_get_ink(self, series);
  }
  return self->style.ink;
}

/* Beside the point, on the side where there is room. */
static DebyePlotRectangle
place_box(const DebyePlotLayout *self, const DebyePlotPoint *point, double width, double height)
{
  const DebyePlotDrawing *page = self->drawing;
  double gap = 2.0 * self->style.gap;
  double x = point->page_x + gap, y = point->page_y - gap - height;
  if (x + width > page->width)
    x = point->page_x - gap - width;
  if (y < 0.0)
    y = point->page_y + gap;
  return (DebyePlotRectangle){
      debye_plot_layout_snap(self, fmax(x, 0.0)),
      debye_plot_layout_snap(self, fmin(fmax(y, 0.0), fmax(page->height - height, 0.0))), width, height};
}

static void
add_readout(const DebyePlotLayout *self, DebyePlotDrawing *drawing, const DebyePlotPoint *point)
{
  const DebyePlotStyle *style = &self->style;
  double widest = 0.0, line = 1.35 * style->tick_size;
  g_auto(GStrv) lines = debye_plot_layout_describe(self, point);
  guint n = g_strv_length(lines);
  g_autoptr(GPtrArray) markups = g_ptr_array_new_with_free_func(g_free);
  for (guint i = 0; i < n; i++) {
    DebyePlotTextExtent extent;
    g_ptr_array_add(markups, debye_plot_text_from_plain(lines[i]));
    debye_plot_text_measure(markups->pdata[i], style->tick_size, &extent);
    widest = fmax(widest, extent.width);
  }
  DebyePlotRectangle box = place_box(self, point, widest + 3.0 * style->gap, n * line + 1.6 * style->gap);
  debye_plot_drawing_add_rectangle(drawing, faded(style->background, 0.92f), box.x, box.y, box.width,
                                   box.height);
  add_outline(drawing, faded(style->secondary, 0.5f), self->hairline, &box);
  for (guint i = 0; i < n; i++)
    debye_plot_drawing_add_text(drawing, style->ink, markups->pdata[i], style->tick_size,
                                box.x + 1.5 * style->gap,
                                box.y + 0.8 * style->gap + i * line + style->tick_size, 0.0, FALSE);
}

DebyePlotDrawing *
debye_plot_hover_draw(const DebyePlotLayout *self, const DebyePlotHover *hover)
{
  const DebyePlotStyle *style = &self->style;
  DebyePlotDrawing *drawing = debye_plot_drawing_new(self->drawing->width, self->drawing->height);
  drawing->pixels_per_point = self->pixels;
  if (hover->has_rectangle) {
    const DebyePlotRectangle *box = &hover->rectangle;
    debye_plot_drawing_add_rectangle(drawing, faded(style->accent, 0.14f), box->x, box->y, box->width,
                                     box->height);
    add_outline(drawing, style->accent, self->hairline, box);
  }
  if (hover->has_point) {
    if (hover->point.series != 0) {
      add_disc(drawing, style->background, 7.5, &hover->point);
      add_disc(drawing, series_ink(self, hover->point.series), 5.0, &hover->point);
    }
    add_readout(self, drawing, &hover->point);
  }
  return drawing;
}
