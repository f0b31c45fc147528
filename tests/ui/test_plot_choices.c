/* SPDX-License-Identifier: MIT */
/* Which results a plot shows while others come, and how they are told apart. */
#include "ui/plot/plot_choices.h"

#include <locale.h>

#include <glib/gstdio.h>

#include "app/measured/measured_curves.h"

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

/* --- Measured curves in sessions --- */

typedef struct {
  DebyeResultPlot *plot;
  DebyePlotChoices *choices;
  GListStore *results;
  DebyeMeasuredCurves *measured;
} Window;

/* With a g(r) and an I(q). */
static Window
open_window(void)
{
  static const DebyeQuantity intensity = {"intensity", "I(q)", NULL};
  Window window = {.plot = debye_result_plot_new(), .results = g_list_store_new(DEBYE_TYPE_RESULT)};
  window.choices = debye_plot_choices_new(window.plot);
  window.measured = debye_measured_curves_new(window.choices);
  debye_plot_choices_set_results(window.choices, G_LIST_MODEL(window.results));
  DebyeResult *first = prepend(window.results, "5:29");
  debye_plot_choices_keep(window.choices, first);
  prepend_of(window.results, &other_table, &intensity, "5:29");
  return window;
}

static void
close_window(Window *window)
{
  g_object_unref(window->measured);
  g_object_unref(window->choices);
  g_object_unref(window->results);
  g_object_unref(window->plot);
}

static DebyeJobState
run_job(DebyeJob *job)
{
  debye_job_start(job);
  debye_job_join(job);
  return debye_job_get_state(job);
}

static GVariant *
save_curves(Window *window, const char *folder)
{
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  debye_measured_curves_save(window->measured, &dict, folder);
  return g_variant_ref_sink(g_variant_dict_end(&dict));
}

static void
check_quantities(Window *window, const char *of_g, const char *of_intensity)
{
  debye_result_plot_set_quantity(window->plot, "intensity");
  check_names(window->plot, of_intensity);
  debye_result_plot_set_quantity(window->plot, "g");
  check_names(window->plot, of_g);
}

/* A curve comes back with its quantity, whatever is shown then, and hidden if it was. One whose file is gone stays in the
 * session. */
