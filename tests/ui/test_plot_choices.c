/* SPDX-License-Identifier: MIT */
/* Which results a plot shows while others come, and how they are told apart. */
#include "ui/plot_choices.h"

#include <locale.h>

static const DebyeQuantity distance = {"r", "r", "Å"};
static const DebyeQuantity distribution = {"g", "g(r)", NULL};
static const DebyeSetting settings[] = {
    {.key = "frames", .label = "Frames", .kind = DEBYE_SETTING_FRAMES, .initial = "0:-1", .help = "which"}};
static const DebyeSettingTable table = {
    .id = "test", .title = "Pairs", .question = "?", .settings = settings, .n_settings = 1};
static const DebyeSettingTable other_table = {
    .id = "other", .title = "Waves", .question = "?", .settings = settings, .n_settings = 1};

static DebyeResult *
prepend_of(GListStore *results, const DebyeSettingTable *of, const DebyeQuantity *quantity,
           const char *frames)
{
  const double x[] = {1.0, 2.0}, y[] = {0.0, 1.0};
  const char *const inputs[] = {"salt.xtc", NULL};
  g_autoptr(DebyeRequest) request = debye_request_new(of);
  g_autoptr(DebyeCurve) curve = debye_curve_new("Na-O", &distance, quantity, DEBYE_CURVE_LINE, 2, x, y, NULL);
  g_assert_true(debye_request_set(request, "frames", frames, NULL));
  g_autoptr(DebyeResult) result = debye_result_new(request, of->title);
  debye_result_add_curve(result, curve);
  debye_result_set_inputs(result, inputs);
  g_list_store_insert(results, 0, result);
  return result; /* the list keeps it */
}

static DebyeResult *
prepend(GListStore *results, const char *frames)
{
  return prepend_of(results, &table, &distribution, frames);
}

static void
check_names(DebyeResultPlot *self, const char *expected)
{
  DebyePlot *plot = debye_result_plot_get_plot(self);
  g_autoptr(GString) names = g_string_new(NULL);
  for (guint i = 0; i < debye_plot_get_n_series(plot); i++)
    g_string_append_printf(names, "%s%s", i > 0 ? " | " : "",
                           debye_curve_get_name(debye_plot_get_curve(plot, debye_plot_get_series(plot, i))));
  g_assert_cmpstr(names->str, ==, expected);
}

static void
test_comparing(void)
{
  g_autoptr(DebyeResultPlot) plot = debye_result_plot_new();
  g_autoptr(DebyePlotChoices) choices = debye_plot_choices_new(plot);
  g_autoptr(GListStore) results = g_list_store_new(DEBYE_TYPE_RESULT);
  debye_plot_choices_set_results(choices, G_LIST_MODEL(results));
  DebyeResult *crystal = prepend(results, "5:29");
  check_names(plot, "Na-O");
  g_assert_cmpstr(debye_plot_choices_get_label(choices, 0), ==, "salt.xtc");
  /* What is newer takes its place, unless it is kept. */
  prepend(results, "30:89");
  check_names(plot, "Na-O");
  g_assert_cmpstr(debye_plot_choices_get_label(choices, 1), ==, "Frames 5:29");
  g_assert_false(debye_plot_choices_get_shown(choices, 1));
  debye_plot_choices_keep(choices, crystal);
  g_assert_true(debye_plot_choices_get_shown(choices, 1));
  check_names(plot, "Frames 30:89: Na-O | Frames 5:29: Na-O");
  prepend(results, "90:120");
  check_names(plot, "Frames 90:120: Na-O | Frames 5:29: Na-O");
  debye_plot_choices_choose(choices, debye_plot_choices_get_key(choices, 2), FALSE);
  check_names(plot, "Na-O");
}

/* What is on other axes is nothing to be told from; what another analysis has for the same axes is. */
static void
test_other_axes(void)
{
  static const DebyeQuantity intensity = {"I", "I(q)", NULL};
  g_autoptr(DebyeResultPlot) plot = debye_result_plot_new();
  g_autoptr(DebyePlotChoices) choices = debye_plot_choices_new(plot);
  g_autoptr(GListStore) results = g_list_store_new(DEBYE_TYPE_RESULT);
  debye_plot_choices_set_results(choices, G_LIST_MODEL(results));
  debye_plot_choices_keep(choices, prepend(results, "5:29"));
  debye_plot_choices_keep(choices, prepend(results, "30:89"));
  DebyeResult *wave = prepend_of(results, &other_table, &intensity, "0:-1");
  check_names(plot, "Frames 5:29: Na-O | Frames 30:89: Na-O");
  g_autoptr(GPtrArray) shown = debye_plot_choices_list_results(choices);
  g_assert_cmpuint(shown->len, ==, 3);
  g_assert_true(shown->pdata[0] == wave);
  debye_plot_choices_keep(choices, wave);
  prepend_of(results, &other_table, &distribution, "1:2");
  check_names(plot, "Pairs, Frames 5:29: Na-O | Pairs, Frames 30:89: Na-O | Waves, Frames 1:2: Na-O");
}

int
main(int argc, char **argv)
{
  setlocale(LC_ALL, "C.UTF-8");
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/plot-choices/comparing", test_comparing);
  g_test_add_func("/plot-choices/other-axes", test_other_axes);
  return g_test_run();
}
