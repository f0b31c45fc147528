/* SPDX-License-Identifier: MIT */
/* Draws texts and colour bars for legends and overlays: by pango in the user's sans-serif font, with a halo
 * of the opposite brightness. */
#include "overlay_text.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n.h>
#include <pango/pangocairo.h>

#include "render/plot/plot_text.h"

#define BAR_WIDTH 13.0
#define BAR_LENGTH 168.0
#define GAP 6.0
#define ARROW 10.0
#define NUMBER_GAP 6.0 /* between two numbers below a level bar */
#define N_SHADES 64
/* Between the numbers of an end and of the next round tick. */
#define END_ROOM 13.0
/* Nearer than this the tick of an end would run into the round one. */
#define END_TICK 4.0

static void
set_attribute(PangoAttrList *attributes, PangoAttribute *attribute, gsize from, gsize to)
{
  attribute->start_index = (guint)from;
  attribute->end_index = (guint)to;
  pango_attr_list_insert(attributes, attribute);
}

static void
raise_text(PangoAttrList *attributes, gsize from, gsize to)
{
  const double rise = DEBYE_PLOT_SUPERSCRIPT_RISE * DEBYE_OVERLAY_FONT_SIZE;
  set_attribute(attributes, pango_attr_scale_new(DEBYE_PLOT_SCRIPT_SIZE), from, to);
  set_attribute(attributes, pango_attr_rise_new((int)(rise * PANGO_SCALE)), from, to);
}

/* “bohr^-3/2”, as files write it, as a reader expects it: what Unicode has no letters for is raised. */
static char *
set_exponents(const char *text, PangoAttrList *attributes)
{
  GString *shown = g_string_new(NULL);
  while (*text) {
    const gsize n = *text == '^' ? strspn(text + 1, "+-0123456789/") : 0, from = shown->len;
    if (n == 0) {
      g_string_append_c(shown, *text++);
      continue;
    }
    for (gsize i = 1; i <= n; i++)
      text[i] == '-' ? g_string_append(shown, "−") : g_string_append_c(shown, text[i]);
    raise_text(attributes, from, shown->len);
    text += 1 + n;
  }
  return g_string_free(shown, FALSE);
}

/* Quantities are slanted, units upright, and the constants of units, as in kT/e,
 * quantities: in a title that begins with one, and kT/e anywhere. */
static void
slant_quantities(const char *text, gboolean is_title, PangoAttrList *attributes)
{
  const char *const thermal = strstr(text, "kT/e"), *from = is_title ? g_utf8_next_char(text) : thermal,
                    *to = is_title || thermal == NULL ? NULL : thermal + strlen("kT/e");
  if (is_title)
    set_attribute(attributes, pango_attr_style_new(PANGO_STYLE_ITALIC), 0, (gsize)(from - text));
  while (from != NULL && *from != '\0' && from != to) {
    gsize n = 0;
    while (g_ascii_isalpha(from[n]))
      n++;
    const gsize at = (gsize)(from - text);
    if (debye_plot_text_is_constant(from, n))
      set_attribute(attributes, pango_attr_style_new(PANGO_STYLE_ITALIC), at, at + n);
    from += MAX(n, 1);
  }
}

