/* SPDX-License-Identifier: MIT */
/* Implementation of look_state.h; called by result_look.c. */
#include "look_state.h"

#include <string.h>

#include "curve_look.h"

/* Of curves that belong to no result: measured ones and those of the second axis go by their names. */
#define NO_RESULT G_MAXUINT

typedef struct {
  guint key;
  char *pair, *name, *words;
  gboolean is_shown;
} Curve;

static void
curve_free(gpointer data)
{
  Curve *curve = data;
  g_free(curve->pair);
  g_free(curve->name);
  g_free(curve->words);
  g_free(curve);
}

static gpointer
curve_copy(gconstpointer data, gpointer user_data G_GNUC_UNUSED)
{
  const Curve *curve = data;
  Curve *copy = g_new(Curve, 1);
  *copy = (Curve){curve->key, g_strdup(curve->pair), g_strdup(curve->name), g_strdup(curve->words),
                  curve->is_shown};
  return copy;
}

DebyeLookState *
debye_look_state_new(DebyeRequest *request)
{
  DebyeLookState *state = g_new(DebyeLookState, 1);
  *state = (DebyeLookState){.request = request != NULL ? debye_request_copy(request)
                                                       : debye_request_new(&debye_style_table),
                            .curves = g_ptr_array_new_with_free_func(curve_free)};
  return state;
}

DebyeLookState *
debye_look_state_copy(const DebyeLookState *state)
{
  DebyeLookState *copy = debye_look_state_new(state->request);
  copy->is_of_session = state->is_of_session;
  for (guint i = 0; i < state->curves->len; i++)
    g_ptr_array_add(copy->curves, curve_copy(state->curves->pdata[i], NULL));
  return copy;
}

void
debye_look_state_free(DebyeLookState *state)
{
  if (state == NULL)
    return;
  g_object_unref(state->request);
  g_ptr_array_unref(state->curves);
  g_free(state);
}

gboolean
debye_look_state_is_empty(const DebyeLookState *state)
{
  for (gsize i = 0; i < debye_style_table.n_settings; i++)
    if (debye_request_is_set(state->request, debye_style_table.settings[i].key))
      return FALSE;
  return state->curves->len == 0;
}

/* --- Curves --- */

static guint
identify(DebyeResultPlot *plot, guint series, const char **pair)
{
  guint key;
  if (debye_result_plot_find_series(plot, series, &key, pair))
    return key;
  *pair = debye_result_plot_get_own_name(plot, series);
  return NO_RESULT;
}

static Curve *
find_curve(const DebyeLookState *state, DebyeResultPlot *plot, guint series)
{
  const char *pair;
  const guint key = identify(plot, series, &pair);
  for (guint i = 0; i < state->curves->len; i++) {
    Curve *curve = state->curves->pdata[i];
    if (curve->key == key && strcmp(curve->pair, pair) == 0)
      return curve;
  }
  return NULL;
}

/* Of a series by the result and pair that it belongs to: words as
 * debye_curve_look_to_words makes them; NULL: nothing was set. */
static const char *
get_words(const DebyeLookState *state, DebyeResultPlot *plot, guint series)
{
  const Curve *curve = find_curve(state, plot, series);
  return curve != NULL ? curve->words : NULL;
}

static void
set_words(DebyeLookState *state, DebyeResultPlot *plot, guint series, const char *words)
{
  const char *pair;
  Curve *curve = find_curve(state, plot, series);
  if (curve != NULL)
    g_ptr_array_remove(state->curves, curve);
  if (words == NULL || *words == '\0')
    return;
  curve = g_new0(Curve, 1);
  curve->key = identify(plot, series, &pair);
  curve->pair = g_strdup(pair);
  curve->words = g_strdup(words);
  g_ptr_array_add(state->curves, curve);
}

/* The lines say less than what was set by hand. */
static void
give_words(DebyeLookState *state, DebyeResultPlot *plot, guint series, GPtrArray *lines)
{
  DebyePlot *drawn = debye_result_plot_get_plot(plot);
  g_auto(DebyeCurveLook) look = {.label = NULL};
  gboolean is_named = FALSE;
  for (guint i = 0; i < lines->len; i++)
    is_named = debye_curve_look_read(lines->pdata[i], drawn, series, &look) || is_named;
  if (!is_named)
    return;
  const char *own = get_words(state, plot, series);
  g_autofree char *by_hand = g_strdup_printf(
      "%s: %s", debye_curve_get_name(debye_plot_get_curve(drawn, series)), own != NULL ? own : "");
  if (own != NULL)
    debye_curve_look_read(by_hand, drawn, series, &look);
  g_autofree char *words = debye_curve_look_to_words(&look);
  set_words(state, plot, series, words);
}

