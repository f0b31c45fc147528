/* SPDX-License-Identifier: MIT */
/* SVG with its texts as texts: cairo would turn them into outlines, which no one can search, select or edit. */
#include <math.h>
#include <string.h>

#include "plot_cairo.h"
#include "plot_text.h"

/* Hundredths of a point: finer than any printer. */
static void
put_number(GString *svg, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE + 16];
  g_ascii_formatd(digits, sizeof digits, "%.2f", value);
  char *end = digits + strlen(digits);
  while (end > digits && end[-1] == '0')
    *--end = '\0';
  if (end > digits && end[-1] == '.')
    *--end = '\0';
  g_string_append(svg, strcmp(digits, "-0") == 0 ? "0" : digits);
}

static void
put_attribute(GString *svg, const char *name, double value)
{
  g_string_append_printf(svg, " %s=\"", name);
  put_number(svg, value);
  g_string_append_c(svg, '"');
}

static void
put_color(GString *svg, const char *name, DebyePlotColor ink)
{
  g_string_append_printf(svg, " %s=\"#%02x%02x%02x\"", name, (guint)lroundf(255.0f * ink.red),
                         (guint)lroundf(255.0f * ink.green), (guint)lroundf(255.0f * ink.blue));
  if (ink.alpha < 1.0f) {
    g_autofree char *opacity = g_strconcat(name, "-opacity", NULL);
    put_attribute(svg, opacity, (double)ink.alpha);
  }
}

static void
put_rectangle(GString *svg, const DebyeDrawItem *item)
{
  g_string_append(svg, "<rect");
  put_attribute(svg, "x", (double)item->x);
  put_attribute(svg, "y", (double)item->y);
  put_attribute(svg, "width", (double)item->w);
  put_attribute(svg, "height", (double)item->h);
  put_color(svg, "fill", item->ink);
  g_string_append(svg, "/>\n");
}

static void
put_point(GString *svg, char command, float x, float y)
{
  g_string_append_c(svg, command);
  put_number(svg, (double)x);
  g_string_append_c(svg, ' ');
  put_number(svg, (double)y);
}

static void
begin_stroke(GString *svg, const DebyeDrawItem *item, const char *ends)
{
  g_string_append_printf(svg, "<path fill=\"none\" stroke-linecap=\"%s\" stroke-linejoin=\"round\"", ends);
  put_color(svg, "stroke", item->ink);
  put_attribute(svg, "stroke-width", (double)item->width);
  if (item->dash > 0.0f) {
    g_string_append(svg, " stroke-dasharray=\"");
    put_number(svg, (double)item->dash);
    g_string_append_c(svg, ' ');
    put_number(svg, (double)item->gap * (item->has_dots ? 0.5 : 1.0));
    if (item->has_dots) {
      g_string_append(svg, " 0.01 ");
      put_number(svg, 0.5 * (double)item->gap);
    }
    g_string_append_c(svg, '"');
  }
  g_string_append(svg, " d=\"");
}

static void
put_line(GString *svg, const DebyeDrawItem *item, const float *values)
{
  gboolean begins = TRUE;
  begin_stroke(svg, item, "round");
  for (gsize i = 0; i + 3 <= item->n_values; i += 3) {
    if (values[i] < DEBYE_DRAW_BREAK)
      put_point(svg, begins ? 'M' : 'L', values[i], values[i + 1]);
    begins = values[i] >= DEBYE_DRAW_BREAK;
  }
  g_string_append(svg, "\"/>\n");
}

static void
put_segments(GString *svg, const DebyeDrawItem *item, const float *values)
{
  begin_stroke(svg, item, "butt");
  for (gsize i = 0; i + 4 <= item->n_values; i += 4) {
    put_point(svg, 'M', values[i], values[i + 1]);
    put_point(svg, 'L', values[i + 2], values[i + 3]);
  }
  g_string_append(svg, "\"/>\n");
}

static void
put_band_piece(GString *svg, const float *values, gsize first, gsize end)
{
  for (gsize i = first; i < end; i += 3)
    put_point(svg, i == first ? 'M' : 'L', values[i], values[i + 2]);
  for (gsize i = end; i > first; i -= 3)
    put_point(svg, 'L', values[i - 3], values[i - 2]);
  if (end > first)
    g_string_append_c(svg, 'Z');
}

