/* SPDX-License-Identifier: MIT */
/* Implementation of curve_look.h; called by plot_look.c. */
#include "curve_look.h"

#include <stdarg.h>
#include <string.h>

#include "data/files/error.h"
#include "look_words.h"
#include "render/plot/plot_style.h"
#include "render/plot/plot_text.h"

#define LEAST_WIDTH 0.1
#define MAX_WIDTH 20.0
/* In the order colour, dash, width, marker the label needs no quotation marks. */
#define PLACE_OF_LABEL 4

void
debye_curve_look_clear(DebyeCurveLook *look)
{
  g_clear_pointer(&look->label, g_free);
}

/* --- Words --- */

/* Names of colours: first those of the palette, in its order. */
static const char *const palette_words[DEBYE_PLOT_N_COLORS] = {"blue",   "vermillion", "green", "yellow",
                                                               "purple", "sky",        "grey",  "pink"};
static const struct {
  const char *word;
  guint32 rgb;
} further_colors[] = {
    {"black", 0x000000}, {"red", 0xb2182b}, {"orange", 0xe66100}, {"brown", 0x6b4423}, {"gray", 0x585757}};

static gboolean
find_color(const char *word, guint32 *rgb)
{
  for (guint i = 0; i < DEBYE_PLOT_N_COLORS; i++)
    if (strcmp(word, palette_words[i]) == 0) {
      *rgb = debye_plot_style_get_rgb(i);
      return TRUE;
    }
  for (gsize i = 0; i < G_N_ELEMENTS(further_colors); i++)
    if (strcmp(word, further_colors[i].word) == 0) {
      *rgb = further_colors[i].rgb;
      return TRUE;
    }
  if (*word != '#' || strlen(word) != 7 || strspn(word + 1, "0123456789abcdefABCDEF") != 6)
    return FALSE;
  *rgb = (guint32)g_ascii_strtoull(word + 1, NULL, 16);
  return TRUE;
}

static gboolean
read_color(const char *word, DebyeCurveLook *look)
{
  const gboolean is_color = find_color(word, &look->rgb);
  look->has_rgb = look->has_rgb || is_color;
  return is_color;
}

static const char *const dash_words[DEBYE_PLOT_N_DASHES] = {"solid",  "dashed",      "dash-dot",
                                                            "dotted", "long-dashed", "short-dashed"};

static gboolean
read_dash(const char *word, DebyeCurveLook *look)
{
  for (guint i = 0; i < DEBYE_PLOT_N_DASHES; i++)
    if (strcmp(word, dash_words[i]) == 0) {
      look->dash = (DebyePlotDash)i;
      look->has_dash = TRUE;
      return TRUE;
    }
  return FALSE;
}

static const char *const marker_words[DEBYE_PLOT_N_MARKERS] = {"circle",   "square",        "diamond",
                                                               "triangle", "triangle-down", "cross"};

static gboolean
read_marker(const char *word, DebyeCurveLook *look)
{
  if (strcmp(word, "none") == 0) {
    look->is_bare = TRUE;
    return TRUE;
  }
  for (guint i = 0; i < DEBYE_PLOT_N_MARKERS; i++)
    if (strcmp(word, marker_words[i]) == 0) {
      look->marker = (DebyePlotMarker)i;
      look->has_marker = TRUE;
      return TRUE;
    }
  return FALSE;
}

static gboolean
read_width(const char *word, DebyeCurveLook *look)
{
  double width;
  if (!debye_look_read_number(word, &width) || width < LEAST_WIDTH || width > MAX_WIDTH)
    return FALSE;
  look->width = width;
  return TRUE;
}

static gboolean
read_word(const char *word, int place, DebyeCurveLook *look, GError **error)
{
  if (*word == '\0' || read_color(word, look) || read_dash(word, look) || read_width(word, look))
    return TRUE;
  if (strcmp(word, "hidden") == 0)
    look->is_hidden = TRUE;
  else if (place == PLACE_OF_LABEL && look->label == NULL)
    look->label = g_strdup(word);
  else if (!read_marker(word, look))
    return debye_error_set(
        error, DEBYE_ERROR_VALUE,
        "expected a colour (blue, vermillion, green, yellow, purple, sky, grey, pink, black, red, "
        "orange, brown, #RRGGBB), a dash (solid, dashed, dash-dot, dotted, long-dashed, "
        "short-dashed), a width from 0.1 to 20 points, a marker (circle, square, diamond, "
        "triangle, triangle-down, cross, none), “hidden” or a label in quotation marks, found “%s”",
        word);
  return TRUE;
}

