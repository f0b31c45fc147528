/* SPDX-License-Identifier: MIT */
/* Writes a figure as PDF, PNG, TIFF or SVG; part of figure.h. */
#include "figure_private.h"

#include <math.h>

#include <cairo-pdf.h>

#include "data/files/error.h"
#include "data/files/replace_file.h"
#include "plot_cairo.h"

#define LARGEST_SIDE 32000.0 /* pixels */
#define SLACK 1e-6           /* of pixels; sides in points are rounded */

/* cairo asks for its bytes to be taken, and knows no reasons. */
typedef struct {
  GOutputStream *stream;
  GError *error;
} Sink;

static cairo_status_t
write_bytes(void *data, const unsigned char *bytes, unsigned int n)
{
  Sink *sink = data;
  return sink->error == NULL && g_output_stream_write_all(sink->stream, bytes, n, NULL, NULL, &sink->error)
             ? CAIRO_STATUS_SUCCESS
             : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_status_t
save_pdf(DebyeFigure *self, Sink *sink)
{
  double width, height;
  debye_figure_get_size(self, &width, &height);
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(write_bytes, sink, width, height);
  debye_plot_pdf_set_origin(surface, self->style.origin);
  cairo_t *cr = cairo_create(surface);
  if (self->style.dark)
    debye_figure_draw_page(self, cr);
  debye_figure_draw(self, cr);
  cairo_status_t status = cairo_status(cr);
  cairo_destroy(cr);
  cairo_surface_finish(surface);
  status = status != CAIRO_STATUS_SUCCESS ? status : cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  return status;
}

static cairo_status_t
save_pixels(DebyeFigure *self, Sink *sink,
            gboolean (*write)(cairo_surface_t *, double, const DebyePictureOrigin *, GOutputStream *,
                              GError **))
{
  double width, height, scale = self->style.dpi / DEBYE_FIGURE_POINTS_PER_INCH;
  debye_figure_get_size(self, &width, &height);
  if (fmax(width, height) * scale > LARGEST_SIDE + SLACK)
    return CAIRO_STATUS_INVALID_SIZE;
  /* As large as a view or a plot of the same size. */
  cairo_surface_t *surface = cairo_image_surface_create(
      CAIRO_FORMAT_RGB24, MAX(1, (int)lround(width * scale)), MAX(1, (int)lround(height * scale)));
  cairo_t *cr = cairo_create(surface);
  debye_figure_draw_page(self, cr);
  cairo_scale(cr, scale, scale);
  debye_figure_draw(self, cr);
  cairo_status_t status = cairo_status(cr);
  cairo_destroy(cr);
  if (status == CAIRO_STATUS_SUCCESS &&
      !write(surface, self->style.dpi, self->style.origin, sink->stream, &sink->error))
    status = CAIRO_STATUS_WRITE_ERROR;
  cairo_surface_destroy(surface);
  return status;
}

static cairo_status_t
save_png(DebyeFigure *self, Sink *sink)
{
  return save_pixels(self, sink, debye_plot_save_png);
}

static cairo_status_t
save_tiff(DebyeFigure *self, Sink *sink)
{
  return save_pixels(self, sink, debye_plot_save_tiff);
}

static void
put_letter(const DebyeFigure *self, guint number, double x, double y, GString *svg)
{
  g_autoptr(DebyePlotDrawing) letter = debye_figure_create_letter(self, number);
  g_autofree char *id = g_strdup_printf("letter-%c", debye_figure_get_letter(self, number));
  if (letter != NULL)
    debye_plot_svg_add_drawing(svg, letter, id, x, y);
}

static void
put_panel(const DebyeFigure *self, guint number, GString *svg)
{
  const DebyeFigurePanel *panel = &g_array_index(self->panels, DebyeFigurePanel, number);
  double x, y, left, top;
  g_autofree char *id = g_strdup_printf("panel-%c", debye_figure_get_letter(self, number));
  debye_figure_find_corner(self, number, &x, &y);
  put_letter(self, number, x, y, svg);
  y += debye_figure_get_letter_room(self);
  if (panel->layout != NULL)
    debye_plot_svg_add_drawing(svg, debye_plot_layout_get_drawing(panel->layout), id, x, y);
  if (panel->picture == NULL)
    return;
  double scale = debye_figure_fit_picture(self, panel->picture, &left, &top);
  debye_plot_svg_add_picture(svg, panel->picture, id, x + left, y + top,
                             scale * cairo_image_surface_get_width(panel->picture),
                             scale * cairo_image_surface_get_height(panel->picture));
}

static cairo_status_t
save_svg(DebyeFigure *self, Sink *sink)
{
  double width, height;
  g_autoptr(GString) svg = g_string_new(NULL);
  debye_figure_lay_out(self);
  debye_figure_get_size(self, &width, &height);
  debye_plot_svg_begin(svg, width, height, self->style.origin != NULL ? self->style.origin->title : NULL);
  debye_plot_svg_put_origin(svg, self->style.origin);
  g_autoptr(DebyePlotDrawing) page = debye_plot_drawing_new(width, height);
  debye_plot_drawing_add_rectangle(page, debye_figure_get_page_color(self), 0.0, 0.0, width, height);
  if (self->style.dark)
    debye_plot_svg_add_drawing(svg, page, "page", 0.0, 0.0);
  for (guint i = 0; i < self->panels->len; i++)
    put_panel(self, i, svg);
  return debye_plot_svg_end(svg, sink->stream, &sink->error) ? CAIRO_STATUS_SUCCESS
                                                             : CAIRO_STATUS_WRITE_ERROR;
}

typedef cairo_status_t (*SaveFunc)(DebyeFigure *self, Sink *sink);

static SaveFunc
find_writer(const char *path)
{
  static const struct {
    const char *suffix;
    SaveFunc save;
  } writers[] = {
      {".pdf", save_pdf}, {".png", save_png}, {".svg", save_svg}, {".tiff", save_tiff}, {".tif", save_tiff}};
  g_autofree char *lower = g_ascii_strdown(path, -1);
  for (gsize i = 0; i < G_N_ELEMENTS(writers); i++)
    if (g_str_has_suffix(lower, writers[i].suffix))
      return writers[i].save;
  return NULL;
}

gboolean
debye_figure_save(DebyeFigure *self, const char *path, GError **error)
{
  const SaveFunc save = find_writer(path);
  g_autofree char *name = debye_error_name_file(path);
  if (save == NULL)
    return debye_error_set(error, DEBYE_ERROR_WRITE,
                           "%s: expected a name that ends in .svg, .pdf, .png or .tiff, found another", name);
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, error);
  if (file == NULL)
    return FALSE;
  Sink sink = {debye_replace_file_get_stream(file), NULL};
  cairo_status_t status = save(self, &sink);
  if (status == CAIRO_STATUS_SUCCESS)
    return debye_replace_file_commit(g_steal_pointer(&file), error);
  debye_error_set(error, DEBYE_ERROR_WRITE, "%s: the figure can't be written: %s", name,
                  sink.error != NULL ? sink.error->message : cairo_status_to_string(status));
  g_clear_error(&sink.error);
  return FALSE;
}