static gboolean
has_whole_name(const char *line, DebyePlot *drawn, guint series)
{
  return debye_curve_look_is_of(line, debye_plot_get_curve(drawn, series));
}

static gboolean
names_series(const char *line, DebyePlot *drawn, guint series)
{
  g_auto(DebyeCurveLook) look = {.label = NULL};
  return debye_curve_look_read(line, drawn, series, &look);
}

typedef gboolean (*LineTest)(const char *line, DebyePlot *drawn, guint series);

/* Takes those lines out of the request that are about one of the series, and gives their words to all that they name. */
static void
take_lines(DebyeLookState *state, DebyeResultPlot *plot, const guint *series, gsize n_series,
           LineTest is_about)
{
  DebyePlot *drawn = debye_result_plot_get_plot(plot);
  g_auto(GStrv) lines = debye_style_list_curves(state->request);
  g_autoptr(GPtrArray) taken = g_ptr_array_new();
  g_autoptr(GString) left = g_string_new(NULL);
  for (char **line = lines; *line != NULL; line++) {
    gboolean is_taken = FALSE;
    for (gsize i = 0; i < n_series && !is_taken; i++)
      is_taken = is_about(*line, drawn, series[i]);
    if (is_taken)
      g_ptr_array_add(taken, *line);
    else
      g_string_append_printf(left, "%s%s", left->len > 0 ? "\n" : "", *line);
  }
  if (taken->len == 0)
    return;
  for (gsize i = 0; i < debye_plot_get_n_series(drawn); i++)
    give_words(state, plot, debye_plot_get_series(drawn, i), taken);
  debye_request_set(state->request, "curve", left->len > 0 ? left->str : NULL, NULL);
}

void
debye_look_state_take_lines(DebyeLookState *state, DebyeResultPlot *plot, guint series)
{
  take_lines(state, plot, &series, 1, names_series);
}

static void
recognise_curves(DebyeLookState *state, DebyeResultPlot *plot)
{
  DebyePlot *drawn = debye_result_plot_get_plot(plot);
  g_autoptr(GArray) shown = g_array_new(FALSE, FALSE, sizeof(guint));
  for (gsize i = 0; i < debye_plot_get_n_series(drawn); i++) {
    const guint series = debye_plot_get_series(drawn, i);
    g_array_append_val(shown, series);
  }
  take_lines(state, plot, (const guint *)(gpointer)shown->data, shown->len, has_whole_name);
}

void
debye_look_state_set_words(DebyeLookState *state, DebyeResultPlot *plot, guint series, const char *words)
{
  set_words(state, plot, series, words);
  debye_look_state_name_curves(state, plot);
}

void
debye_look_state_name_curves(DebyeLookState *state, DebyeResultPlot *plot)
{
  DebyePlot *drawn = debye_result_plot_get_plot(plot);
  if (state->is_of_session)
    recognise_curves(state, plot);
  for (guint i = 0; i < state->curves->len; i++)
    ((Curve *)state->curves->pdata[i])->is_shown = FALSE;
  for (gsize i = 0; i < debye_plot_get_n_series(drawn); i++) {
    const guint series = debye_plot_get_series(drawn, i);
    Curve *curve = find_curve(state, plot, series);
    if (curve == NULL)
      continue;
    curve->is_shown = TRUE;
    g_free(curve->name);
    curve->name = g_strdup(
        curve->key == NO_RESULT ? curve->pair : debye_curve_get_name(debye_plot_get_curve(drawn, series)));
  }
}

DebyeRequest *
debye_look_state_to_request(const DebyeLookState *state, gboolean with_absent)
{
  DebyeRequest *request = debye_request_copy(state->request);
  const char *named = debye_request_get(state->request, "curve");
  g_autoptr(GString) curves = g_string_new(named);
  for (guint i = 0; i < state->curves->len; i++) {
    const Curve *curve = state->curves->pdata[i];
    if (curve->is_shown || (with_absent && curve->name != NULL))
      g_string_append_printf(curves, "%s%s: %s", curves->len > 0 ? "\n" : "", curve->name, curve->words);
  }
  debye_request_set(request, "curve", curves->len > 0 ? curves->str : NULL, NULL);
  return request;
}