static void
put_band(GString *svg, const DebyeDrawItem *item, const float *values)
{
  gsize first = 0;
  g_string_append(svg, "<path");
  put_color(svg, "fill", item->ink);
  g_string_append(svg, " d=\"");
  for (gsize i = 0; i + 3 <= item->n_values; i += 3)
    if (values[i] >= DEBYE_DRAW_BREAK) {
      put_band_piece(svg, values, first, i);
      first = i + 3;
    }
  put_band_piece(svg, values, first, item->n_values);
  g_string_append(svg, "\"/>\n");
}

static void
put_markers(GString *svg, const DebyeDrawItem *item, const float *values)
{
  gsize n;
  const float(*corners)[2] = debye_plot_marker_get_corners(item->marker, &n);
  float radius = 0.5f * item->size;
  g_string_append(svg, "<g");
  put_color(svg, "fill", item->ink);
  g_string_append(svg, ">\n");
  for (gsize i = 0; i + 2 <= item->n_values; i += 2) {
    g_string_append(svg, n == 0 ? "<circle" : "<path d=\"");
    if (n == 0) {
      put_attribute(svg, "cx", (double)values[i]);
      put_attribute(svg, "cy", (double)values[i + 1]);
      put_attribute(svg, "r", (double)radius);
      g_string_append(svg, "/>\n");
      continue;
    }
    for (gsize k = 0; k < n; k++)
      put_point(svg, k == 0 ? 'M' : 'L', values[i] + radius * corners[k][0],
                values[i + 1] + radius * corners[k][1]);
    g_string_append(svg, "Z\"/>\n");
  }
  g_string_append(svg, "</g>\n");
}

static cairo_status_t
append_bytes(void *data, const unsigned char *bytes, unsigned int n)
{
  g_byte_array_append(data, bytes, n);
  return CAIRO_STATUS_SUCCESS;
}

/* As PNG within the file. */
static void
put_picture(GString *svg, cairo_surface_t *surface, double x, double y, double width, double height,
            gboolean has_cells)
{
  g_autoptr(GByteArray) png = g_byte_array_new();
  cairo_surface_write_to_png_stream(surface, append_bytes, png);
  g_autofree char *text = g_base64_encode(png->data, png->len);
  g_string_append_printf(svg, "<image preserveAspectRatio=\"none\"%s",
                         has_cells ? " image-rendering=\"pixelated\"" : "");
  put_attribute(svg, "x", x);
  put_attribute(svg, "y", y);
  put_attribute(svg, "width", width);
  put_attribute(svg, "height", height);
  g_string_append_printf(svg, " xlink:href=\"data:image/png;base64,%s\"/>\n", text);
}

static void
put_image(GString *svg, const DebyeDrawItem *item)
{
  cairo_surface_t *surface =
      cairo_image_surface_create_for_data((guint8 *)g_bytes_get_data(item->pixels, NULL), CAIRO_FORMAT_ARGB32,
                                          item->columns, item->rows, 4 * item->columns);
  put_picture(svg, surface, (double)item->x, (double)item->y, (double)item->w, (double)item->h, TRUE);
  cairo_surface_finish(surface);
  cairo_surface_destroy(surface);
}

/* A script is moved from where the text before it stood, and the text after it back: SVG keeps the place. */
static void
put_run(GString *svg, const DebyePlotRun *run, double size, double *shift)
{
  double wanted = run->script > 0   ? -DEBYE_PLOT_SUPERSCRIPT_RISE * size
                  : run->script < 0 ? -DEBYE_PLOT_SUBSCRIPT_RISE * size
                                    : 0.0;
  g_autofree char *escaped = g_markup_escape_text(run->text, -1);
  gboolean plain = run->script == 0 && !run->italic && !run->bold && wanted == *shift;
  if (plain) {
    g_string_append(svg, escaped);
    return;
  }
  g_string_append(svg, "<tspan");
  if (wanted != *shift)
    put_attribute(svg, "dy", wanted - *shift);
  if (run->script != 0)
    put_attribute(svg, "font-size", DEBYE_PLOT_SCRIPT_SIZE * size);
  g_string_append_printf(svg, "%s%s>%s</tspan>", run->italic ? " font-style=\"italic\"" : "",
                         run->bold ? " font-weight=\"bold\"" : "", escaped);
  *shift = wanted;
}

