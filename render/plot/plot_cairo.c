/* SPDX-License-Identifier: MIT */
/* Draws a plot's drawing with cairo: on the screen without OpenGL, into PDF and PNG, in figures. */
#include "plot_cairo.h"

#include <cairo-pdf.h>

#include "plot_text.h"

static void
set_color(cairo_t *cr, DebyePlotColor ink)
{
  cairo_set_source_rgba(cr, (double)ink.red, (double)ink.green, (double)ink.blue, (double)ink.alpha);
}

static void
draw_rectangle(cairo_t *cr, const DebyeDrawItem *item)
{
  set_color(cr, item->ink);
  cairo_rectangle(cr, (double)item->x, (double)item->y, (double)item->w, (double)item->h);
  cairo_fill(cr);
}

static void
set_dash(cairo_t *cr, const DebyeDrawItem *item)
{
  const double gap = (double)item->gap * (item->has_dots ? 0.5 : 1.0);
  /* cairo draws nothing of a dash of no length. */
  const double dashes[] = {(double)item->dash, gap, 0.01, gap};
  cairo_set_dash(cr, dashes, !(item->dash > 0.0f) ? 0 : item->has_dots ? 4 : 2, 0.0);
}

/* Each piece is stroked by itself: cairo's time for a path with many crossings grows faster than its length. */
static void
draw_line(cairo_t *cr, const DebyeDrawItem *item, const float *values)
{
  set_color(cr, item->ink);
  cairo_set_line_width(cr, (double)item->width);
  cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
  set_dash(cr, item);
  gboolean begins = TRUE;
  for (gsize i = 0; i + 3 <= item->n_values; i += 3) {
    if (values[i] >= DEBYE_DRAW_BREAK) {
      cairo_stroke(cr);
      begins = TRUE;
    } else if (begins) {
      cairo_move_to(cr, (double)values[i], (double)values[i + 1]);
      begins = FALSE;
    } else {
      cairo_line_to(cr, (double)values[i], (double)values[i + 1]);
    }
  }
  cairo_stroke(cr);
  cairo_set_dash(cr, NULL, 0, 0.0);
}

static void
draw_segments(cairo_t *cr, const DebyeDrawItem *item, const float *values)
{
  set_color(cr, item->ink);
  cairo_set_line_width(cr, (double)item->width);
  cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
  for (gsize i = 0; i + 4 <= item->n_values; i += 4) {
    cairo_move_to(cr, (double)values[i], (double)values[i + 1]);
    cairo_line_to(cr, (double)values[i + 2], (double)values[i + 3]);
  }
  cairo_stroke(cr);
}

/* From `first` to `end` along the upper edge and back along the lower one. */
static void
draw_band_piece(cairo_t *cr, const float *values, gsize first, gsize end)
{
  for (gsize i = first; i < end; i += 3)
    cairo_line_to(cr, (double)values[i], (double)values[i + 2]);
  for (gsize i = end; i > first; i -= 3)
    cairo_line_to(cr, (double)values[i - 3], (double)values[i - 2]);
  cairo_close_path(cr);
  cairo_fill(cr);
}

static void
draw_band(cairo_t *cr, const DebyeDrawItem *item, const float *values)
{
  gsize first = 0;
  set_color(cr, item->ink);
  for (gsize i = 0; i + 3 <= item->n_values; i += 3)
    if (values[i] >= DEBYE_DRAW_BREAK) {
      draw_band_piece(cr, values, first, i);
      first = i + 3;
    }
  draw_band_piece(cr, values, first, item->n_values);
}

static void
trace_marker(cairo_t *cr, DebyePlotMarker marker, double x, double y, double radius)
{
  gsize n;
  const float(*corners)[2] = debye_plot_marker_get_corners(marker, &n);
  cairo_new_sub_path(cr);
  if (n == 0)
    cairo_arc(cr, x, y, radius, 0.0, 2.0 * G_PI);
  for (gsize i = 0; i < n; i++)
    cairo_line_to(cr, x + radius * (double)corners[i][0], y + radius * (double)corners[i][1]);
  cairo_close_path(cr);
}

