/* SPDX-License-Identifier: MIT */
/* Saves a plot as SVG, PDF or PNG; called by the window and debye-cli. */
#include <math.h>

#include <cairo-pdf.h>

#include "data/files/error.h"
#include "data/files/replace_file.h"
#include "plot_cairo.h"
#include "plot_text.h"

#define POINTS_PER_INCH 72.0
/* Vector pages: curves are reduced to this, and heat maps are this fine at least. */
#define VECTOR_DPI 600.0
#define LARGEST_SIDE 32000.0

typedef gboolean (*SaveFunc)(DebyePlot *plot, const DebyePlotPage *page, GOutputStream *stream,
                             GError **error);

void
debye_plot_page_init(DebyePlotPage *page)
{
  *page = (DebyePlotPage){.width = 3.5 * POINTS_PER_INCH,
                          .height = 2.6 * POINTS_PER_INCH,
                          .scale = 1.0,
                          .dpi = 300.0,
                          .with_caption = TRUE};
}

static DebyePlotLayout *
set_page(DebyePlot *plot, const DebyePlotPage *page, double dpi)
{
  DebyePlotStyle style;
  debye_plot_style_init(&style, page->dark, page->scale);
  style.with_caption = page->with_caption;
  if (page->text_size > 0.0)
    debye_plot_style_set_text_size(&style, page->text_size);
  if (page->line_width > 0.0)
    debye_plot_style_set_line_width(&style, page->line_width);
  style.outlines = page->outlines;
  return debye_plot_layout_new(plot, &style, page->width, page->height, dpi / POINTS_PER_INCH, &page->legend);
}

static char *
plain_title(DebyePlot *plot)
{
  g_autofree char *x = debye_plot_text_to_plain(debye_plot_get_label(plot, DEBYE_PLOT_X));
  g_autofree char *y = debye_plot_text_to_plain(debye_plot_get_label(plot, DEBYE_PLOT_Y));
  return g_strdup_printf("%s over %s", y, x);
}

static gboolean
save_svg(DebyePlot *plot, const DebyePlotPage *page, GOutputStream *stream, GError **error)
{
  g_autoptr(DebyePlotLayout) layout = set_page(plot, page, VECTOR_DPI);
  g_autofree char *title = plain_title(plot);
  return debye_plot_drawing_save_svg(debye_plot_layout_get_drawing(layout), title, page->origin, stream,
                                     error);
}

/* cairo asks for its bytes to be taken, and knows no reasons. */
typedef struct {
  GOutputStream *stream;
  GError **error;
} Sink;

static cairo_status_t
write_bytes(void *data, const unsigned char *bytes, unsigned int n)
{
  Sink *sink = data;
  GError **error = sink->error != NULL && *sink->error == NULL ? sink->error : NULL;
  return g_output_stream_write_all(sink->stream, bytes, n, NULL, NULL, error) ? CAIRO_STATUS_SUCCESS
                                                                              : CAIRO_STATUS_WRITE_ERROR;
}

static gboolean
report(cairo_status_t status, GError **error)
{
  if (status == CAIRO_STATUS_SUCCESS)
    return TRUE;
  if (error != NULL && *error == NULL)
    debye_error_set(error, DEBYE_ERROR_WRITE, "the plot can't be written: %s",
                    cairo_status_to_string(status));
  return FALSE;
}

static gboolean
save_pdf(DebyePlot *plot, const DebyePlotPage *page, GOutputStream *stream, GError **error)
{
  Sink sink = {stream, error};
  g_autoptr(DebyePlotLayout) layout = set_page(plot, page, VECTOR_DPI);
  g_autofree char *title = plain_title(plot);
  cairo_surface_t *surface =
      cairo_pdf_surface_create_for_stream(write_bytes, &sink, page->width, page->height);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title);
  debye_plot_pdf_set_origin(surface, page->origin);
  cairo_t *cr = cairo_create(surface);
  debye_plot_drawing_draw(debye_plot_layout_get_drawing(layout), cr);
  cairo_status_t status = cairo_status(cr);
  cairo_destroy(cr);
  cairo_surface_finish(surface);
  status = status != CAIRO_STATUS_SUCCESS ? status : cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  return report(status, error);
}

