/* SPDX-License-Identifier: MIT */
/* The look that a person gives the plot of results: at once, undone, kept by curves that come and go, in files and sessions. */
#include <glib/gstdio.h>

#include "data/files/error.h"
#include "render/look/result_look.h"
#include "render/plot/plot_private.h"

static const DebyeQuantity distance = {"r", "r", "Å"};
static const DebyeQuantity distribution = {"g", "g(r)", NULL};
static const DebyeQuantity coordination = {"coordination", "n(r)", NULL};
static const DebyeSettingTable table = {.id = "test", .title = "Test", .question = "Does it work?"};

typedef struct {
  DebyeResultPlot *results;
  DebyePlot *plot;
  DebyeResultLook *look;
} Fixture;

static void
add_curve(DebyeResult *result, const char *name, const DebyeQuantity *y)
{
  const double x[] = {1.0, 2.0, 3.0, 4.0}, values[] = {0.5, 2.0, 1.0, 1.0};
  g_autoptr(DebyeCurve) curve = debye_curve_new(name, &distance, y, DEBYE_CURVE_LINE, 4, x, values, NULL);
  debye_curve_set_of(curve, y == &coordination ? "A-A" : NULL);
  debye_result_add_curve(result, curve);
}

static void
put_result(const Fixture *fixture, guint key, const char *label)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(DebyeResult) result = debye_result_new(request, "Pairs");
  add_curve(result, "A-A", &distribution);
  add_curve(result, "A-B", &distribution);
  add_curve(result, "A-A coordination", &coordination);
  debye_result_plot_set_result(fixture->results, key, result, label);
}

static void
set_up(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  fixture->results = debye_result_plot_new();
  fixture->plot = debye_result_plot_get_plot(fixture->results);
  fixture->look = debye_result_look_new(fixture->results);
  put_result(fixture, 1, "old");
}

static void
tear_down(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_object_unref(fixture->look);
  g_object_unref(fixture->results);
}

static void
set(const Fixture *fixture, const char *key, const char *value)
{
  g_autoptr(GError) error = NULL;
  g_assert_true(debye_result_look_set(fixture->look, key, value, &error));
  g_assert_no_error(error);
}

static void
color(const Fixture *fixture, gsize index, guint32 rgb)
{
  g_auto(DebyeCurveLook) look = {.label = NULL};
  const guint series = debye_plot_get_series(fixture->plot, index);
  debye_result_look_get_curve(fixture->look, series, &look);
  look.has_rgb = TRUE;
  look.rgb = rgb;
  debye_result_look_set_curve(fixture->look, series, &look);
}

/* Of the curve of that name; 0: the palette's. */
static guint32
find_rgb(const Fixture *fixture, const char *name)
{
  GPtrArray *all = debye_plot_get_all_series(fixture->plot);
  for (guint i = 0; i < all->len; i++) {
    const DebyePlotSeries *series = all->pdata[i];
    if (g_str_equal(debye_curve_get_name(series->curve), name))
      return series->has_rgb ? series->rgb : 0;
  }
  g_assert_not_reached();
}

static void
check_limits(const Fixture *fixture, DebyePlotAxis axis, double from, double to)
{
  double low, high;
  debye_plot_get_limits(fixture->plot, axis, &low, &high);
  g_assert_cmpfloat_with_epsilon(low, from, 1e-12);
  g_assert_cmpfloat_with_epsilon(high, to, 1e-12);
}

static void
test_at_once(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  double low, high;
  debye_plot_get_limits(fixture->plot, DEBYE_PLOT_X, &low, &high);
  set(fixture, "x-range", "1.5:3");
  check_limits(fixture, DEBYE_PLOT_X, 1.5, 3.0);
  set(fixture, "x-label", "*r* (nm)");
  g_assert_cmpstr(debye_plot_get_label(fixture->plot, DEBYE_PLOT_X), ==, "<i>r</i> (nm)");
  set(fixture, "add-text", "2,1: here");
  set(fixture, "second", "coordination");
  g_assert_cmpuint(debye_plot_get_words(fixture->plot)->len, ==, 1);
  g_assert_cmpuint(debye_plot_get_n_series(fixture->plot), ==, 3);
  g_assert_cmpint(debye_plot_get_series_axis(fixture->plot, debye_plot_get_series(fixture->plot, 2)), ==,
                  DEBYE_PLOT_Y2);
  while (debye_result_look_undo(fixture->look))
    ;
  check_limits(fixture, DEBYE_PLOT_X, low, high);
  g_assert_cmpstr(debye_plot_get_label(fixture->plot, DEBYE_PLOT_X), !=, "<i>r</i> (nm)");
  g_assert_cmpuint(debye_plot_get_words(fixture->plot)->len, ==, 0);
  g_assert_cmpuint(debye_plot_get_n_series(fixture->plot), ==, 2);
  g_assert_false(debye_result_look_is_set(fixture->look));
  while (debye_result_look_redo(fixture->look))
    ;
  check_limits(fixture, DEBYE_PLOT_X, 1.5, 3.0);
  g_assert_cmpuint(debye_plot_get_n_series(fixture->plot), ==, 3);
}