static void
draw_markers(cairo_t *cr, const DebyeDrawItem *item, const float *values)
{
  set_color(cr, item->ink);
  for (gsize i = 0; i + 2 <= item->n_values; i += 2) {
    trace_marker(cr, item->marker, (double)values[i], (double)values[i + 1], 0.5 * (double)item->size);
    cairo_fill(cr);
  }
}

static void
draw_image(cairo_t *cr, const DebyeDrawItem *item)
{
  /* cairo may not write to it, but wants it writable. */
  guint8 *pixels = (guint8 *)g_bytes_get_data(item->pixels, NULL);
  cairo_surface_t *surface = cairo_image_surface_create_for_data(pixels, CAIRO_FORMAT_ARGB32, item->columns,
                                                                 item->rows, 4 * item->columns);
  cairo_save(cr);
  cairo_translate(cr, (double)item->x, (double)item->y);
  cairo_scale(cr, (double)item->w / item->columns, (double)item->h / item->rows);
  cairo_set_source_surface(cr, surface, 0.0, 0.0);
  cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
  cairo_rectangle(cr, 0.0, 0.0, item->columns, item->rows);
  cairo_fill(cr);
  cairo_restore(cr);
  cairo_surface_finish(surface);
  cairo_surface_destroy(surface);
}

static void
draw_text(cairo_t *cr, const DebyeDrawItem *item, gboolean as_shape)
{
  cairo_save(cr);
  set_color(cr, item->ink);
  cairo_translate(cr, (double)item->x, (double)item->y);
  if (item->upwards)
    cairo_rotate(cr, -G_PI_2);
  cairo_translate(cr, -(double)(item->align * item->text_width), 0.0);
  if (as_shape) {
    debye_plot_text_trace(cr, item->markup, (double)item->size);
    cairo_fill(cr);
  } else {
    debye_plot_text_draw(cr, item->markup, (double)item->size);
  }
  cairo_restore(cr);
}

static void
draw_item(const DebyePlotDrawing *drawing, const DebyeDrawItem *item, cairo_t *cr)
{
  const float *values = item->n_values > 0 ? debye_plot_drawing_values(drawing, item) : NULL;
  switch (item->kind) {
  case DEBYE_DRAW_RECTANGLE:
    draw_rectangle(cr, item);
    break;
  case DEBYE_DRAW_LINE:
    draw_line(cr, item, values);
    break;
  case DEBYE_DRAW_SEGMENTS:
    draw_segments(cr, item, values);
    break;
  case DEBYE_DRAW_BAND:
    draw_band(cr, item, values);
    break;
  case DEBYE_DRAW_MARKERS:
    draw_markers(cr, item, values);
    break;
  case DEBYE_DRAW_IMAGE:
    draw_image(cr, item);
    break;
  case DEBYE_DRAW_TEXT:
    draw_text(cr, item, drawing->outlines);
    break;
  }
}

static void
draw_at(const DebyePlotDrawing *drawing, cairo_t *cr, double x, double y)
{
  cairo_save(cr);
  cairo_translate(cr, x, y);
  debye_plot_drawing_draw(drawing, cr);
  cairo_restore(cr);
}

void
debye_plot_drawing_draw(const DebyePlotDrawing *drawing, cairo_t *cr)
{
  for (guint i = 0; i < drawing->items->len; i++) {
    const DebyeDrawItem *item = debye_plot_drawing_get(drawing, i);
    cairo_save(cr);
    if (item->clipped) {
      cairo_rectangle(cr, drawing->clip_x, drawing->clip_y, drawing->clip_width, drawing->clip_height);
      cairo_clip(cr);
    }
    draw_item(drawing, item, cr);
    cairo_restore(cr);
  }
  if (drawing->inset != NULL)
    draw_at(drawing->inset, cr, drawing->inset_x, drawing->inset_y);
  if (drawing->below != NULL)
    draw_at(drawing->below, cr, 0.0, drawing->below_y);
}

void
debye_plot_pdf_set_origin(cairo_surface_t *surface, const DebyePictureOrigin *origin)
{
  if (origin == NULL)
    return;
  g_autofree char *software = debye_picture_origin_get_software();
  g_autofree char *inputs = debye_picture_origin_list_inputs(origin);
  if (origin->title != NULL)
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, origin->title);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, software);
  if (origin->command != NULL)
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, origin->command);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_KEYWORDS, inputs);
}