/* The picture; NULL with an error. */
static cairo_surface_t *
render(DebyePlot *plot, const DebyePlotPage *page, GError **error)
{
  double scale = page->dpi / POINTS_PER_INCH;
  double width = round(page->width * scale), height = round(page->height * scale);
  if (!(width >= 1.0 && width <= LARGEST_SIDE && height >= 1.0 && height <= LARGEST_SIDE)) {
    debye_error_set(error, DEBYE_ERROR_VALUE, "a plot has 1 to %.0f pixels per side, found %.0f × %.0f",
                    LARGEST_SIDE, width, height);
    return NULL;
  }
  g_autoptr(DebyePlotLayout) layout = set_page(plot, page, page->dpi);
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)width, (int)height);
  cairo_t *cr = cairo_create(surface);
  /* The page first, which may end within the last pixels. */
  const DebyePlotColor page_color = debye_plot_drawing_get(debye_plot_layout_get_drawing(layout), 0)->ink;
  cairo_set_source_rgb(cr, (double)page_color.red, (double)page_color.green, (double)page_color.blue);
  cairo_paint(cr);
  cairo_scale(cr, scale, scale);
  debye_plot_drawing_draw(debye_plot_layout_get_drawing(layout), cr);
  cairo_status_t status = cairo_status(cr);
  cairo_destroy(cr);
  if (report(status, error))
    return surface;
  cairo_surface_destroy(surface);
  return NULL;
}

typedef gboolean (*PixelsFunc)(cairo_surface_t *picture, double dpi, const DebyePictureOrigin *origin,
                               GOutputStream *stream, GError **error);

static gboolean
save_pixels(DebyePlot *plot, const DebyePlotPage *page, PixelsFunc write, GOutputStream *stream,
            GError **error)
{
  cairo_surface_t *surface = render(plot, page, error);
  const gboolean saved = surface != NULL && write(surface, page->dpi, page->origin, stream, error);
  g_clear_pointer(&surface, cairo_surface_destroy);
  return saved;
}

static gboolean
save_png(DebyePlot *plot, const DebyePlotPage *page, GOutputStream *stream, GError **error)
{
  return save_pixels(plot, page, debye_plot_save_png, stream, error);
}

static gboolean
save_tiff(DebyePlot *plot, const DebyePlotPage *page, GOutputStream *stream, GError **error)
{
  return save_pixels(plot, page, debye_plot_save_tiff, stream, error);
}

static SaveFunc
find_writer(const char *path)
{
  static const struct {
    const char *suffix;
    SaveFunc save;
  } writers[] = {
      {".svg", save_svg}, {".pdf", save_pdf}, {".png", save_png}, {".tiff", save_tiff}, {".tif", save_tiff}};
  g_autofree char *lower = g_ascii_strdown(path, -1);
  for (gsize i = 0; i < G_N_ELEMENTS(writers); i++)
    if (g_str_has_suffix(lower, writers[i].suffix))
      return writers[i].save;
  return NULL;
}

gboolean
debye_plot_can_save(const char *path)
{
  return find_writer(path) != NULL;
}

gboolean
debye_plot_save(DebyePlot *plot, const DebyePlotPage *page, const char *path, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(plot) && page != NULL && path != NULL, FALSE);
  g_autoptr(GError) cause = NULL;
  g_autofree char *name = debye_error_name_file(path);
  SaveFunc save = find_writer(path);
  if (save == NULL)
    return debye_error_set(error, DEBYE_ERROR_WRITE,
                           "%s: expected a name that ends in .svg, .pdf, .png or .tiff, found another", name);
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, error);
  if (file == NULL)
    return FALSE;
  if (save(plot, page, debye_replace_file_get_stream(file), &cause))
    return debye_replace_file_commit(g_steal_pointer(&file), error);
  return debye_error_set(error, DEBYE_ERROR_WRITE, "%s: %s", name, cause->message);
}

GBytes *
debye_plot_save_bytes(DebyePlot *plot, const DebyePlotPage *page, const char *ending, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(plot) && page != NULL && debye_plot_can_save(ending), NULL);
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  if (!find_writer(ending)(plot, page, stream, error) || !g_output_stream_close(stream, NULL, error))
    return NULL;
  return g_memory_output_stream_steal_as_bytes(G_MEMORY_OUTPUT_STREAM(stream));
}