/* What is typed letter by letter is one change. */
static void
test_typing(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  set(fixture, "y-label", "g");
  set(fixture, "y-label", "g(");
  set(fixture, "y-label", "g(r)");
  g_assert_true(debye_result_look_undo(fixture->look));
  g_assert_null(debye_result_look_get(fixture->look, "y-label"));
  g_assert_false(debye_result_look_can_undo(fixture->look));
}

/* A part of the axes that a hand chose stays while newer values come in, and so does what was set. */
static void
test_newer_values(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  set(fixture, "x-range", "1:4");
  color(fixture, 0, 0xb2182b);
  debye_plot_set_view(fixture->plot, DEBYE_PLOT_X, 2.0, 3.0);
  put_result(fixture, 1, "old");
  check_limits(fixture, DEBYE_PLOT_X, 2.0, 3.0);
  g_assert_cmpuint(find_rgb(fixture, "A-A"), ==, 0xb2182b);
}

/* Of curves that are toggled each keeps its colours, whatever the others make its name in the legend. */
static void
test_toggled(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  color(fixture, 0, 0xb2182b);
  put_result(fixture, 2, "new");
  g_assert_cmpuint(find_rgb(fixture, "old: A-A"), ==, 0xb2182b);
  g_assert_cmpuint(find_rgb(fixture, "new: A-A"), ==, 0);
  color(fixture, 2, 0x0072b2);
  const guint own = debye_plot_get_all_series(fixture->plot)->len;
  g_assert_cmpuint(own, ==, 4);
  guint colors[4];
  for (guint i = 0; i < 4; i++)
    colors[i] = ((DebyePlotSeries *)debye_plot_get_all_series(fixture->plot)->pdata[i])->color;
  debye_result_plot_set_result(fixture->results, 1, NULL, NULL);
  g_assert_cmpuint(find_rgb(fixture, "A-A"), ==, 0x0072b2);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpuint(((DebyePlotSeries *)debye_plot_get_all_series(fixture->plot)->pdata[i])->color, ==,
                     colors[2 + i]);
  put_result(fixture, 1, "old");
  g_assert_cmpuint(find_rgb(fixture, "old: A-A"), ==, 0xb2182b);
  g_assert_cmpuint(find_rgb(fixture, "new: A-A"), ==, 0x0072b2);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint(((DebyePlotSeries *)debye_plot_get_all_series(fixture->plot)->pdata[i])->color, ==,
                     colors[i]);
}

static void
test_hidden(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeRequest) style = debye_request_new(&debye_style_table);
  g_assert_true(debye_request_set(style, "curve", "A-B: hidden", NULL));
  debye_result_look_use(fixture->look, style);
  const guint series = debye_plot_get_series(fixture->plot, 1);
  g_assert_false(debye_plot_get_series_visible(fixture->plot, series));
  debye_result_look_reset(fixture->look);
  g_assert_true(debye_plot_get_series_visible(fixture->plot, series));
}

/* Each quantity has a look of its own. */
static void
test_quantities(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  set(fixture, "log", "x");
  set(fixture, "y-label", "mine");
  debye_result_plot_set_quantity(fixture->results, "coordination");
  g_assert_null(debye_result_look_get(fixture->look, "y-label"));
  g_assert_cmpint(debye_plot_get_scale(fixture->plot, DEBYE_PLOT_X), ==, DEBYE_PLOT_LINEAR);
  g_assert_cmpstr(debye_plot_get_label(fixture->plot, DEBYE_PLOT_Y), !=, "mine");
  debye_result_plot_set_quantity(fixture->results, "g");
  g_assert_cmpint(debye_plot_get_scale(fixture->plot, DEBYE_PLOT_X), ==, DEBYE_PLOT_LOG);
  g_assert_cmpstr(debye_plot_get_label(fixture->plot, DEBYE_PLOT_Y), ==, "mine");
}

