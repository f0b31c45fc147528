/* SPDX-License-Identifier: MIT */
/* Implementation of figure.h: lays panels out on a page and saves it; called by the figure dialog and
 * debye-cli figure. */
#include "figure_private.h"

#include <math.h>

#include "data/files/error.h"
#include "plot_cairo.h"

#define VECTOR_DPI 600.0
#define LETTER_SIZE 11.0
#define USUAL_TEXT 9.5 /* beside such letters */
#define LEAST_TEXT 5.0 /* what journals print at least, of panels that are small */
#define PANEL_PER_TEXT 22.7
#define LETTER_ROOM 14.0 /* above a panel, for its letter */

void
debye_figure_style_init(DebyeFigureStyle *style)
{
  *style = (DebyeFigureStyle){.width = 183.0 / 25.4 * DEBYE_FIGURE_POINTS_PER_INCH,
                              .ratio = 0.75,
                              .gap = 10.0,
                              .dpi = 300.0,
                              .scale = 1.0,
                              .columns = 2,
                              .letters = DEBYE_LETTERS_SMALL};
}

static void
panel_clear(gpointer data)
{
  DebyeFigurePanel *panel = data;
  g_clear_pointer(&panel->layout, debye_plot_layout_free);
  g_clear_object(&panel->plot);
  g_clear_pointer(&panel->picture, cairo_surface_destroy);
}

DebyeFigure *
debye_figure_new(const DebyeFigureStyle *style, guint n_panels)
{
  DebyeFigure *self = g_new(DebyeFigure, 1);
  *self = (DebyeFigure){.style = *style, .n_panels = CLAMP(n_panels, 1, DEBYE_MAX_PANELS)};
  self->style.columns = CLAMP(style->columns, 1, (int)self->n_panels);
  self->panels = g_array_new(FALSE, TRUE, sizeof(DebyeFigurePanel));
  g_array_set_clear_func(self->panels, panel_clear);
  return self;
}

void
debye_figure_free(DebyeFigure *self)
{
  if (self == NULL)
    return;
  g_array_unref(self->panels);
  g_free(self);
}

/* --- Where things stand --- */

static double
get_panel_width(const DebyeFigure *self)
{
  const DebyeFigureStyle *style = &self->style;
  return (style->width - style->gap * (style->columns - 1)) / style->columns;
}

/* Of the largest texts of plots. */
static double
get_text_size(const DebyeFigure *self)
{
  const DebyeFigureStyle *style = &self->style;
  const double usual = USUAL_TEXT * style->scale;
  const double narrow = fmax(LEAST_TEXT * style->scale, get_panel_width(self) / PANEL_PER_TEXT);
  return style->text_size > 0.0 ? style->text_size : fmin(usual, narrow);
}

double
debye_figure_get_text_scale(const DebyeFigure *self)
{
  return get_text_size(self) / USUAL_TEXT;
}

static guint
count_rows(const DebyeFigure *self)
{
  const guint columns = (guint)self->style.columns;
  return (self->n_panels + columns - 1) / columns;
}

/* One panel needs no name, unless someone asked for it: it may become a part of a page set elsewhere. */
static gboolean
has_letters(const DebyeFigure *self)
{
  return self->style.letters != DEBYE_LETTERS_NONE && (self->n_panels > 1 || self->style.letter_alone);
}

double
debye_figure_get_letter_room(const DebyeFigure *self)
{
  return has_letters(self) ? LETTER_ROOM * debye_figure_get_text_scale(self) : 0.0;
}

void
debye_figure_get_panel_size(const DebyeFigure *self, double *width, double *height)
{
  const DebyeFigureStyle *style = &self->style;
  const guint rows = count_rows(self);
  *width = get_panel_width(self);
  *height =
      style->height > 0.0
          ? fmax((style->height - (rows - 1) * style->gap) / rows - debye_figure_get_letter_room(self), 1.0)
          : style->ratio * *width;
}

void
debye_figure_get_panel_pixels(const DebyeFigure *self, int *width, int *height)
{
  double w, h, scale = self->style.dpi / DEBYE_FIGURE_POINTS_PER_INCH;
  debye_figure_get_panel_size(self, &w, &h);
  *width = MAX(1, (int)lround(w * scale));
  *height = MAX(1, (int)lround(h * scale));
}

void
debye_figure_get_size(const DebyeFigure *self, double *width, double *height)
{
  double w, h;
  const guint rows = count_rows(self);
  debye_figure_get_panel_size(self, &w, &h);
  *width = self->style.width;
  *height = rows * (h + debye_figure_get_letter_room(self)) + (rows - 1) * self->style.gap;
}

void
debye_figure_find_corner(const DebyeFigure *self, guint number, double *x, double *y)
{
  double w, h;
  guint columns = (guint)self->style.columns;
  debye_figure_get_panel_size(self, &w, &h);
  *x = number % columns * (w + self->style.gap);
  *y = number / columns * (h + debye_figure_get_letter_room(self) + self->style.gap);
}