static PangoLayout *
make_layout(cairo_t *cr, const char *text, gboolean is_title)
{
  PangoLayout *layout = pango_cairo_create_layout(cr);
  PangoFontDescription *font = pango_font_description_from_string("Cantarell, Inter, Sans");
  PangoAttrList *attributes = pango_attr_list_new();
  g_autofree char *shown = set_exponents(text, attributes);
  pango_font_description_set_absolute_size(font, DEBYE_OVERLAY_FONT_SIZE * PANGO_SCALE);
  pango_layout_set_font_description(layout, font);
  pango_layout_set_text(layout, shown, -1);
  slant_quantities(shown, is_title, attributes);
  pango_layout_set_attributes(layout, attributes);
  pango_attr_list_unref(attributes);
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

static void
measure(const char *text, gboolean is_title, double *width, double *height)
{
  cairo_t *cr = measuring_context();
  PangoLayout *layout = make_layout(cr, text, is_title);
  int w, h;
  pango_layout_get_size(layout, &w, &h);
  *width = (double)w / PANGO_SCALE;
  *height = (double)h / PANGO_SCALE;
  g_object_unref(layout);
  cairo_destroy(cr);
}

void
debye_overlay_text_measure(const char *text, double *width, double *height)
{
  measure(text, FALSE, width, height);
}

static void
set_halo(cairo_t *cr, const double text_color[4])
{
  double halo = 0.3 * text_color[0] + 0.6 * text_color[1] + 0.1 * text_color[2] > 0.5 ? 0.0 : 1.0;
  cairo_set_source_rgba(cr, halo, halo, halo, 0.85 * text_color[3]);
}

static void
draw(cairo_t *cr, const char *text, gboolean is_title, double x, double y, double align_x, double align_y,
     const double text_color[4])
{
  PangoLayout *layout = make_layout(cr, text, is_title);
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
debye_overlay_text_draw(cairo_t *cr, const char *text, double x, double y, double align_x, double align_y,
                        const double text_color[4])
{
  draw(cr, text, FALSE, x, y, align_x, align_y, text_color);
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
debye_overlay_text_raise_power(const char *number)
{
  static const char *const superscripts[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const char *e = strchr(number, 'e'), *power = e != NULL ? e + 1 : NULL;
  if (e == NULL || e == number || !g_ascii_isdigit(e[-1]))
    return g_strdup(number);
  const gboolean is_negative = *power == '-' || g_str_has_prefix(power, "−");
  power += g_str_has_prefix(power, "−") ? strlen("−") : *power == '-' || *power == '+' ? 1 : 0;
  if (!g_ascii_isdigit(*power))
    return g_strdup(number);
  /* 1·10⁻⁷ is 10⁻⁷. */
  const gboolean is_one = e - number == 1 && *number == '1';
  GString *text = g_string_new_len(number, is_one ? 0 : e - number);
  g_string_append_printf(text, "%s10%s", is_one ? "" : "·", is_negative ? "⁻" : "");
  for (; *power == '0' && g_ascii_isdigit(power[1]); power++) {
  }
  for (; g_ascii_isdigit(*power); power++)
    g_string_append(text, superscripts[*power - '0']);
  g_string_append(text, power);
  return g_string_free(text, FALSE);
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
  g_autofree char *raised = debye_overlay_text_raise_power(digits);
  return raised[0] == '-' ? g_strconcat("−", raised + 1, NULL) : g_steal_pointer(&raised);
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

/* The outline, with an arrow where values go on. */
static void
trace_bar(cairo_t *cr, const DebyeColorBar *bar, double top, double rim)
{
  const double left = 1.0 - rim, right = 1.0 + BAR_WIDTH + rim, middle = 1.0 + 0.5 * BAR_WIDTH;
  const double bottom = top + BAR_LENGTH;
  cairo_new_path(cr);
  cairo_move_to(cr, left, bar->is_cut_above ? top : top - rim);
  if (bar->is_cut_above)
    cairo_line_to(cr, middle, top - ARROW - rim);
  cairo_line_to(cr, right, bar->is_cut_above ? top : top - rim);
  cairo_line_to(cr, right, bar->is_cut_below ? bottom : bottom + rim);
  if (bar->is_cut_below)
    cairo_line_to(cr, middle, bottom + ARROW + rim);
  cairo_line_to(cr, left, bar->is_cut_below ? bottom : bottom + rim);
  cairo_close_path(cr);
}

/* As what it explains, it lets paper show through, whatever stands behind the bar. */
static void
draw_bar(cairo_t *cr, const DebyeColorBar *bar, double top, const double text_color[4])
{
  cairo_pattern_t *pattern = cairo_pattern_create_linear(0.0, top + BAR_LENGTH, 0.0, top);
  for (int i = 0; i <= N_SHADES; i++) {
    float rgb[3];
    debye_color_map_get(bar->map, i / (double)N_SHADES, rgb);
    cairo_pattern_add_color_stop_rgba(pattern, i / (double)N_SHADES, (double)rgb[0], (double)rgb[1],
                                      (double)rgb[2], bar->opacity);
  }
  trace_bar(cr, bar, top, 0.0);
  const double paper = text_color[0] > 0.5 ? 0.0 : 1.0;
  cairo_set_source_rgba(cr, paper, paper, paper, bar->opacity < 1.0 ? 1.0 : 0.0);
  cairo_fill_preserve(cr);
  cairo_set_source(cr, pattern);
  cairo_fill(cr);
  /* Around it: the colours at the ends are those of all that lies beyond the limits. */
  trace_bar(cr, bar, top, 0.5);
  cairo_set_source_rgba(cr, text_color[0], text_color[1], text_color[2], 0.6);
  cairo_set_line_width(cr, 1.0);
  cairo_stroke(cr);
  cairo_pattern_destroy(pattern);
}

/* --- Ticks of a bar --- */

/* A bar being drawn. A level one is an upright one that lies on its side, but for its numbers. */
typedef struct {
  cairo_t *cr; /* NULL: it is measured */
  const DebyeColorBar *bar;
  const double *text_color;
  double top;        /* of the bar's end, in its own direction */
  double left, down; /* of a level one: where its left end is */
  double widest;     /* number beside it */
  double taken;      /* of a level one: up to where numbers stand */
} Bar;

static void
turn_level(const Bar *self)
{
  if (!self->bar->is_level)
    return;
  cairo_translate(self->cr, self->left + BAR_LENGTH, self->down);
  cairo_rotate(self->cr, 0.5 * G_PI);
}

static void
draw_mark(const Bar *self, double y)
{
  cairo_t *cr = self->cr;
  cairo_save(cr);
  turn_level(self);
  cairo_move_to(cr, BAR_WIDTH + 1.0, y);
  cairo_line_to(cr, BAR_WIDTH + 5.0, y);
  debye_overlay_text_stroke(cr, 1.0, self->text_color);
  cairo_restore(cr);
}

/* Its number widens the bar. Below a level one, where another number stands it has none. */
static void
draw_tick(Bar *self, double y, const char *text)
{
  double w, h;
  debye_overlay_text_measure(text, &w, &h);
  self->widest = fmax(self->widest, w);
  const double x = self->left + BAR_LENGTH - y;
  const gboolean has_room = !self->bar->is_level || x - 0.5 * w > self->taken;
  if (has_room)
    self->taken = x + 0.5 * w + NUMBER_GAP;
  if (self->cr == NULL)
    return;
  draw_mark(self, y);
  if (!self->bar->is_level)
    debye_overlay_text_draw(self->cr, text, BAR_WIDTH + 8.0, y, 0.0, 0.5, self->text_color);
  else if (has_room)
    debye_overlay_text_draw(self->cr, text, x, self->down + BAR_WIDTH + 6.0, 0.5, 0.0, self->text_color);
}

/* The number of an end has a digit more than the steps, and leaves room for its neighbours. */
static void
draw_end_tick(Bar *self, double value, double step)
{
  const DebyeColorBar *bar = self->bar;
  const double span = bar->maximum - bar->minimum, unit = BAR_LENGTH / span;
  const double above = step * ceil(value / step - 1e-9) - value,
               below = value - step * floor(value / step + 1e-9);
  /* Only what is on the bar is a neighbour. */
  const double away = (value == bar->minimum ? above : below) * unit;
  g_autofree char *text = debye_overlay_text_format_number(value, 0.1 * step);
  if (away >= END_TICK)
    draw_tick(self, self->top + (bar->maximum - value) * unit, away >= END_ROOM ? text : "");
}

static void
draw_ticks(Bar *self)
{
  const DebyeColorBar *bar = self->bar;
  const double span = bar->maximum - bar->minimum, step = tick_step(bar->minimum, bar->maximum);
  const double first = ceil(bar->minimum / step - 1e-9);
  if (!(span > 0.0 && isfinite(span)))
    return;
  draw_end_tick(self, bar->minimum, step);
  for (int i = 0; i < 12; i++) {
    const double value = (first + i) * step, fraction = (value - bar->minimum) / span;
    if (fraction > 1.0 + 1e-9)
      break;
    g_autofree char *text = debye_overlay_text_format_number(value, step);
    draw_tick(self, self->top + BAR_LENGTH * (1.0 - fraction), text);
  }
  draw_end_tick(self, bar->maximum, step);
}

static void
draw_colors(const Bar *self)
{
  cairo_save(self->cr);
  turn_level(self);
  draw_bar(self->cr, self->bar, self->top, self->text_color);
  cairo_restore(self->cr);
}

/* Numbers at the ends stand out by half their width. */
static double
find_side(const DebyeColorBar *bar, double end, gboolean is_cut)
{
  double width, height;
  g_autofree char *text = debye_overlay_text_format_number(end, 0.1 * tick_step(bar->minimum, bar->maximum));
  debye_overlay_text_measure(text, &width, &height);
  return fmax(0.5 * width, is_cut ? ARROW : 0.0) + 1.0;
}

void
debye_overlay_text_color_bar(cairo_t *cr, const DebyeColorBar *bar, const double text_color[4], double *width,
                             double *height)
{
  double title_width, title_height;
  measure(bar->title, bar->is_slanted, &title_width, &title_height);
  const double above = bar->is_cut_above && !bar->is_level ? ARROW : 0.0;
  Bar self = {.cr = cr,
              .bar = bar,
              .text_color = text_color,
              .top = bar->is_level ? 0.0 : title_height + GAP + above,
              .left = bar->is_level ? find_side(bar, bar->minimum, bar->is_cut_below) : 0.0,
              .down = title_height + GAP,
              .taken = -G_MAXDOUBLE};
  if (cr != NULL) {
    draw(cr, bar->title, bar->is_slanted, 1.0, 0.0, 0.0, 0.0, text_color);
    draw_colors(&self);
  }
  draw_ticks(&self);
  if (bar->is_level) {
    *width =
        fmax(title_width + 2.0, self.left + BAR_LENGTH + find_side(bar, bar->maximum, bar->is_cut_above));
    *height = self.down + BAR_WIDTH + 6.0 + title_height;
    return;
  }
  *width = fmax(title_width + 2.0, BAR_WIDTH + 10.0 + self.widest);
  *height = self.top + BAR_LENGTH + fmax(0.5 * title_height, bar->is_cut_below ? ARROW + 1.0 : 0.0);
}

static const char *const symbols[DEBYE_FIELD_N_KINDS] = {
    [DEBYE_FIELD_POTENTIAL] = "φ",
    [DEBYE_FIELD_POTENTIAL_ERROR] = "Δφ",
    [DEBYE_FIELD_DENSITY] = "ρ",
    [DEBYE_FIELD_DENSITY_ERROR] = "s(ρ)",
    [DEBYE_FIELD_OCCUPANCY] = N_("occupancy"),
    [DEBYE_FIELD_OCCUPANCY_ERROR] = N_("standard error of the occupancy"),
    [DEBYE_FIELD_RELATIVE_DENSITY] = "ρ/ρ(bulk)",
    [DEBYE_FIELD_RELATIVE_DENSITY_ERROR] = "s(ρ/ρ(bulk))",
    [DEBYE_FIELD_DIPOLE_X] = "Px",
    [DEBYE_FIELD_DIPOLE_X_ERROR] = "s(Px)",
    [DEBYE_FIELD_DIPOLE_Y] = "Py",
    [DEBYE_FIELD_DIPOLE_Y_ERROR] = "s(Py)",
    [DEBYE_FIELD_DIPOLE_Z] = "Pz",
    [DEBYE_FIELD_DIPOLE_Z_ERROR] = "s(Pz)",
    [DEBYE_FIELD_FREE_ENERGY] = "ΔG",
    [DEBYE_FIELD_FREE_ENERGY_ERROR] = "s(ΔG)",
    [DEBYE_FIELD_BARRIER] = "ΔG",
    [DEBYE_FIELD_PATHWAY_ENERGY] = "ΔG",
    [DEBYE_FIELD_ORBITAL] = "ψ",
    [DEBYE_FIELD_ELECTRON_DENSITY] = "ρ",
    [DEBYE_FIELD_SPIN_DENSITY] = "ρ(α) − ρ(β)",
    [DEBYE_FIELD_LAPLACIAN] = "∇²ρ",
    [DEBYE_FIELD_ELECTROSTATIC_POTENTIAL] = "φ",
};

char *
debye_overlay_text_bar_title(DebyeField *field, gboolean *is_slanted)
{
  const char *unit = debye_field_get_unit(field), *symbol = symbols[debye_field_get_kind(field)];
  const gboolean has_both = symbol != NULL && *unit != '\0';
  if (is_slanted != NULL)
    *is_slanted = has_both && g_utf8_strlen(symbol, -1) == 1;
  return has_both         ? g_strdup_printf("%s (%s)", _(symbol), unit)
         : symbol != NULL ? g_strdup(_(symbol))
                          : g_strdup(*unit != '\0' ? unit : debye_field_get_name(field));
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
