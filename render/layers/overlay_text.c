/* SPDX-License-Identifier: MIT */
/* Draws texts and colour bars for legends and overlays: by pango in the user's sans-serif font, with a halo
 * of the opposite brightness. */
#include "overlay_text.h"

#include <math.h>

#include <pango/pangocairo.h>

#define BAR_WIDTH 13.0
#define BAR_LENGTH 168.0
#define GAP 6.0

static PangoLayout *
make_layout(cairo_t *cr, const char *text)
{
  PangoLayout *layout = pango_cairo_create_layout(cr);
  PangoFontDescription *font = pango_font_description_from_string("Cantarell, Inter, Sans");
  pango_font_description_set_absolute_size(font, DEBYE_OVERLAY_FONT_SIZE * PANGO_SCALE);
  pango_layout_set_font_description(layout, font);
  pango_layout_set_text(layout, text, -1);
  pango_font_description_free(font);
  return layout;
}

/* A surface to measure on where there is none to draw on. */
static cairo_t *
measuring_context(void)
{
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cr = cairo_create(surface);
  cairo_surface_destroy(surface);
  return cr;
}

void
debye_overlay_text_measure(const char *text, double *width, double *height)
{
  cairo_t *cr = measuring_context();
  PangoLayout *layout = make_layout(cr, text);
  int w, h;
  pango_layout_get_size(layout, &w, &h);
  *width = (double)w / PANGO_SCALE;
  *height = (double)h / PANGO_SCALE;
  g_object_unref(layout);
  cairo_destroy(cr);
}

static void
set_halo(cairo_t *cr, const double text_color[4])
{
  double halo = 0.3 * text_color[0] + 0.6 * text_color[1] + 0.1 * text_color[2] > 0.5 ? 0.0 : 1.0;
  cairo_set_source_rgba(cr, halo, halo, halo, 0.85 * text_color[3]);
}

void
debye_overlay_text_draw(cairo_t *cr, const char *text, double x, double y, double align_x, double align_y,
                        const double text_color[4])
{
  PangoLayout *layout = make_layout(cr, text);
  int width, height;
  pango_layout_get_size(layout, &width, &height);
  cairo_save(cr);
  cairo_new_path(cr);
  cairo_move_to(cr, x - align_x * width / PANGO_SCALE, y - align_y * height / PANGO_SCALE);
  pango_cairo_layout_path(cr, layout);
  set_halo(cr, text_color);
  cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_width(cr, 2.5);
  cairo_stroke_preserve(cr);
  cairo_set_source_rgb(cr, text_color[0], text_color[1], text_color[2]);
  cairo_fill(cr);
  cairo_restore(cr);
  g_object_unref(layout);
}

void
debye_overlay_text_stroke(cairo_t *cr, double width, const double text_color[4])
{
  cairo_save(cr);
  set_halo(cr, text_color);
  cairo_set_line_width(cr, width + 1.6);
  cairo_stroke_preserve(cr);
  cairo_set_source_rgb(cr, text_color[0], text_color[1], text_color[2]);
  cairo_set_line_width(cr, width);
  cairo_stroke(cr);
  cairo_restore(cr);
}

double
debye_overlay_text_round_step(double largest)
{
  if (!(largest > 0.0 && isfinite(largest)))
    return 1.0;
  double power = pow(10.0, floor(log10(largest)));
  double factor = largest / power;
  return power * (factor >= 5.0 ? 5.0 : factor >= 2.0 ? 2.0 : 1.0);
}

char *
debye_overlay_text_format_number(double value, double step)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  double size = fmax(fabs(value), fabs(step));
  if (size >= 1e5 || (step > 0.0 && step < 1e-4)) {
    g_ascii_formatd(digits, sizeof digits, "%.3g", value);
  } else {
    char format[16];
    g_snprintf(format, sizeof format, "%%.%df",
               step > 0.0 && step < 1.0 ? (int)ceil(-log10(step) - 1e-9) : 0);
    g_ascii_formatd(digits, sizeof digits, format, fabs(value) < 1e-9 * step ? 0.0 : value);
  }
  return digits[0] == '-' ? g_strconcat("−", digits + 1, NULL) : g_strdup(digits);
}

static gboolean
is_multiple(double value, double step)
{
  return fabs(value - step * round(value / step)) < 1e-9 * step;
}