static void
put_text(GString *svg, const DebyeDrawItem *item)
{
  static const char *const anchors[] = {"start", "middle", "end"};
  double shift = 0.0;
  g_autoptr(GPtrArray) runs = debye_plot_text_parse(item->markup);
  g_string_append_printf(svg, "<text text-anchor=\"%s\"", anchors[lroundf(2.0f * item->align)]);
  put_attribute(svg, "x", item->upwards ? 0.0 : (double)item->x);
  put_attribute(svg, "y", item->upwards ? 0.0 : (double)item->y);
  if (item->upwards) {
    g_string_append(svg, " transform=\"translate(");
    put_number(svg, (double)item->x);
    g_string_append_c(svg, ' ');
    put_number(svg, (double)item->y);
    g_string_append(svg, ") rotate(-90)\"");
  }
  put_attribute(svg, "font-size", (double)item->size);
  put_color(svg, "fill", item->ink);
  g_string_append_c(svg, '>');
  for (guint i = 0; i < runs->len; i++)
    put_run(svg, runs->pdata[i], (double)item->size, &shift);
  g_string_append(svg, "</text>\n");
}

/* Without the font of the text. */
static void
put_outlines(GString *svg, const DebyeDrawItem *item)
{
  cairo_surface_t *surface = cairo_recording_surface_create(CAIRO_CONTENT_ALPHA, NULL);
  cairo_t *cr = cairo_create(surface);
  cairo_translate(cr, (double)item->x, (double)item->y);
  if (item->upwards)
    cairo_rotate(cr, -G_PI_2);
  cairo_translate(cr, -(double)(item->align * item->text_width), 0.0);
  debye_plot_text_trace(cr, item->markup, (double)item->size);
  cairo_identity_matrix(cr);
  cairo_path_t *path = cairo_copy_path(cr);
  g_string_append(svg, "<path");
  put_color(svg, "fill", item->ink);
  g_string_append(svg, " d=\"");
  for (int i = 0; i < path->num_data; i += path->data[i].header.length) {
    const cairo_path_data_t *part = &path->data[i];
    g_string_append_c(svg, "MLCZ"[part->header.type]);
    for (int k = 1; k < part->header.length; k++) {
      put_number(svg, part[k].point.x);
      g_string_append_c(svg, ' ');
      put_number(svg, part[k].point.y);
      g_string_append_c(svg, ' ');
    }
  }
  g_string_append(svg, "\"/>\n");
  cairo_path_destroy(path);
  cairo_destroy(cr);
  cairo_surface_destroy(surface);
}

static void
put_item(GString *svg, const DebyePlotDrawing *drawing, const DebyeDrawItem *item)
{
  const float *values = item->n_values > 0 ? debye_plot_drawing_values(drawing, item) : NULL;
  gboolean has_values = item->n_values > 0;
  if (item->kind == DEBYE_DRAW_RECTANGLE)
    put_rectangle(svg, item);
  else if (item->kind == DEBYE_DRAW_IMAGE)
    put_image(svg, item);
  else if (item->kind == DEBYE_DRAW_TEXT)
    (drawing->outlines ? put_outlines : put_text)(svg, item);
  else if (item->kind == DEBYE_DRAW_LINE && has_values)
    put_line(svg, item, values);
  else if (item->kind == DEBYE_DRAW_SEGMENTS && has_values)
    put_segments(svg, item, values);
  else if (item->kind == DEBYE_DRAW_BAND && has_values)
    put_band(svg, item, values);
  else if (item->kind == DEBYE_DRAW_MARKERS && has_values)
    put_markers(svg, item, values);
}