/* --- Panels --- */

void
debye_figure_add_plot(DebyeFigure *self, DebyePlot *plot)
{
  DebyeFigurePanel panel = {.plot = debye_plot_copy(plot)};
  g_return_if_fail(self->panels->len < self->n_panels);
  g_array_append_val(self->panels, panel);
  self->is_laid_out = FALSE;
}

void
debye_figure_set_picture(DebyeFigure *self, guint number, GBytes *rgba, int width, int height)
{
  g_return_if_fail(number < self->panels->len && width > 0 && height > 0);
  g_return_if_fail(g_bytes_get_size(rgba) >= 4 * (gsize)width * (gsize)height);
  DebyeFigurePanel *panel = &g_array_index(self->panels, DebyeFigurePanel, number);
  panel_clear(panel);
  panel->picture = debye_plot_picture_from_rgba(rgba, width, height);
}

void
debye_figure_add_picture(DebyeFigure *self, GBytes *rgba, int width, int height)
{
  DebyeFigurePanel panel = {NULL};
  g_return_if_fail(self->panels->len < self->n_panels);
  g_array_append_val(self->panels, panel);
  if (rgba != NULL)
    debye_figure_set_picture(self, self->panels->len - 1, rgba, width, height);
}

gboolean
debye_figure_add_file(DebyeFigure *self, const char *path, GError **error)
{
  DebyeFigurePanel panel = {.picture = cairo_image_surface_create_from_png(path)};
  cairo_status_t status = cairo_surface_status(panel.picture);
  g_autofree char *name = debye_error_name_file(path);
  if (status == CAIRO_STATUS_SUCCESS) {
    g_array_append_val(self->panels, panel);
    return TRUE;
  }
  debye_error_set(error, DEBYE_ERROR_OPEN, "%s: the picture can't be read: %s", name,
                  cairo_status_to_string(status));
  cairo_surface_destroy(panel.picture);
  return FALSE;
}

/* --- Frames ---
 * Those of a row begin and end at one height, and all of the page are as wide, whatever their labels need. Where
 * one of a row has its legend above, the others have theirs there too: the room is there anyway. */

typedef struct {
  double left, top, right, bottom;
  gboolean legend_above;
} Rooms;

static void
set_plot(const DebyeFigure *self, DebyeFigurePanel *panel, const Rooms *rooms)
{
  DebyePlotStyle style;
  double width, height;
  debye_figure_get_panel_size(self, &width, &height);
  debye_plot_style_init(&style, self->style.dark, self->style.scale);
  style.with_caption = self->style.captions;
  style.outlines = self->style.outlines;
  debye_plot_style_set_text_size(&style, get_text_size(self));
  if (self->style.line_width > 0.0)
    debye_plot_style_set_line_width(&style, self->style.line_width);
  if (self->style.curve_width > 0.0)
    style.line_width = self->style.curve_width;
  style.least_rooms.left = rooms->left;
  style.least_rooms.top = rooms->top;
  style.least_rooms.right = rooms->right;
  style.least_rooms.bottom = rooms->bottom;
  style.legend_above = rooms->legend_above;
  g_clear_pointer(&panel->layout, debye_plot_layout_free);
  panel->layout = debye_plot_layout_new(panel->plot, &style, width, height,
                                        VECTOR_DPI / DEBYE_FIGURE_POINTS_PER_INCH, NULL);
}

static void
extend_rooms(const DebyeFigure *self, guint number, Rooms *rooms)
{
  double width, height;
  guint columns = (guint)self->style.columns;
  DebyePlotRectangle frame =
      debye_plot_layout_get_frame(g_array_index(self->panels, DebyeFigurePanel, number).layout);
  Rooms *row = &rooms[number / columns], *column = &rooms[number % columns];
  row->legend_above |=
      debye_plot_layout_get_legend_place(g_array_index(self->panels, DebyeFigurePanel, number).layout)
          .is_above;
  debye_figure_get_panel_size(self, &width, &height);
  row->top = fmax(row->top, frame.y);
  row->bottom = fmax(row->bottom, height - frame.y - frame.height);
  column->left = fmax(column->left, frame.x);
  column->right = fmax(column->right, width - frame.x - frame.width);
}

static void
find_rooms(DebyeFigure *self, Rooms *rooms)
{
  for (guint i = 0; i < self->panels->len; i++)
    if (g_array_index(self->panels, DebyeFigurePanel, i).plot != NULL) {
      const gboolean legend_above = rooms[i / (guint)self->style.columns].legend_above;
      set_plot(self, &g_array_index(self->panels, DebyeFigurePanel, i),
               &(Rooms){.legend_above = legend_above});
      extend_rooms(self, i, rooms);
    }
}