/* Limits that a person sets are round: from -5 to 5 the ends are worth more than -4 and 4. */
static double
tick_step(double minimum, double maximum)
{
  double span = maximum - minimum;
  if (!isfinite(span) || !(span > 0.0))
    return 1.0;
  const double usual = debye_overlay_text_round_step(span / 4.0),
               larger = debye_overlay_text_round_step(2.6 * usual);
  const gboolean has_ends = is_multiple(minimum, usual) && is_multiple(maximum, usual);
  const gboolean larger_has_ends = is_multiple(minimum, larger) && is_multiple(maximum, larger);
  return !has_ends && larger_has_ends && span > 1.5 * larger ? larger : usual;
}

/* As what it explains, it lets paper show through, whatever stands behind the bar. */
static void
draw_bar(cairo_t *cr, const DebyeColorMap *map, double opacity, double top, const double text_color[4])
{
  cairo_pattern_t *pattern = cairo_pattern_create_linear(0.0, top + BAR_LENGTH, 0.0, top);
  for (int i = 0; i <= 32; i++) {
    float rgb[3];
    debye_color_map_get(map, i / 32.0, rgb);
    cairo_pattern_add_color_stop_rgba(pattern, i / 32.0, (double)rgb[0], (double)rgb[1], (double)rgb[2],
                                      opacity);
  }
  cairo_rectangle(cr, 1.0, top, BAR_WIDTH, BAR_LENGTH);
  const double paper = text_color[0] > 0.5 ? 0.0 : 1.0;
  cairo_set_source_rgba(cr, paper, paper, paper, opacity < 1.0 ? 1.0 : 0.0);
  cairo_fill_preserve(cr);
  cairo_set_source(cr, pattern);
  cairo_fill(cr);
  /* Around it: the colours at the ends are those of all that lies beyond the limits. */
  cairo_rectangle(cr, 0.5, top - 0.5, BAR_WIDTH + 1.0, BAR_LENGTH + 1.0);
  cairo_set_source_rgba(cr, text_color[0], text_color[1], text_color[2], 0.6);
  cairo_set_line_width(cr, 1.0);
  cairo_stroke(cr);
  cairo_pattern_destroy(pattern);
}

void
debye_overlay_text_color_bar(cairo_t *cr, const DebyeColorMap *map, double opacity, double minimum,
                             double maximum, const char *title, const double text_color[4], double *width,
                             double *height)
{
  double title_width, title_height, widest = 0.0;
  debye_overlay_text_measure(title, &title_width, &title_height);
  double top = title_height + GAP, step = tick_step(minimum, maximum);
  if (cr) {
    debye_overlay_text_draw(cr, title, 1.0, 0.0, 0.0, 0.0, text_color);
    draw_bar(cr, map, opacity, top, text_color);
  }
  double span = maximum - minimum, first = ceil(minimum / step - 1e-9);
  for (int i = 0; i < 12 && span > 0.0 && isfinite(span); i++) {
    double value = (first + i) * step, fraction = (value - minimum) / span;
    if (fraction > 1.0 + 1e-9)
      break;
    g_autofree char *text = debye_overlay_text_format_number(value, step);
    double w, h, y = top + BAR_LENGTH * (1.0 - fraction);
    debye_overlay_text_measure(text, &w, &h);
    widest = fmax(widest, w);
    if (!cr)
      continue;
    cairo_move_to(cr, BAR_WIDTH + 1.0, y);
    cairo_line_to(cr, BAR_WIDTH + 5.0, y);
    debye_overlay_text_stroke(cr, 1.0, text_color);
    debye_overlay_text_draw(cr, text, BAR_WIDTH + 8.0, y, 0.0, 0.5, text_color);
  }
  *width = fmax(title_width + 2.0, BAR_WIDTH + 10.0 + widest);
  *height = top + BAR_LENGTH + 0.5 * title_height;
}

void
debye_overlay_text_swatch(cairo_t *cr, const float rgb[3], double opacity, const char *text,
                          const double text_color[4], double *width, double *height)
{
  double w, h;
  debye_overlay_text_measure(text, &w, &h);
  if (cr) {
    cairo_arc(cr, 7.0, 0.5 * h, 5.5, 0.0, 2.0 * G_PI);
    cairo_set_source_rgba(cr, (double)rgb[0], (double)rgb[1], (double)rgb[2], 0.35 + 0.65 * opacity);
    cairo_fill_preserve(cr);
    cairo_set_source_rgba(cr, text_color[0], text_color[1], text_color[2], 0.6);
    cairo_set_line_width(cr, 1.0);
    cairo_stroke(cr);
    debye_overlay_text_draw(cr, text, 18.0, 0.0, 0.0, 0.0, text_color);
  }
  *width = 20.0 + w;
  *height = h;
}