/* What stands in the frame has a group of its own, and its part of a curve is named after that. */
static void
put_items(GString *svg, const DebyePlotDrawing *drawing, const char *id)
{
  for (guint i = 0; i < drawing->items->len; i++) {
    const DebyeDrawItem *item = debye_plot_drawing_get(drawing, i);
    if (item->clipped) {
      g_string_append_printf(svg, "<g clip-path=\"url(#%s-frame)\"", id);
      if (item->series > 0)
        g_string_append_printf(svg, " id=\"%s-curve-%u-%s\"", id, item->series,
                               item->kind == DEBYE_DRAW_LINE      ? "line"
                               : item->kind == DEBYE_DRAW_BAND    ? "band"
                               : item->kind == DEBYE_DRAW_MARKERS ? "points"
                                                                  : "errors");
      g_string_append(svg, ">\n");
    }
    put_item(svg, drawing, item);
    g_string_append(svg, item->clipped ? "</g>\n" : "");
  }
}

void
debye_plot_svg_begin(GString *svg, double width, double height, const char *title)
{
  g_string_append(svg,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
                  "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\" width=\"");
  put_number(svg, width);
  g_string_append(svg, "pt\" height=\"");
  put_number(svg, height);
  g_string_append(svg, "pt\" viewBox=\"0 0 ");
  put_number(svg, width);
  g_string_append_c(svg, ' ');
  put_number(svg, height);
  g_string_append(svg, "\" font-family=\"" DEBYE_PLOT_FONT "\" xml:space=\"preserve\">\n");
  g_autofree char *escaped = g_markup_escape_text(title != NULL ? title : "", -1);
  if (*escaped != '\0')
    g_string_append_printf(svg, "<title>%s</title>\n", escaped);
}

void
debye_plot_svg_add_drawing(GString *svg, const DebyePlotDrawing *drawing, const char *id, double x, double y)
{
  g_string_append_printf(svg, "<g id=\"%s\"", id);
  if (x != 0.0 || y != 0.0) {
    g_string_append(svg, " transform=\"translate(");
    put_number(svg, x);
    g_string_append_c(svg, ' ');
    put_number(svg, y);
    g_string_append(svg, ")\"");
  }
  g_string_append_printf(svg, ">\n<clipPath id=\"%s-frame\"><rect", id);
  put_attribute(svg, "x", drawing->clip_x);
  put_attribute(svg, "y", drawing->clip_y);
  put_attribute(svg, "width", drawing->clip_width);
  put_attribute(svg, "height", drawing->clip_height);
  g_string_append(svg, "/></clipPath>\n");
  put_items(svg, drawing, id);
  g_string_append(svg, "</g>\n");
  if (drawing->inset != NULL) {
    g_autofree char *name = g_strconcat(id, "-inset", NULL);
    debye_plot_svg_add_drawing(svg, drawing->inset, name, x + drawing->inset_x, y + drawing->inset_y);
  }
  if (drawing->below != NULL) {
    g_autofree char *name = g_strconcat(id, "-below", NULL);
    debye_plot_svg_add_drawing(svg, drawing->below, name, x, y + drawing->below_y);
  }
}

void
debye_plot_svg_add_picture(GString *svg, cairo_surface_t *picture, const char *id, double x, double y,
                           double width, double height)
{
  g_string_append_printf(svg, "<g id=\"%s\">\n", id);
  put_picture(svg, picture, x, y, width, height, FALSE);
  g_string_append(svg, "</g>\n");
}

void
debye_plot_svg_put_origin(GString *svg, const DebyePictureOrigin *origin)
{
  g_autofree char *text = origin != NULL ? debye_picture_origin_to_text(origin) : NULL;
  g_autofree char *escaped = text != NULL ? g_markup_escape_text(text, -1) : NULL;
  if (escaped != NULL)
    g_string_append_printf(svg, "<metadata id=\"debye-origin\">%s</metadata>\n", escaped);
}

gboolean
debye_plot_svg_end(GString *svg, GOutputStream *stream, GError **error)
{
  g_string_append(svg, "</svg>\n");
  return g_output_stream_write_all(stream, svg->str, svg->len, NULL, NULL, error);
}

gboolean
debye_plot_drawing_save_svg(const DebyePlotDrawing *drawing, const char *title,
                            const DebyePictureOrigin *origin, GOutputStream *stream, GError **error)
{
  g_autoptr(GString) svg = g_string_new(NULL);
  debye_plot_svg_begin(svg, drawing->width, drawing->height, title);
  debye_plot_svg_put_origin(svg, origin);
  debye_plot_svg_add_drawing(svg, drawing, "plot", 0.0, 0.0);
  return debye_plot_svg_end(svg, stream, error);
}