/* A label in quotation marks; `at` goes behind them. */
static gboolean
read_label(const char **at, DebyeCurveLook *look, GError **error)
{
  const char *end = strchr(*at + 1, '"');
  if (end == NULL)
    return debye_error_set(error, DEBYE_ERROR_VALUE, "expected a quotation mark after the label, found “%s”",
                           *at);
  g_free(look->label);
  look->label = g_strndup(*at + 1, (gsize)(end - *at - 1));
  *at = end + 1;
  return TRUE;
}

/* Parses the text after the name and its colon. */
static gboolean
parse_words(const char *text, DebyeCurveLook *look, GError **error)
{
  *look = (DebyeCurveLook){.label = NULL};
  for (int place = 0;; place++) {
    while (g_ascii_isspace(*text))
      text++;
    if (*text == '"' && !read_label(&text, look, error))
      return FALSE;
    const char *end = strchr(text, ',');
    const gsize length = end != NULL ? (gsize)(end - text) : strlen(text);
    g_autofree char *word = g_strstrip(g_strndup(text, length));
    if (!read_word(word, place, look, error))
      return FALSE;
    if (end == NULL)
      return TRUE;
    text = end + 1;
  }
}

/* Behind the first colon where words follow that are known. NULL: the error is about what follows the first one. */
static const char *
find_words(const char *text, DebyeCurveLook *look, GError **error)
{
  g_autoptr(GError) first = NULL;
  const char *colon = strchr(text, ':');
  if (colon == NULL || colon == text) {
    debye_error_set(error, DEBYE_ERROR_VALUE,
                    "expected “NAME: colour, dash, width, marker, \"label\"”, found “%s”", text);
    return NULL;
  }
  for (; colon != NULL; colon = strchr(colon + 1, ':')) {
    if (parse_words(colon + 1, look, first == NULL ? &first : NULL))
      return colon + 1;
    debye_curve_look_clear(look);
  }
  g_propagate_error(error, g_steal_pointer(&first));
  return NULL;
}

gboolean
debye_curve_look_check(const char *text, GError **error)
{
  g_auto(DebyeCurveLook) look = {.label = NULL};
  return find_words(text, &look, error) != NULL;
}

static void
add_word(GString *words, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  if (words->len > 0)
    g_string_append(words, ", ");
  g_string_append_vprintf(words, format, arguments);
  va_end(arguments);
}

char *
debye_curve_look_to_words(const DebyeCurveLook *look)
{
  char width[G_ASCII_DTOSTR_BUF_SIZE];
  GString *words = g_string_new(NULL);
  if (look->has_rgb)
    add_word(words, "#%06x", look->rgb);
  if (look->has_dash)
    add_word(words, "%s", dash_words[look->dash]);
  if (look->width > 0.0)
    add_word(words, "%s", g_ascii_formatd(width, sizeof width, "%g", look->width));
  if (look->is_bare)
    add_word(words, "none");
  else if (look->has_marker)
    add_word(words, "%s", marker_words[look->marker]);
  if (look->is_hidden)
    add_word(words, "hidden");
  if (look->label != NULL) {
    g_autofree char *label = g_strdelimit(g_strdup(look->label), "\"", '\'');
    add_word(words, "\"%s\"", label);
  }
  return g_string_free(words, FALSE);
}

/* --- Names --- */

/* Behind the colon that follows the name at the start of the text; NULL: another name stands there. */
static const char *
behind_name(const char *text, const char *name)
{
  const gsize length = strlen(name);
  if (length == 0 || strncmp(text, name, length) != 0)
    return NULL;
  const char *at = text + length;
  while (*at == ' ')
    at++;
  return *at == ':' ? at + 1 : NULL;
}

/* A name may go on: "saxs.dat (× 0.5)". */
static gboolean
begins_name(const char *start, const char *name)
{
  const gsize length = strlen(start);
  return strncmp(name, start, length) == 0 &&
         (name[length] == '\0' || name[length] == ':' || g_str_has_prefix(name + length, " ("));
}

/* As it is written, or as it is shown. */
static gboolean
begins_any(const char *start, const char *name)
{
  g_autofree char *shown = debye_plot_text_from_name(name);
  return begins_name(start, name) || begins_name(start, shown);
}

/* Also by the name that it had before it was fitted. */
static gboolean
is_named(const char *name, DebyeCurve *curve, gsize index)
{
  g_autofree char *number = g_strdup_printf("%" G_GSIZE_FORMAT, index + 1);
  const char *unfitted = debye_curve_get_unfitted_name(curve);
  return strcmp(name, "*") == 0 || strcmp(name, number) == 0 ||
         begins_any(name, debye_curve_get_name(curve)) || (unfitted != NULL && begins_any(name, unfitted));
}

