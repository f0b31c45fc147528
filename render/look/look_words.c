/* SPDX-License-Identifier: MIT */
/* Implementation of look_words.h; called by plot_look.c and when a command line is read. */
#include "look_words.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"

gboolean
debye_look_read_number(const char *text, double *value)
{
  char *end = NULL;
  g_autofree char *stripped = g_strstrip(g_strdup(text));
  *value = g_ascii_strtod(stripped, &end);
  return end != stripped && *end == '\0' && isfinite(*value);
}

/* --- Ranges --- */

static gboolean
read_end(const char *text, double *value)
{
  *value = NAN;
  return *text == '\0' || debye_look_read_number(text, value);
}

gboolean
debye_look_parse_range(const char *text, double limits[2], GError **error)
{
  g_auto(GStrv) ends = g_strsplit(text, ":", -1);
  const gboolean is_range = g_strv_length(ends) == 2 && read_end(g_strstrip(ends[0]), &limits[0]) &&
                            read_end(g_strstrip(ends[1]), &limits[1]);
  /* One that is left out is below and above everything. */
  if (is_range && !(limits[0] >= limits[1]))
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_VALUE,
                         "expected FIRST:LAST with FIRST below LAST (either may be left out), found “%s”",
                         text);
}

/* --- Ticks --- */

static gboolean
read_step(const char *text, DebyeLookTicks *ticks)
{
  double intervals = 0.0;
  g_auto(GStrv) parts = g_strsplit(text, "/", -1);
  const guint n = g_strv_length(parts);
  if (n < 1 || n > 2 || !debye_look_read_number(parts[0], &ticks->step) || !(ticks->step > 0.0))
    return FALSE;
  if (n == 2 && (!debye_look_read_number(parts[1], &intervals) || intervals != round(intervals) ||
                 intervals < 1.0 || intervals > 20.0))
    return FALSE;
  ticks->n_minor = (int)intervals;
  return TRUE;
}

static gboolean
read_values(const char *text, DebyeLookTicks *ticks)
{
  g_auto(GStrv) parts = g_strsplit(text, ",", -1);
  ticks->values = g_array_new(FALSE, FALSE, sizeof(double));
  for (char **part = parts; *part != NULL; part++) {
    double value, last = -HUGE_VAL;
    if (ticks->values->len > 0)
      last = g_array_index(ticks->values, double, ticks->values->len - 1);
    if (!debye_look_read_number(*part, &value) || value <= last)
      return FALSE;
    g_array_append_val(ticks->values, value);
  }
  return TRUE;
}

gboolean
debye_look_parse_ticks(const char *text, DebyeLookTicks *ticks, GError **error)
{
  *ticks = (DebyeLookTicks){.step = 0.0};
  if (strchr(text, ',') != NULL ? read_values(text, ticks) : read_step(text, ticks))
    return TRUE;
  debye_look_ticks_clear(ticks);
  return debye_error_set(
      error, DEBYE_ERROR_VALUE,
      "expected a step above 0, “2”, with the number of intervals in it, “2/4”, or ascending "
      "values, “1,2,5”, found “%s”",
      text);
}

void
debye_look_ticks_clear(DebyeLookTicks *ticks)
{
  g_clear_pointer(&ticks->values, g_array_unref);
}

/* --- Legend --- */

static const struct {
  const char *word;
  DebyePlotLegendSide side;
} sides[] = {
    {"auto", DEBYE_PLOT_LEGEND_AUTO},     {"top-left", DEBYE_PLOT_LEGEND_TOP_LEFT},
    {"top", DEBYE_PLOT_LEGEND_TOP},       {"top-right", DEBYE_PLOT_LEGEND_TOP_RIGHT},
    {"left", DEBYE_PLOT_LEGEND_LEFT},     {"center", DEBYE_PLOT_LEGEND_CENTER},
    {"right", DEBYE_PLOT_LEGEND_RIGHT},   {"bottom-left", DEBYE_PLOT_LEGEND_BOTTOM_LEFT},
    {"bottom", DEBYE_PLOT_LEGEND_BOTTOM}, {"bottom-right", DEBYE_PLOT_LEGEND_BOTTOM_RIGHT},
    {"above", DEBYE_PLOT_LEGEND_ABOVE},   {"ends", DEBYE_PLOT_LEGEND_ENDS},
};