static void
test_kept_measured(void)
{
  g_autofree char *folder = g_dir_make_tmp("debye-measured-XXXXXX", NULL),
                  *path = g_build_filename(folder, "rings.dat", NULL),
                  *second = g_build_filename(folder, "dots.dat", NULL);
  const char *const paths[] = {path, second};
  Window window = open_window();
  debye_result_plot_set_quantity(window.plot, "g");
  for (gsize i = 0; i < 2; i++) {
    g_assert_true(g_file_set_contents(paths[i], "1 0.5\n2 1.5\n3 1\n", -1, NULL));
    g_autoptr(DebyeJob) job = debye_measured_curves_read(window.measured, paths[i]);
    g_assert_cmpint(run_job(job), ==, DEBYE_JOB_DONE);
  }
  check_quantities(&window, "salt.xtc: Na-O | rings | dots", "salt.xtc: Na-O");
  g_autoptr(GArray) order = debye_plot_choices_list_in_order(window.choices);
  const guint last = g_array_index(order, guint, order->len - 1);
  debye_plot_choices_choose(window.choices, debye_plot_choices_get_key(window.choices, last), FALSE);
  debye_plot_choices_set_fit(window.choices, TRUE);
  check_quantities(&window, "salt.xtc: Na-O | rings (× 0.6)", "salt.xtc: Na-O");
  g_autoptr(GVariant) values = save_curves(&window, folder);
  close_window(&window);

  /* I(q) is shown, and the session has moved with its files. */
  g_autofree char *elsewhere = g_strconcat(folder, "-moved", NULL),
                  *moved = g_build_filename(elsewhere, "rings.dat", NULL),
                  *moved_second = g_build_filename(elsewhere, "dots.dat", NULL);
  g_assert_cmpint(g_rename(folder, elsewhere), ==, 0);
  window = open_window();
  debye_result_plot_set_quantity(window.plot, "intensity");
  g_autoptr(GPtrArray) jobs = debye_measured_curves_restore(window.measured, values, elsewhere);
  g_assert_cmpuint(jobs->len, ==, 2);
  g_autoptr(GVariant) before = save_curves(&window, NULL);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint(run_job(jobs->pdata[i]), ==, DEBYE_JOB_DONE);
  check_quantities(&window, "salt.xtc: Na-O | rings (× 0.6)", "salt.xtc: Na-O");
  g_assert_true(debye_plot_choices_get_fit(window.choices));
  /* What waits to be read is no change. */
  g_autoptr(GVariant) after = save_curves(&window, NULL);
  g_assert_true(g_variant_equal(before, after));

  g_assert_cmpint(g_unlink(moved), ==, 0);
  g_autoptr(GPtrArray) again = debye_measured_curves_restore(window.measured, after, elsewhere);
  g_assert_cmpuint(again->len, ==, 2);
  g_assert_cmpint(run_job(again->pdata[0]), ==, DEBYE_JOB_FAILED);
  g_assert_cmpint(run_job(again->pdata[1]), ==, DEBYE_JOB_DONE);
  check_quantities(&window, "salt.xtc: Na-O", "salt.xtc: Na-O");
  g_autoptr(GVariant) kept = save_curves(&window, NULL);
  g_assert_true(g_variant_equal(after, kept));
  /* What is still read for a session that another one has replaced adds nothing. */
  g_autoptr(GPtrArray) late = debye_measured_curves_restore(window.measured, after, elsewhere);
  g_autoptr(GPtrArray) current = debye_measured_curves_restore(window.measured, after, elsewhere);
  g_assert_cmpint(run_job(late->pdata[1]), ==, DEBYE_JOB_DONE);
  g_assert_false(debye_plot_choices_has_measured(window.choices));
  g_assert_cmpint(run_job(current->pdata[0]), ==, DEBYE_JOB_FAILED);
  g_assert_cmpint(run_job(current->pdata[1]), ==, DEBYE_JOB_DONE);
  g_assert_true(debye_plot_choices_has_measured(window.choices));
  /* One that a hand opens and that can't be read is no part of a session. */
  g_autoptr(DebyeJob) wrong = debye_measured_curves_read(window.measured, moved);
  g_assert_cmpint(run_job(wrong), ==, DEBYE_JOB_FAILED);
  g_autoptr(GVariant) same = save_curves(&window, NULL);
  g_assert_true(g_variant_equal(after, same));
  close_window(&window);
  g_assert_cmpint(g_unlink(moved_second), ==, 0);
  g_assert_cmpint(g_rmdir(elsewhere), ==, 0);
}

static void
test_damaged_measured(void)
{
  static const char *const damaged[] = {"{}", "{'measured-curves': <7>}",
                                        "{'measured-curves': <[<7>, <{'shown': <true>}>, <'/a.dat'>]>}",
                                        "{'measured-curves': <[<{'absolute': <'beside.dat'>}>]>}"};
  Window window = open_window();
  for (gsize i = 0; i < G_N_ELEMENTS(damaged); i++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(GVariant) values = g_variant_parse(G_VARIANT_TYPE_VARDICT, damaged[i], NULL, NULL, &error);
    g_assert_no_error(error);
    g_autoptr(GPtrArray) jobs = debye_measured_curves_restore(window.measured, values, "/");
    g_assert_cmpuint(jobs->len, ==, 0);
  }
  close_window(&window);
}

int
main(int argc, char **argv)
{
  setlocale(LC_ALL, "C.UTF-8");
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/plot-choices/comparing", test_comparing);
  g_test_add_func("/plot-choices/back-again", test_back_again);
  g_test_add_func("/plot-choices/other-axes", test_other_axes);
  g_test_add_func("/plot-choices/kept-measured", test_kept_measured);
  g_test_add_func("/plot-choices/damaged-measured", test_damaged_measured);
  return g_test_run();
}