static void
test_refused(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const wrong[][2] = {
      {"x-range", "3:1"}, {"log", "z"}, {"legend", "outside"}, {"text-size", "0"}, {"add-line", "z=1"}};
  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_false(debye_result_look_set(fixture->look, wrong[i][0], wrong[i][1], &error));
    g_assert_nonnull(error);
    g_assert_null(debye_result_look_get(fixture->look, wrong[i][0]));
  }
  g_assert_false(debye_result_look_can_undo(fixture->look));
  /* Each is a value, but not both together. */
  set(fixture, "x-range", "0:3");
  g_assert_null(debye_result_look_get_problem(fixture->look));
  set(fixture, "log", "x");
  set(fixture, "x-range", "0:4");
  g_assert_nonnull(strstr(debye_result_look_get_problem(fixture->look), "above 0"));
  set(fixture, "log", NULL);
  set(fixture, "x-range", "0:2");
  g_assert_null(debye_result_look_get_problem(fixture->look));
}

static void
test_style_file(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp("debye-style-XXXXXX", NULL);
  g_autofree char *path = g_build_filename(folder, "my.style", NULL);
  set(fixture, "x-label", "distance *r*");
  set(fixture, "add-line", "y=1\nx=2: shell");
  color(fixture, 1, 0x123456);
  g_autoptr(DebyeRequest) style = debye_result_look_create_style(fixture->look);
  g_assert_true(debye_style_save(style, path, &error));
  g_assert_no_error(error);
  g_autoptr(DebyeRequest) again = debye_style_load(path, &error);
  g_assert_no_error(error);
  debye_result_look_reset(fixture->look);
  g_assert_cmpuint(find_rgb(fixture, "A-B"), ==, 0);
  debye_result_look_use(fixture->look, again);
  g_assert_cmpuint(find_rgb(fixture, "A-B"), ==, 0x123456);
  g_assert_cmpstr(debye_result_look_get(fixture->look, "add-line"), ==, "y=1\nx=2: shell");
  g_assert_cmpstr(debye_plot_get_label(fixture->plot, DEBYE_PLOT_X), ==, "distance <i>r</i>");

  set(fixture, "add-text", "2,1: a; b");
  g_autoptr(DebyeRequest) unwritable = debye_result_look_create_style(fixture->look);
  g_assert_false(debye_style_save(unwritable, path, &error));
  g_assert_nonnull(strstr(error->message, "semicolon"));
  static const char *const wrong[] = {"nonsense = 1\n", "x-range = 2:1\n", "x-range\n"};
  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autoptr(GError) problem = NULL;
    g_assert_true(g_file_set_contents(path, wrong[i], -1, NULL));
    g_assert_null(debye_style_load(path, &problem));
    g_assert_nonnull(strstr(problem->message, "my.style"));
  }
  g_unlink(path);
  g_rmdir(folder);
}

static void
test_session(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  put_result(fixture, 2, "new");
  color(fixture, 0, 0xabcdef);
  set(fixture, "legend", "ends");
  g_autoptr(GVariant) saved = g_variant_ref_sink(debye_result_look_save(fixture->look));
  Fixture other = {.results = debye_result_plot_new()};
  other.plot = debye_result_plot_get_plot(other.results);
  other.look = debye_result_look_new(other.results);
  debye_result_look_load(other.look, saved);
  put_result(&other, 7, "old");
  put_result(&other, 8, "new");
  g_assert_cmpuint(find_rgb(&other, "old: A-A"), ==, 0xabcdef);
  g_assert_cmpuint(find_rgb(&other, "new: A-A"), ==, 0);
  g_assert_cmpint(debye_plot_get_legend_side(other.plot), ==, DEBYE_PLOT_LEGEND_ENDS);
  g_autoptr(GVariant) again = g_variant_ref_sink(debye_result_look_save(other.look));
  g_assert_true(g_variant_equal(saved, again));
  tear_down(&other, NULL);
}

static void
clear_color(const Fixture *fixture, gsize index)
{
  const DebyeCurveLook none = {.label = NULL};
  debye_result_look_set_curve(fixture->look, debye_plot_get_series(fixture->plot, index), &none);
}

