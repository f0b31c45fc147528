/* SPDX-License-Identifier: MIT */
/* Which results a plot shows while others come, and how they are told apart. */
#include "ui/plot/plot_choices.h"

#include <locale.h>

#include "render/plot/plot_private.h"

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

/* What "Frames 5:29: Na-O 0 | …" is: names and colours, in the order of the legend. */
static char *
list_colors(DebyeResultPlot *self)
{
  GPtrArray *all = debye_plot_get_all_series(debye_result_plot_get_plot(self));
  GString *text = g_string_new(NULL);
  for (guint i = 0; i < all->len; i++) {
    const DebyePlotSeries *series = all->pdata[i];
    g_string_append_printf(text, "%s%s %u", i > 0 ? " | " : "", debye_curve_get_name(series->curve),
                           series->color);
  }
  return g_string_free(text, FALSE);
}

static void
assert_order(DebyePlotChoices *choices, const guint expected[3])
{
  g_autoptr(GArray) order = debye_plot_choices_list_in_order(choices);
  g_assert_cmpmem(order->data, order->len * sizeof(guint), expected, 3 * sizeof(guint));
}

/* A curve that is taken out and put in again is where it was and as it was, also where another came
 * meanwhile. */
static void
test_back_again(void)
{
  g_autoptr(DebyeResultPlot) plot = debye_result_plot_new();
  g_autoptr(DebyePlotChoices) choices = debye_plot_choices_new(plot);
  g_autoptr(GListStore) results = g_list_store_new(DEBYE_TYPE_RESULT);
  debye_plot_choices_set_results(choices, G_LIST_MODEL(results));
  for (int i = 0; i < 3; i++) {
    const char *const frames[] = {"1:2", "3:4", "5:6"};
    debye_plot_choices_keep(choices, prepend(results, frames[i]));
  }
  g_autofree char *before = list_colors(plot);
  g_assert_cmpstr(before, ==, "Frames 1:2: Na-O 0 | Frames 3:4: Na-O 1 | Frames 5:6: Na-O 2");
  guint first = debye_plot_choices_get_key(choices, 2), second = debye_plot_choices_get_key(choices, 1);
  /* The menu lists them as the legend does, and what isn't shown behind. */
  assert_order(choices, (const guint[]){2, 1, 0});
  debye_plot_choices_choose(choices, first, FALSE);
  assert_order(choices, (const guint[]){1, 0, 2});
  debye_plot_choices_choose(choices, second, FALSE);
  debye_plot_choices_choose(choices, second, TRUE);
  debye_plot_choices_choose(choices, first, TRUE);
  g_autofree char *after = list_colors(plot);
  g_assert_cmpstr(after, ==, before);
  debye_plot_choices_choose(choices, first, FALSE);
  DebyeResult *newest = prepend(results, "7:8");
  debye_plot_choices_choose(choices, first, TRUE);
  g_autofree char *with_newest = list_colors(plot);
  g_autofree char *expected = g_strdup_printf("%s | Frames 7:8: Na-O 3", before);
  g_assert_cmpstr(with_newest, ==, expected);
  /* One that is gone for good leaves its colour to others. */
  guint place;
  g_assert_true(g_list_store_find(results, newest, &place));
  g_list_store_remove(results, place);
  prepend(results, "9:10");
  g_autofree char *at_end = list_colors(plot);
  g_assert_true(g_str_has_suffix(at_end, "Frames 9:10: Na-O 3"));
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
  g_test_add_func("/plot-choices/back-again", test_back_again);
  g_test_add_func("/plot-choices/other-axes", test_other_axes);
  return g_test_run();
}