/* The column with the widest labels sets the width of all frames; others leave what they need less free at their right. */
static void
share_width(const DebyeFigure *self, Rooms *columns)
{
  double widest = 0.0;
  const guint n_columns = MIN((guint)self->style.columns, self->panels->len);
  for (guint i = 0; i < n_columns; i++)
    widest = fmax(widest, columns[i].left + columns[i].right);
  for (guint i = 0; i < n_columns; i++)
    if (columns[i].left + columns[i].right > 0.0)
      columns[i].right = widest - columns[i].left;
}

void
debye_figure_lay_out(DebyeFigure *self)
{
  Rooms rooms[DEBYE_MAX_PANELS] = {{.left = 0.0}}; /* heights by row, widths by column */
  guint columns = (guint)self->style.columns;
  /* Again: what is above in one may be so in all of its row. */
  for (int i = 0; i < 2 && !self->is_laid_out; i++)
    find_rooms(self, rooms);
  share_width(self, rooms);
  for (guint i = 0; i < self->panels->len && !self->is_laid_out; i++) {
    const Rooms *row = &rooms[i / columns], *column = &rooms[i % columns];
    if (g_array_index(self->panels, DebyeFigurePanel, i).plot != NULL)
      set_plot(self, &g_array_index(self->panels, DebyeFigurePanel, i),
               &(Rooms){column->left, row->top, column->right, row->bottom, row->legend_above});
  }
  self->is_laid_out = TRUE;
}

/* --- Drawing --- */

char
debye_figure_get_letter(const DebyeFigure *self, guint number)
{
  return (char)((self->style.letters == DEBYE_LETTERS_LARGE ? 'A' : 'a') + (char)number);
}

/* With its anchor at the origin; NULL: the figure has none. */
DebyePlotDrawing *
debye_figure_create_letter(const DebyeFigure *self, guint number)
{
  if (!has_letters(self))
    return NULL;
  DebyePlotStyle style;
  debye_plot_style_init(&style, self->style.dark, 1.0);
  DebyePlotDrawing *drawing = debye_plot_drawing_new(0.0, 0.0);
  drawing->outlines = self->style.outlines;
  g_autofree char *markup = g_strdup_printf("<b>%c</b>", debye_figure_get_letter(self, number));
  debye_plot_drawing_add_text(drawing, self->style.dark ? style.ink : debye_plot_color_from_rgb(0x000000),
                              markup, LETTER_SIZE * debye_figure_get_text_scale(self), 0.0,
                              0.75 * debye_figure_get_letter_room(self), 0.0, FALSE);
  return drawing;
}

static void
draw_letter(const DebyeFigure *self, guint number, cairo_t *cr)
{
  g_autoptr(DebyePlotDrawing) letter = debye_figure_create_letter(self, number);
  if (letter != NULL)
    debye_plot_drawing_draw(letter, cr);
}

/* As large as it can be, in the middle of its panel: where it begins, and its scale. */
double
debye_figure_fit_picture(const DebyeFigure *self, cairo_surface_t *picture, double *x, double *y)
{
  double width, height, columns = cairo_image_surface_get_width(picture),
                        rows = cairo_image_surface_get_height(picture);
  debye_figure_get_panel_size(self, &width, &height);
  double scale = fmin(width / columns, height / rows);
  *x = 0.5 * (width - scale * columns);
  *y = 0.5 * (height - scale * rows);
  return scale;
}

static void
draw_picture(const DebyeFigure *self, cairo_surface_t *picture, cairo_t *cr)
{
  double x, y, scale = debye_figure_fit_picture(self, picture, &x, &y);
  cairo_save(cr);
  cairo_translate(cr, x, y);
  cairo_scale(cr, scale, scale);
  cairo_set_source_surface(cr, picture, 0.0, 0.0);
  cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_GOOD);
  cairo_paint(cr);
  cairo_restore(cr);
}

DebyePlotColor
debye_figure_get_page_color(const DebyeFigure *self)
{
  DebyePlotStyle style;
  debye_plot_style_init(&style, self->style.dark, 1.0);
  return style.background;
}

void
debye_figure_draw_page(const DebyeFigure *self, cairo_t *cr)
{
  const DebyePlotColor page = debye_figure_get_page_color(self);
  cairo_set_source_rgb(cr, (double)page.red, (double)page.green, (double)page.blue);
  cairo_paint(cr);
}

void
debye_figure_draw(DebyeFigure *self, cairo_t *cr)
{
  debye_figure_lay_out(self);
  for (guint i = 0; i < self->panels->len; i++) {
    const DebyeFigurePanel *panel = &g_array_index(self->panels, DebyeFigurePanel, i);
    double x, y;
    debye_figure_find_corner(self, i, &x, &y);
    cairo_save(cr);
    cairo_translate(cr, x, y);
    draw_letter(self, i, cr);
    cairo_translate(cr, 0.0, debye_figure_get_letter_room(self));
    if (panel->layout != NULL)
      debye_plot_drawing_draw(debye_plot_layout_get_drawing(panel->layout), cr);
    else if (panel->picture != NULL)
      draw_picture(self, panel->picture, cr);
    cairo_restore(cr);
  }
}