static void
draw_series(DebyePlot *plot, guint series, const DebyeCurveLook *look)
{
  if (look->has_rgb)
    debye_plot_set_series_rgb(plot, series, look->rgb);
  if (look->has_dash)
    debye_plot_set_series_dash(plot, series, look->dash);
  if (look->width > 0.0)
    debye_plot_set_series_width(plot, series, look->width);
  if (look->has_marker)
    debye_plot_set_series_marker(plot, series, look->marker);
  if (look->is_bare)
    debye_plot_clear_series_marker(plot, series);
  if (look->is_hidden)
    debye_plot_set_series_visible(plot, series, FALSE);
  if (look->label != NULL) {
    g_autofree char *markup = debye_plot_text_from_marked(look->label);
    debye_plot_set_series_label(plot, series, markup);
  }
}

/* Of curves whose whole name stands before a colon, which may be one of the name. */
static int
apply_to_exact(const char *text, DebyePlot *plot)
{
  int n = 0;
  for (gsize i = 0; i < debye_plot_get_n_series(plot); i++) {
    const guint series = debye_plot_get_series(plot, i);
    const char *words = behind_name(text, debye_curve_get_name(debye_plot_get_curve(plot, series)));
    g_auto(DebyeCurveLook) look = {.label = NULL};
    /* A shorter name may begin the one that is meant. */
    if (words == NULL || !parse_words(words, &look, NULL))
      continue;
    draw_series(plot, series, &look);
    n++;
  }
  return n;
}

gboolean
debye_curve_look_is_of(const char *text, DebyeCurve *curve)
{
  g_auto(DebyeCurveLook) look = {.label = NULL};
  const char *words = behind_name(text, debye_curve_get_name(curve));
  return words != NULL && parse_words(words, &look, NULL);
}

static gsize
find_index(DebyePlot *plot, guint series)
{
  gsize index = 0;
  while (index < debye_plot_get_n_series(plot) && debye_plot_get_series(plot, index) != series)
    index++;
  return index;
}

static void
merge(const DebyeCurveLook *said, DebyeCurveLook *look)
{
  if (said->has_rgb)
    look->rgb = said->rgb;
  if (said->has_dash)
    look->dash = said->dash;
  if (said->width > 0.0)
    look->width = said->width;
  if (said->has_marker)
    look->marker = said->marker;
  if (said->has_marker || said->is_bare)
    look->is_bare = said->is_bare;
  if (said->label != NULL) {
    g_free(look->label);
    look->label = g_strdup(said->label);
  }
  look->has_rgb |= said->has_rgb;
  look->has_dash |= said->has_dash;
  look->has_marker |= said->has_marker;
  look->is_hidden |= said->is_hidden;
}

gboolean
debye_curve_look_read(const char *text, DebyePlot *plot, guint series, DebyeCurveLook *look)
{
  DebyeCurve *curve = debye_plot_get_curve(plot, series);
  g_return_val_if_fail(curve != NULL, FALSE);
  g_auto(DebyeCurveLook) said = {.label = NULL};
  const char *words = behind_name(text, debye_curve_get_name(curve));
  if (words == NULL || !parse_words(words, &said, NULL)) {
    debye_curve_look_clear(&said);
    words = find_words(text, &said, NULL);
    g_autofree char *name = words != NULL ? g_strstrip(g_strndup(text, (gsize)(words - 1 - text))) : NULL;
    if (name == NULL || !is_named(name, curve, find_index(plot, series)))
      return FALSE;
  }
  merge(&said, look);
  return TRUE;
}

int
debye_curve_look_apply(const char *text, DebyePlot *plot, GError **error)
{
  g_auto(DebyeCurveLook) look = {.label = NULL};
  int n = apply_to_exact(text, plot);
  if (n > 0)
    return n;
  const char *words = find_words(text, &look, error);
  if (words == NULL)
    return -1;
  g_autofree char *name = g_strstrip(g_strndup(text, (gsize)(words - 1 - text)));
  n = 0;
  for (gsize i = 0; i < debye_plot_get_n_series(plot); i++) {
    const guint series = debye_plot_get_series(plot, i);
    if (!is_named(name, debye_plot_get_curve(plot, series), i))
      continue;
    draw_series(plot, series, &look);
    n++;
  }
  return n;
}