/* What a style says of a curve can be taken back by hand, for that curve alone. */
static void
test_style_changed(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeRequest) style = debye_request_new(&debye_style_table);
  g_assert_true(debye_request_set(style, "curve", "*: #00ff00\nA-A: #ff0000, dashed\nZ: 2", NULL));
  debye_result_look_use(fixture->look, style);
  g_assert_cmpuint(find_rgb(fixture, "A-A"), ==, 0xff0000);
  clear_color(fixture, 0);
  g_assert_cmpuint(find_rgb(fixture, "A-A"), ==, 0);
  g_assert_cmpuint(find_rgb(fixture, "A-B"), ==, 0x00ff00);
  g_assert_true(debye_result_look_undo(fixture->look));
  g_assert_cmpuint(find_rgb(fixture, "A-A"), ==, 0xff0000);
  /* Curves that are not there are no part of a command; those of several results go by their numbers, with their names. */
  g_autoptr(DebyeRequest) one = debye_result_look_create_style_of_shown(fixture->look);
  g_assert_cmpstr(debye_request_get(one, "curve"), ==, "*: #00ff00\nA-A: #ff0000, dashed");
  put_result(fixture, 2, "new");
  g_autoptr(DebyeRequest) both = debye_result_look_create_style_of_shown(fixture->look);
  g_assert_cmpstr(debye_request_get(both, "curve"), ==,
                  "1: #00ff00, \"old: A–A\"\n2: #00ff00, \"old: A–B\"\n3: #00ff00, \"new: A–A\"\n"
                  "4: #00ff00, \"new: A–B\"");
  g_autoptr(GPtrArray) results = debye_result_look_list_results(fixture->look);
  g_assert_cmpuint(results->len, ==, 2);
}

/* A result that was alone in a session keeps its look beside another; forgotten, there is none. */
static void
test_session_of_one(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  color(fixture, 0, 0xabcdef);
  g_autoptr(GVariant) saved = g_variant_ref_sink(debye_result_look_save(fixture->look));
  debye_result_look_load(fixture->look, saved);
  g_assert_cmpuint(find_rgb(fixture, "A-A"), ==, 0xabcdef);
  put_result(fixture, 2, "new");
  g_assert_cmpuint(find_rgb(fixture, "old: A-A"), ==, 0xabcdef);
  g_assert_cmpuint(find_rgb(fixture, "new: A-A"), ==, 0);
  clear_color(fixture, 0);
  g_assert_cmpuint(find_rgb(fixture, "old: A-A"), ==, 0);
  g_assert_false(debye_result_look_is_set(fixture->look));
  debye_result_look_undo(fixture->look);
  debye_result_look_forget(fixture->look);
  g_assert_false(debye_result_look_is_set(fixture->look));
  g_assert_false(debye_result_look_can_undo(fixture->look));
  g_assert_false(debye_result_look_can_redo(fixture->look));
}

/* A range stays while another one changes, and is laid once the axis can show it. */
static void
test_ranges(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  set(fixture, "y-range", "0:10");
  set(fixture, "x-range", "1:3");
  check_limits(fixture, DEBYE_PLOT_Y, 0.0, 10.0);
  set(fixture, "log", "y");
  g_assert_nonnull(strstr(debye_result_look_get_problem(fixture->look), "above 0"));
  set(fixture, "x-label", "still a problem");
  g_assert_nonnull(debye_result_look_get_problem(fixture->look));
  set(fixture, "log", NULL);
  g_assert_null(debye_result_look_get_problem(fixture->look));
  check_limits(fixture, DEBYE_PLOT_Y, 0.0, 10.0);
  check_limits(fixture, DEBYE_PLOT_X, 1.0, 3.0);
}

