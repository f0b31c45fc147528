/* SPDX-License-Identifier: MIT */
/* Implementation of shown_style.h; called by result_look.c. */
#include "shown_style.h"

#include "curve_look.h"
#include "render/plot/plot_text.h"

/* 0: there are curves of no result. */
static guint
count_results(DebyeResultPlot *plot)
{
  DebyePlot *drawn = debye_result_plot_get_plot(plot);
  g_autoptr(GHashTable) keys = g_hash_table_new(NULL, NULL);
  for (gsize i = 0; i < debye_plot_get_n_series(drawn); i++) {
    const guint series = debye_plot_get_series(drawn, i);
    const char *pair;
    guint key;
    if (debye_plot_get_series_axis(drawn, series) != DEBYE_PLOT_Y)
      continue;
    if (!debye_result_plot_find_series(plot, series, &key, &pair))
      return 0;
    g_hash_table_add(keys, GUINT_TO_POINTER(key));
  }
  return MAX(1, g_hash_table_size(keys));
}

static gboolean
names_shown(const char *line, DebyePlot *plot)
{
  g_auto(DebyeCurveLook) look = {.label = NULL};
  gboolean is_shown = FALSE;
  for (gsize i = 0; i < debye_plot_get_n_series(plot) && !is_shown; i++)
    is_shown = debye_curve_look_read(line, plot, debye_plot_get_series(plot, i), &look);
  return is_shown;
}

static char *
keep_shown(char **lines, DebyePlot *plot)
{
  g_autoptr(GStrvBuilder) left = g_strv_builder_new();
  for (; *lines != NULL; lines++)
    if (names_shown(*lines, plot))
      g_strv_builder_add(left, *lines);
  g_auto(GStrv) kept = g_strv_builder_end(left);
  return g_strjoinv("\n", kept);
}

/* What the legend calls a curve, too: elsewhere it has the name of a file. */
static char *
number_curves(char **lines, DebyePlot *plot)
{
  g_autoptr(GString) numbered = g_string_new(NULL);
  for (gsize i = 0; i < debye_plot_get_n_series(plot); i++) {
    const guint series = debye_plot_get_series(plot, i);
    g_auto(DebyeCurveLook) look = {.label = NULL};
    for (char **line = lines; *line != NULL; line++)
      debye_curve_look_read(*line, plot, series, &look);
    if (look.label == NULL && debye_plot_get_series_axis(plot, series) == DEBYE_PLOT_Y)
      look.label = debye_plot_text_from_name(debye_curve_get_name(debye_plot_get_curve(plot, series)));
    g_autofree char *words = debye_curve_look_to_words(&look);
    if (*words != '\0')
      g_string_append_printf(numbered, "%s%" G_GSIZE_FORMAT ": %s", numbered->len > 0 ? "\n" : "", i + 1,
                             words);
  }
  return g_strdup(numbered->str);
}

DebyeRequest *
debye_shown_style_new(DebyeRequest *style, DebyeResultPlot *plot)
{
  g_return_val_if_fail(DEBYE_IS_REQUEST(style) && DEBYE_IS_RESULT_PLOT(plot), NULL);
  const guint n_results = count_results(plot);
  if (n_results == 0)
    return NULL;
  DebyePlot *drawn = debye_result_plot_get_plot(plot);
  DebyeRequest *shown = debye_request_copy(style);
  g_auto(GStrv) lines = debye_style_list_curves(style);
  g_autofree char *left = n_results == 1 ? keep_shown(lines, drawn) : number_curves(lines, drawn);
  debye_request_set(shown, "curve", *left != '\0' ? left : NULL, NULL);
  return shown;
}