static gboolean
read_place(const char *text, DebyeLookLegend *legend)
{
  g_auto(GStrv) parts = g_strsplit(text, ",", -1);
  return g_strv_length(parts) == 2 && debye_look_read_number(parts[0], &legend->x) &&
         debye_look_read_number(parts[1], &legend->y) && legend->x >= 0.0 && legend->x <= 1.0 &&
         legend->y >= 0.0 && legend->y <= 1.0;
}

gboolean
debye_look_parse_legend(const char *text, DebyeLookLegend *legend, GError **error)
{
  *legend = (DebyeLookLegend){.is_hidden = strcmp(text, "none") == 0, .x = NAN, .y = NAN};
  if (legend->is_hidden)
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS(sides); i++)
    if (strcmp(text, sides[i].word) == 0) {
      legend->side = sides[i].side;
      return TRUE;
    }
  if (read_place(text, legend))
    return TRUE;
  return debye_error_set(
      error, DEBYE_ERROR_VALUE,
      "expected auto, none, ends, above, a position in the frame (top-left, top, top-right, "
      "left, center, right, bottom-left, bottom, bottom-right) or X,Y from 0 to 1, found “%s”",
      text);
}

/* --- Inset --- */

static gboolean
is_in_frame(const DebyeLookLegend *place)
{
  return !place->is_hidden && place->side != DEBYE_PLOT_LEGEND_ABOVE && place->side != DEBYE_PLOT_LEGEND_ENDS;
}

gboolean
debye_look_parse_inset(const char *text, DebyeLookInset *inset, GError **error)
{
  g_auto(GStrv) parts = g_strsplit(text, ",", 2);
  const gboolean has_place = parts[0] != NULL && parts[1] != NULL;
  if (parts[0] != NULL && debye_look_parse_range(parts[0], inset->limits, NULL) &&
      isfinite(inset->limits[0]) && isfinite(inset->limits[1]) &&
      debye_look_parse_legend(has_place ? g_strstrip(parts[1]) : "auto", &inset->place, NULL) &&
      is_in_frame(&inset->place))
    return TRUE;
  return debye_error_set(
      error, DEBYE_ERROR_VALUE,
      "expected FIRST:LAST with FIRST below LAST, alone or with a position in the frame, “2:4, "
      "top-right” or “2:4, 0.4,0.1”, found “%s”",
      text);
}

/* --- Marks --- */

/* What stands behind the first colon, stripped; NULL: nothing. The text before is cut there. */
static char *
split_words(char *text)
{
  char *colon = strchr(text, ':');
  if (colon == NULL)
    return NULL;
  *colon = '\0';
  char *words = g_strstrip(g_strdup(colon + 1));
  return *words != '\0' ? words : (g_free(words), NULL);
}

gboolean
debye_look_parse_line(const char *text, DebyeLookMark *mark, GError **error)
{
  g_autofree char *place = g_strdup(text);
  g_autofree char *words = split_words(place);
  g_strstrip(place);
  *mark = (DebyeLookMark){.axis = *place == 'x' ? DEBYE_PLOT_X : DEBYE_PLOT_Y};
  if ((*place == 'x' || *place == 'y') && place[1] == '=' && debye_look_read_number(place + 2, &mark->x)) {
    mark->words = g_steal_pointer(&words);
    return TRUE;
  }
  return debye_error_set(error, DEBYE_ERROR_VALUE,
                         "expected x=VALUE or y=VALUE, then “: TEXT” if it has a name, found “%s”", text);
}

static gboolean
read_align(const char *word, double *align)
{
  static const char *const words[] = {"left", "center", "right"};
  for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
    if (strcmp(word, words[i]) == 0) {
      *align = 0.5 * (double)i;
      return TRUE;
    }
  return FALSE;
}

gboolean
debye_look_parse_text(const char *text, DebyeLookMark *mark, GError **error)
{
  g_autofree char *place = g_strdup(text);
  g_autofree char *words = split_words(place);
  g_auto(GStrv) parts = g_strsplit(place, ",", -1);
  const guint n = g_strv_length(parts);
  *mark = (DebyeLookMark){.axis = DEBYE_PLOT_Y};
  if (words != NULL && (n == 2 || n == 3) && debye_look_read_number(parts[0], &mark->x) &&
      debye_look_read_number(parts[1], &mark->y) &&
      (n == 2 || read_align(g_strstrip(parts[2]), &mark->align))) {
    mark->words = g_steal_pointer(&words);
    return TRUE;
  }
  return debye_error_set(
      error, DEBYE_ERROR_VALUE,
      "expected “X,Y: TEXT” or “X,Y,center: TEXT” (left, center or right of the point), found “%s”", text);
}