/* The factor of a fit is no part of whose look it is. */
static void
test_measured(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const double x[] = {1.0, 2.0, 3.0, 4.0}, values[] = {1.0, 4.0, 2.0, 2.0}, doubled[] = {2.0, 8.0, 4.0, 4.0};
  g_autoptr(DebyeCurve) curve =
      debye_curve_new("saxs.dat", &distance, &distribution, DEBYE_CURVE_LINE, 4, x, values, NULL);
  g_autoptr(DebyeCurve) newer =
      debye_curve_new("saxs.dat", &distance, &distribution, DEBYE_CURVE_LINE, 4, x, doubled, NULL);
  debye_result_plot_set_measured(fixture->results, 9, curve, TRUE);
  const gsize last = debye_plot_get_n_series(fixture->plot) - 1;
  const guint series = debye_plot_get_series(fixture->plot, last);
  color(fixture, last, 0xff0000);
  g_autofree char *before = g_strdup(debye_curve_get_name(debye_plot_get_curve(fixture->plot, series)));
  debye_result_plot_set_measured(fixture->results, 9, newer, TRUE);
  const char *after = debye_curve_get_name(debye_plot_get_curve(fixture->plot, series));
  g_assert_cmpstr(before, !=, after);
  g_assert_cmpuint(find_rgb(fixture, after), ==, 0xff0000);
}

/* Changes of two quantities, or an edit and its reset, are two. */
static void
test_steps(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  set(fixture, "y-label", "one");
  debye_result_plot_set_quantity(fixture->results, "coordination");
  set(fixture, "y-label", "two");
  g_assert_cmpstr(debye_result_look_get_quantity(fixture->look), ==, "coordination");
  g_assert_true(debye_result_look_undo(fixture->look));
  g_assert_null(debye_result_look_get(fixture->look, "y-label"));
  debye_result_plot_set_quantity(fixture->results, "g");
  g_assert_cmpstr(debye_result_look_get(fixture->look, "y-label"), ==, "one");
  color(fixture, 0, 0xff0000);
  clear_color(fixture, 0);
  g_assert_true(debye_result_look_undo(fixture->look));
  g_assert_cmpuint(find_rgb(fixture, "A-A"), ==, 0xff0000);
}

/* Words of a curve are what was read. */
static void
test_words(void)
{
  static const char *const words[] = {"#b2182b, dashed, 1.5, circle, \"*g*(r), run 2\"", "none", "hidden",
                                      "#000000"};
  DebyePlot *plot = debye_plot_new();
  const double x[] = {1.0, 2.0}, y[] = {1.0, 2.0};
  g_autoptr(DebyeCurve) curve =
      debye_curve_new("a: b", &distance, &distribution, DEBYE_CURVE_LINE, 2, x, y, NULL);
  const guint series = debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
  for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
    g_auto(DebyeCurveLook) look = {.label = NULL};
    g_autofree char *text = g_strdup_printf("a: b: %s", words[i]);
    g_assert_true(debye_curve_look_read(text, plot, series, &look));
    g_autofree char *again = debye_curve_look_to_words(&look);
    g_assert_cmpstr(again, ==, words[i]);
  }
  g_auto(DebyeCurveLook) other = {.label = NULL};
  g_assert_false(debye_curve_look_read("b: red", plot, series, &other));
  g_assert_false(debye_curve_look_read("a: b: nonsense", plot, series, &other));
  g_object_unref(plot);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add("/result-look/at-once", Fixture, NULL, set_up, test_at_once, tear_down);
  g_test_add("/result-look/typing", Fixture, NULL, set_up, test_typing, tear_down);
  g_test_add("/result-look/newer-values", Fixture, NULL, set_up, test_newer_values, tear_down);
  g_test_add("/result-look/toggled", Fixture, NULL, set_up, test_toggled, tear_down);
  g_test_add("/result-look/hidden", Fixture, NULL, set_up, test_hidden, tear_down);
  g_test_add("/result-look/quantities", Fixture, NULL, set_up, test_quantities, tear_down);
  g_test_add("/result-look/refused", Fixture, NULL, set_up, test_refused, tear_down);
  g_test_add("/result-look/style-file", Fixture, NULL, set_up, test_style_file, tear_down);
  g_test_add("/result-look/session", Fixture, NULL, set_up, test_session, tear_down);
  g_test_add("/result-look/style-changed", Fixture, NULL, set_up, test_style_changed, tear_down);
  g_test_add("/result-look/session-of-one", Fixture, NULL, set_up, test_session_of_one, tear_down);
  g_test_add("/result-look/ranges", Fixture, NULL, set_up, test_ranges, tear_down);
  g_test_add("/result-look/measured", Fixture, NULL, set_up, test_measured, tear_down);
  g_test_add("/result-look/steps", Fixture, NULL, set_up, test_steps, tear_down);
  g_test_add_func("/result-look/words", test_words);
  return g_test_run();
}
