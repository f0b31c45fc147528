/* SPDX-License-Identifier: MIT */
/* One plot while its results change: what a hand has chosen stays. */
#include "render/plot/plot_private.h"
#include "render/plot/result_plot.h"

static const DebyeQuantity distance = {"r", "r", "Å"};
static const DebyeQuantity distribution = {"g", "g(r)", NULL};
static const DebyeQuantity coordination = {"coordination", "n(r)", NULL};

static const DebyeSettingTable table = {.id = "test", .title = "Test", .question = "Does it work?"};

static void
add_curve(DebyeResult *result, const char *name, const DebyeQuantity *y, double height)
{
  const double x[] = {1.0, 2.0, 3.0, 4.0}, values[] = {0.0, height, 1.0, 1.0};
  g_autoptr(DebyeCurve) curve = debye_curve_new(name, &distance, y, DEBYE_CURVE_LINE, 4, x, values, NULL);
  debye_result_add_curve(result, curve);
}

/* Another quantity of a pair, by what is said of it: its name could be any. */
static void
add_coordination(DebyeResult *result, const char *pair, double height)
{
  const double x[] = {1.0, 2.0, 3.0, 4.0}, values[] = {0.0, height, 1.0, 1.0};
  g_autofree char *name = g_strdup_printf("neighbours in %s", pair);
  g_autoptr(DebyeCurve) curve =
      debye_curve_new(name, &distance, &coordination, DEBYE_CURVE_LINE, 4, x, values, NULL);
  debye_curve_set_of(curve, pair);
  debye_result_add_curve(result, curve);
}

static DebyeResult *
create_result(double height)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  DebyeResult *result = debye_result_new(request, "Pairs");
  add_curve(result, "A-A", &distribution, height);
  add_curve(result, "A-B", &distribution, height);
  add_coordination(result, "A-A", height);
  add_coordination(result, "A-B", height);
  return result;
}

static void
test_growing(void)
{
  g_autoptr(DebyeResultPlot) self = debye_result_plot_new();
  g_autoptr(DebyeResult) first = create_result(2.0);
  g_autoptr(DebyeResult) second = create_result(3.0);
  DebyePlot *plot = debye_result_plot_get_plot(self);
  double low, high;
  debye_result_plot_set_result(self, 1, first, "run");
  g_assert_cmpuint(debye_plot_get_n_series(plot), ==, 2);
  guint series = debye_plot_get_series(plot, 1);
  debye_plot_set_series_visible(plot, series, FALSE);
  debye_plot_set_view(plot, DEBYE_PLOT_X, 1.5, 2.5);

  debye_result_plot_set_result(self, 1, second, "run");
  g_assert_cmpuint(debye_plot_get_series(plot, 1), ==, series);
  g_assert_false(debye_plot_get_series_visible(plot, series));
  g_assert_cmpfloat(debye_curve_get_y(debye_plot_get_curve(plot, series))[1], ==, 3.0);
  debye_plot_get_limits(plot, DEBYE_PLOT_X, &low, &high);
  g_assert_cmpfloat(low, ==, 1.5);
  g_assert_cmpfloat(high, ==, 2.5);
}

/* What a run has so far isn't stopped; what it leaves when it is stopped is. */
static void
test_caption_of_partial(void)
{
  g_autoptr(DebyeResultPlot) self = debye_result_plot_new();
  g_autoptr(DebyeResult) result = create_result(2.0);
  DebyePlot *plot = debye_result_plot_get_plot(self);
  debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, NULL, "Solvent: 0.94 fm/Å³ is taken off");
  debye_result_add_note(result, "Elements: 3 were guessed");
  debye_result_add_note_of(result, DEBYE_NOTE_FRAMES, NULL, "Frames: 0:50, 14 of 51 used");
  debye_result_set_partial(result, TRUE);
  debye_result_plot_set_growing(self, 1, result, "run");
  g_assert_cmpstr(debye_plot_get_caption(plot), ==,
                  "Pairs; Solvent: 0.94 fm/Å³ is taken off; Frames: 0:50, 14 of 51 used; still running");
  debye_result_plot_set_result(self, 1, result, "run");
  g_assert_cmpstr(
      debye_plot_get_caption(plot), ==,
      "Pairs; Solvent: 0.94 fm/Å³ is taken off; Frames: 0:50, 14 of 51 used; stopped early, partial");
}

/* A single structure's caption has no word of frames, one frame of a trajectory's has. */
static void
test_caption_of_one_frame(void)
{
  static const struct {
    DebyeNoteKind kind;
    const char *note, *caption;
  } cases[] = {{DEBYE_NOTE_STRUCTURE, "Frames: 0, 1 of 1 used", "Pairs"},
               {DEBYE_NOTE_FRAMES, "Frames: 7, 1 of 51 used", "Pairs; Frames: 7, 1 of 51 used"}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(DebyeResultPlot) self = debye_result_plot_new();
    g_autoptr(DebyeResult) result = create_result(2.0);
    debye_result_add_note_of(result, cases[i].kind, NULL, "%s", cases[i].note);
    debye_result_plot_set_result(self, 1, result, "run");
    g_assert_cmpstr(debye_plot_get_caption(debye_result_plot_get_plot(self)), ==, cases[i].caption);
  }
}

/* The heat map of one result beside the curves of another: the caption is that of the map alone, with the
 * notes that name its quantity. */
static void
test_caption_of_map(void)
{
  static const DebyeQuantity vector = {"q", "q", "Å⁻¹"}, time = {"tau", "τ", "ps"},
                             correlation = {"F", "F(q, τ)", NULL};
  const double values[] = {1.0, 2.0, 3.0, 4.0};
  g_autoptr(DebyeResultPlot) self = debye_result_plot_new();
  g_autoptr(DebyeResult) pairs = create_result(2.0);
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(DebyeResult) waves = debye_result_new(request, "Waves");
  g_autoptr(DebyeMatrix) matrix =
      debye_matrix_new("F", &vector, 2, values, &time, 2, values, &correlation, values, NULL);
  debye_result_add_note_of(pairs, DEBYE_NOTE_FRAMES, NULL, "Frames: 0:24, 25 of 25 used");
  debye_result_add_note_of(waves, DEBYE_NOTE_CAPTION, "F(q, τ)", "F(q, τ): per atom that scatters");
  debye_result_add_note_of(waves, DEBYE_NOTE_FRAMES, NULL, "Frames: 0:80, 81 of 81 used");
  debye_result_add_matrix(waves, matrix);
  debye_result_plot_set_result(self, 1, pairs, "pairs");
  debye_result_plot_set_result(self, 2, waves, "waves");
  debye_result_plot_set_quantity(self, "F-map");
  g_assert_cmpstr(debye_plot_get_caption(debye_result_plot_get_plot(self)), ==,
                  "Waves; F(q, τ): per atom that scatters; Frames: 0:80, 81 of 81 used");
}

/* The S(q) of one g(r) is its pair's; that of a scattering, beside its I(q), is of none. */
static void
test_caption_of_structure(void)
{
  static const DebyeQuantity vector = {"q", "q", "Å⁻¹"}, factor = {"structure_factor", "S(q)", NULL},
                             intensity = {"intensity_per_atom", "I(q)", NULL};
  const double q[] = {1.0, 2.0}, values[] = {0.5, 1.5};
  const struct {
    const DebyeQuantity *x, *first;
    const char *name, *factor, *caption;
  } cases[] = {{&distance, &distribution, "A-B", "A-B structure_factor", "Test; A–B"},
               {&vector, &intensity, "total", "total structure_factor", "Test"}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(DebyeResultPlot) self = debye_result_plot_new();
    g_autoptr(DebyeRequest) request = debye_request_new(&table);
    g_autoptr(DebyeResult) result = debye_result_new(request, "Test");
    g_autoptr(DebyeCurve) first =
        debye_curve_new(cases[i].name, cases[i].x, cases[i].first, DEBYE_CURVE_LINE, 2, q, values, NULL);
    g_autoptr(DebyeCurve) other =
        debye_curve_new(cases[i].factor, &vector, &factor, DEBYE_CURVE_LINE, 2, q, values, NULL);
    debye_curve_set_of(other, cases[i].name);
    debye_result_add_curve(result, first);
    debye_result_add_curve(result, other);
    debye_result_plot_set_result(self, 1, result, "run");
    debye_result_plot_set_quantity(self, "structure_factor");
    g_assert_cmpstr(debye_plot_get_caption(debye_result_plot_get_plot(self)), ==, cases[i].caption);
  }
}

static void
check_scales(DebyeResultPlot *self, const char *quantity, DebyePlotScale x, DebyePlotScale y)
{
  DebyePlot *plot = debye_result_plot_get_plot(self);
  debye_result_plot_set_quantity(self, quantity);
  g_assert_cmpint(debye_plot_get_scale(plot, DEBYE_PLOT_X), ==, x);
  g_assert_cmpint(debye_plot_get_scale(plot, DEBYE_PLOT_Y), ==, y);
}

/* Displacements begin on logarithmic axes, which go with them; what a hand has chosen stays with its quantity. */
static void
test_scales(void)
{
  static const DebyeQuantity msd = {"msd", "MSD", "Å²"}, alpha2 = {"alpha2", "α₂", NULL};
  g_autoptr(DebyeResultPlot) self = debye_result_plot_new();
  g_autoptr(DebyeResult) result = create_result(2.0);
  add_curve(result, "mean square displacement", &msd, 2.0);
  add_curve(result, "non-Gaussian parameter", &alpha2, 2.0);
  debye_result_plot_set_result(self, 1, result, "run");
  check_scales(self, "g", DEBYE_PLOT_LINEAR, DEBYE_PLOT_LINEAR);
  check_scales(self, "msd", DEBYE_PLOT_LOG, DEBYE_PLOT_LOG);
  check_scales(self, "alpha2", DEBYE_PLOT_LOG, DEBYE_PLOT_LINEAR);
  check_scales(self, "msd", DEBYE_PLOT_LOG, DEBYE_PLOT_LOG);
  debye_plot_set_scale(debye_result_plot_get_plot(self), DEBYE_PLOT_Y, DEBYE_PLOT_LINEAR);
  debye_result_plot_set_result(self, 1, result, "again");
  check_scales(self, "msd", DEBYE_PLOT_LOG, DEBYE_PLOT_LINEAR);
  check_scales(self, "coordination", DEBYE_PLOT_LINEAR, DEBYE_PLOT_LINEAR);
  debye_plot_set_scale(debye_result_plot_get_plot(self), DEBYE_PLOT_Y, DEBYE_PLOT_LOG);
  check_scales(self, "g", DEBYE_PLOT_LINEAR, DEBYE_PLOT_LOG);
}

static void
test_quantities(void)
{
  g_autoptr(DebyeResultPlot) self = debye_result_plot_new();
  g_autoptr(DebyeResult) result = create_result(2.0);
  DebyePlot *plot = debye_result_plot_get_plot(self);
  double low, high;
  debye_result_plot_set_result(self, 1, result, "run");
  g_autoptr(GPtrArray) quantities = debye_result_plot_list_quantities(self);
  g_assert_cmpuint(quantities->len, ==, 2);
  debye_plot_set_series_visible(plot, debye_plot_get_series(plot, 0), FALSE);
  debye_plot_set_view(plot, DEBYE_PLOT_X, 1.5, 2.5);

  debye_result_plot_set_quantity(self, "coordination");
  guint series = debye_plot_get_series(plot, 0), key;
  const char *pair;
  g_assert_cmpuint(debye_plot_get_n_series(plot), ==, 2);
  g_assert_cmpstr(debye_curve_get_name(debye_plot_get_curve(plot, series)), ==, "A-A");
  g_assert_false(debye_plot_get_series_visible(plot, series));
  g_assert_true(debye_result_plot_find_series(self, series, &key, &pair));
  g_assert_cmpstr(pair, ==, "A-A");
  /* The same axis of r: the part of it that was shown still is. */
  debye_plot_get_limits(plot, DEBYE_PLOT_X, &low, &high);
  g_assert_cmpfloat(high, ==, 2.5);
}

/* The angle of three atoms is no quantity of the distance between the first two. */
static void
test_more_atoms(void)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(DebyeResult) result = debye_result_new(request, "Measured");
  g_autoptr(DebyeResultPlot) self = debye_result_plot_new();
  DebyePlot *plot = debye_result_plot_get_plot(self);
  add_curve(result, "A1 C - A1 O", &distribution, 1.0);
  add_curve(result, "A1 C - A1 O - A2 N", &coordination, 1.0);
  debye_result_plot_set_result(self, 1, result, "run");
  debye_result_plot_set_quantity(self, "coordination");
  DebyeCurve *curve = debye_plot_get_curve(plot, debye_plot_get_series(plot, 0));
  g_assert_cmpstr(debye_curve_get_name(curve), ==, "A1 C - A1 O - A2 N");
}

static void
test_several(void)
{
  g_autoptr(DebyeResultPlot) self = debye_result_plot_new();
  g_autoptr(DebyeResult) first = create_result(2.0);
  g_autoptr(DebyeResult) second = create_result(3.0);
  DebyePlot *plot = debye_result_plot_get_plot(self);
  debye_result_add_note_of(first, DEBYE_NOTE_CAPTION, "g(r)", "g(r): per pair");
  debye_result_add_note_of(first, DEBYE_NOTE_FRAMES, NULL, "Frames: 0:24, 25 of 25 used");
  debye_result_add_note_of(second, DEBYE_NOTE_CAPTION, "g(r)", "g(r): per pair");
  debye_result_add_note_of(second, DEBYE_NOTE_FRAMES, NULL, "Frames: 25:50, 26 of 26 used");
  debye_result_plot_set_result(self, 1, first, "cold");
  debye_result_plot_set_result(self, 2, second, "warm");
  g_assert_cmpuint(debye_plot_get_n_series(plot), ==, 4);
  guint last = debye_plot_get_series(plot, 3);
  g_assert_cmpstr(debye_curve_get_name(debye_plot_get_curve(plot, last)), ==, "warm: A-B");
  /* What holds of both is said once, what holds of one under its name. */
  g_assert_cmpstr(
      debye_plot_get_caption(plot), ==,
      "Pairs; g(r): per pair; cold: Frames: 0:24, 25 of 25 used; warm: Frames: 25:50, 26 of 26 used");
  debye_result_plot_set_result(self, 1, NULL, NULL);
  g_assert_cmpuint(debye_plot_get_n_series(plot), ==, 2);
  debye_result_plot_set_result(self, 2, NULL, NULL);
  g_assert_cmpuint(debye_plot_get_n_series(plot), ==, 0);
}

static void
add_peaks(DebyeResult *result, guint n_pairs)
{
  static const char *const pairs[] = {"A-A", "A-A", "A-A", "A-B", "A-B", "A-B", "B-B", "B-B", "B-B"};
  static const double heights[] = {3.0, 1.05, 1.01, 2.0, 1.3, 1.2, 1.1, 1.04, 1.03};
  const double places[] = {1.0, 2.0, 3.0, 1.1, 2.1, 3.1, 1.2, 2.2, 3.2};
  const char *names[G_N_ELEMENTS(pairs) + 1] = {NULL};
  g_autoptr(DebyeTable) peaks = debye_table_new("peaks");
  for (guint i = 0; i < 3 * n_pairs; i++)
    names[i] = pairs[i];
  debye_table_add_texts(peaks, &(DebyeQuantity){"pair", "pair", NULL}, names);
  debye_table_add_numbers(peaks, &(DebyeQuantity){"position", "peak", "Å"}, 3 * n_pairs, places);
  debye_table_add_numbers(peaks, &(DebyeQuantity){"height", "g", NULL}, 3 * n_pairs, heights);
  debye_table_add_numbers(peaks, &(DebyeQuantity){"end", "end", "Å"}, 3 * n_pairs, places);
  debye_table_add_numbers(peaks, &(DebyeQuantity){"coordination", "n", NULL}, 3 * n_pairs, places);
  debye_result_add_table(result, peaks);
}

static DebyeResult *
create_with_peaks(guint n_pairs)
{
  DebyeResult *result = create_result(2.0);
  add_peaks(result, n_pairs);
  return result;
}

/* The second shell of a pair whose first is too low for a mark isn't one of the pair before. */
static void
test_caption_of_low_shell(void)
{
  static const char *const pairs[] = {"A-A", "A-B", "A-B", NULL};
  static const double heights[] = {3.0, 1.01, 1.3}, places[] = {1.0, 1.1, 2.1};
  g_autoptr(DebyeResultPlot) self = debye_result_plot_new();
  g_autoptr(DebyeResult) result = create_result(2.0);
  g_autoptr(DebyeTable) peaks = debye_table_new("peaks");
  debye_table_add_texts(peaks, &(DebyeQuantity){"pair", "pair", NULL}, pairs);
  debye_table_add_numbers(peaks, &(DebyeQuantity){"position", "peak", "Å"}, 3, places);
  debye_table_add_numbers(peaks, &(DebyeQuantity){"height", "g", NULL}, 3, heights);
  debye_table_add_numbers(peaks, &(DebyeQuantity){"end", "end", "Å"}, 3, places);
  debye_table_add_numbers(peaks, &(DebyeQuantity){"coordination", "n", NULL}, 3, places);
  debye_result_add_table(result, peaks);
  debye_result_plot_set_result(self, 1, result, NULL);
  const char *caption = debye_plot_get_caption(debye_result_plot_get_plot(self));
  g_assert_nonnull(strstr(caption, "1.00 neighbours up to 1.00 Å"));
  g_assert_null(strstr(caption, "2.10"));
}

static char *
list_peaks(DebyeResultPlot *self)
{
  GPtrArray *peaks = debye_plot_get_peaks(debye_result_plot_get_plot(self));
  g_autoptr(GString) all = g_string_new(NULL);
  for (guint i = 0; i < peaks->len; i++) {
    const DebyePlotMark *peak = peaks->pdata[i];
    g_string_append_printf(all, "%s%s", i > 0 ? " " : "", peak->markup != NULL ? peak->markup : "-");
  }
  return g_strdup(all->str);
}

static double
get_end(DebyeResultPlot *self)
{
  double low, high;
  debye_plot_get_limits(debye_result_plot_get_plot(self), DEBYE_PLOT_Y2, &low, &high);
  return high;
}

/* n(r) beside g(r) ends at three times the fullest first shell, here of 1.2; as its curves do where no shell is
 * known, where the data end before, and where another quantity is there. */
static void
test_second_of_shells(void)
{
  g_autoptr(DebyeResultPlot) self = debye_result_plot_new();
  g_autoptr(DebyeResult) known = create_with_peaks(3), low = create_with_peaks(3);
  g_autoptr(DebyeResult) unknown = create_result(100.0);
  DebyePlot *plot = debye_result_plot_get_plot(self);
  add_curve(known, "B-B coordination", &coordination, 100.0);
  debye_result_plot_set_result(self, 1, known, "run");
  debye_result_plot_set_second(self, "coordination");
  g_assert_cmpfloat_with_epsilon(get_end(self), 3.6, 1e-12);
  debye_result_plot_set_second(self, "other, coordination");
  g_assert_cmpfloat_with_epsilon(get_end(self), 3.6, 1e-12);
  debye_plot_set_view(plot, DEBYE_PLOT_Y2, 0.0, 50.0);
  g_assert_cmpfloat(get_end(self), ==, 50.0);
  debye_plot_set_view(plot, DEBYE_PLOT_Y2, NAN, NAN);
  debye_result_plot_set_result(self, 1, low, "run");
  g_assert_cmpfloat(get_end(self), <, 3.6);
  g_assert_cmpfloat(get_end(self), >, 2.0);
  debye_result_plot_set_result(self, 1, unknown, "run");
  g_assert_cmpfloat(get_end(self), >, 100.0);
}

static double
get_end_of(DebyeResultPlot *self, DebyePlotAxis axis)
{
  double low, high;
  debye_plot_get_limits(debye_result_plot_get_plot(self), axis, &low, &high);
  return high;
}

/* Alone, n(r) ends there as well, and r where its last curve does; the axes of another quantity don't. */
static void
test_coordination_of_shells(void)
{
  g_autoptr(DebyeResultPlot) self = debye_result_plot_new();
  g_autoptr(DebyeResult) result = create_result(100.0);
  const double x[] = {1.0, 2.0, 3.0, 4.0, 5.0}, y[] = {0.0, 1.0, 4.0, 9.0, 16.0};
  g_autoptr(DebyeCurve) curve =
      debye_curve_new("B-B coordination", &distance, &coordination, DEBYE_CURVE_LINE, 5, x, y, NULL);
  debye_result_add_curve(result, curve);
  add_peaks(result, 3);
  debye_result_plot_set_result(self, 1, result, "run");
  debye_result_plot_set_quantity(self, "coordination");
  g_assert_cmpfloat_with_epsilon(get_end_of(self, DEBYE_PLOT_Y), 3.6, 1e-12);
  g_assert_cmpfloat(get_end_of(self, DEBYE_PLOT_X), ==, 3.0);
  debye_plot_set_view(debye_result_plot_get_plot(self), DEBYE_PLOT_X, 0.0, 5.0);
  g_assert_cmpfloat(get_end_of(self, DEBYE_PLOT_X), ==, 5.0);
  debye_plot_reset_view(debye_result_plot_get_plot(self));
  debye_result_plot_set_quantity(self, "g");
  g_assert_true(isnan(debye_plot_get_ceiling(debye_result_plot_get_plot(self), DEBYE_PLOT_X)));
  g_assert_true(isnan(debye_plot_get_ceiling(debye_result_plot_get_plot(self), DEBYE_PLOT_Y)));
}

static char *
list_names(DebyeResultPlot *self, DebyePlotAxis axis)
{
  DebyePlot *plot = debye_result_plot_get_plot(self);
  g_autoptr(GString) names = g_string_new(NULL);
  for (gsize i = 0; i < debye_plot_get_n_series(plot); i++) {
    const guint series = debye_plot_get_series(plot, i);
    if (debye_plot_get_series_axis(plot, series) == axis)
      g_string_append_printf(names, "%s%s", names->len > 0 ? "; " : "",
                             debye_curve_get_name(debye_plot_get_curve(plot, series)));
  }
  return g_strdup(names->str);
}

/* Further quantities of the same unit are on the left axis, with their names, and go again. */
static void
test_also(void)
{
  g_autoptr(DebyeResultPlot) self = debye_result_plot_new();
  g_autoptr(DebyeResult) result = create_result(2.0);
  debye_result_plot_set_result(self, 1, result, "run");
  g_autoptr(GPtrArray) listed = debye_result_plot_list_also(self);
  g_assert_cmpuint(listed->len, ==, 1);
  debye_result_plot_set_also(self, "coordination");
  g_autofree char *several = list_names(self, DEBYE_PLOT_Y);
  g_assert_cmpstr(several, ==, "A-A, g(r); A-B, g(r); A-A, n(r); A-B, n(r)");
  g_assert_nonnull(strstr(debye_plot_get_label(debye_result_plot_get_plot(self), DEBYE_PLOT_Y), ", "));
  debye_result_plot_set_also(self, NULL);
  g_autofree char *one = list_names(self, DEBYE_PLOT_Y);
  g_assert_cmpstr(one, ==, "A-A; A-B");
}

/* Only where a curve is said to have its quantity in its name that isn't added, whatever the name looks like. */
static void
test_also_of_named(void)
{
  static const DebyeQuantity area = {"area", "F(q)", ""};
  static const char *const names[] = {"X-rays, F(q)", "Neutrons, F(q)", "F(q)"};
  g_autoptr(DebyeResultPlot) self = debye_result_plot_new();
  g_autoptr(DebyeResult) result = create_result(2.0);
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    const double x[] = {1.0, 2.0}, y[] = {1.0, 2.0};
    g_autoptr(DebyeCurve) curve =
        debye_curve_new(names[i], &distance, &area, DEBYE_CURVE_LINE, 2, x, y, NULL);
    debye_curve_set_names_quantity(curve, i > 0);
    debye_result_add_curve(result, curve);
  }
  debye_result_plot_set_result(self, 1, result, "F(q), run");
  debye_result_plot_set_also(self, "area");
  g_autofree char *several = list_names(self, DEBYE_PLOT_Y);
  g_assert_cmpstr(several, ==, "A-A, g(r); A-B, g(r); X-rays, F(q), F(q); Neutrons, F(q); F(q)");
}

/* Results with one quantity each: what is shown stays with the first, numbers without a unit go to the right. A quantity over
 * something else has no place. */
static void
test_own(void)
{
  static const DebyeQuantity q = {"q", "q", "1/Å"}, factor = {"factor", "S(q)", ""};
  g_autoptr(DebyeResultPlot) self = debye_result_plot_new();
  g_autoptr(DebyeResult) result = create_result(2.0), other = create_result(3.0);
  const double x[] = {1.0, 2.0}, y[] = {0.5, 1.5};
  g_autoptr(DebyeCurve) curve = debye_curve_new("S", &q, &factor, DEBYE_CURVE_LINE, 2, x, y, NULL);
  debye_result_add_curve(other, curve);
  debye_result_plot_set_result(self, 0, result, "one");
  g_assert_true(debye_result_plot_add_own(self, 1, other, "two", "coordination"));
  g_autofree char *left = list_names(self, DEBYE_PLOT_Y), *right = list_names(self, DEBYE_PLOT_Y2);
  g_assert_cmpstr(left, ==, "one: A-A; one: A-B");
  g_assert_cmpstr(right, ==, "two: A-A, n(r); two: A-B, n(r)");
  g_assert_false(debye_result_plot_add_own(self, 2, other, "two", "factor"));
}

/* All that are marked have their numbers, but where there are too many: then the first of each pair has. What
 * is hardly above 1 has neither. */
static void
test_peaks(void)
{
  g_autoptr(DebyeResultPlot) self = debye_result_plot_new();
  g_autoptr(DebyeResult) one = create_with_peaks(1), three = create_with_peaks(3);
  debye_result_plot_set_result(self, 1, one, "run");
  g_autofree char *few = list_peaks(self);
  g_assert_cmpstr(few, ==, "1.00 2.00");
  debye_result_plot_set_result(self, 1, three, "run");
  g_autofree char *all = list_peaks(self);
  g_assert_cmpstr(all, ==, "1.00 2.00 1.10 2.10 3.10 1.20 2.20 3.20");
  debye_result_plot_set_result(self, 2, one, "other");
  g_autofree char *many = list_peaks(self);
  g_assert_cmpstr(many, ==, "1.00 - 1.10 - - 1.20 - - 1.00 -");
}

/* In nanometres and counts: brought to Å, and by a factor of 1/50 onto the computed curve. */
static void
test_measured(void)
{
  const DebyeQuantity nanometres = {"r", "r", "nm"}, counts = {"counts", "counts", NULL};
  const double x[] = {0.2, 0.3, 0.4}, y[] = {100.0, 50.0, 50.0};
  g_autoptr(DebyeResultPlot) self = debye_result_plot_new();
  g_autoptr(DebyeResult) result = create_result(2.0);
  g_autoptr(DebyeCurve) curve =
      debye_curve_new("m", &nanometres, &counts, DEBYE_CURVE_MARKERS, 3, x, y, NULL);
  DebyePlot *plot = debye_result_plot_get_plot(self);
  debye_result_plot_set_result(self, 1, result, "run");
  debye_result_plot_set_measured(self, 2, curve, FALSE);
  DebyeCurve *shown = debye_plot_get_curve(plot, debye_plot_get_series(plot, 2));
  g_assert_cmpfloat_with_epsilon(debye_curve_get_x(shown)[0], 2.0, 1e-12);
  g_assert_cmpfloat(debye_curve_get_y(shown)[0], ==, 100.0);
  debye_result_plot_set_measured(self, 2, curve, TRUE);
  shown = debye_plot_get_curve(plot, debye_plot_get_series(plot, 2));
  for (int i = 0; i < 3; i++)
    g_assert_cmpfloat_with_epsilon(debye_curve_get_y(shown)[i], y[i] / 50.0, 1e-12);
  /* To which of two it was brought is said; where only one is seen there is nothing to say. */
  g_assert_cmpstr(debye_curve_get_name(shown), ==, "m, fitted to A-A (× 0.02)");
  g_assert_cmpstr(debye_curve_get_unfitted_name(shown), ==, "m");
  debye_plot_set_series_visible(plot, debye_plot_get_series(plot, 1), FALSE);
  debye_result_plot_set_measured(self, 2, curve, TRUE);
  shown = debye_plot_get_curve(plot, debye_plot_get_series(plot, 2));
  g_assert_cmpstr(debye_curve_get_name(shown), ==, "m (× 0.02)");
}

static gboolean
has_measured(DebyeResultPlot *self)
{
  DebyePlot *plot = debye_result_plot_get_plot(self);
  for (gsize i = 0; i < debye_plot_get_n_series(plot); i++)
    if (g_str_equal(debye_result_plot_get_own_name(self, debye_plot_get_series(plot, i)), "m"))
      return TRUE;
  return FALSE;
}

/* Loaded for g(r), it has no place beside n(r) but where both are shown; shown again by hand, it belongs to what is
 * shown then. */
static void
test_measured_of_quantity(void)
{
  const DebyeQuantity counts = {"counts", "counts", NULL};
  const double x[] = {1.0, 2.0, 3.0}, y[] = {1.0, 2.0, 1.0};
  g_autoptr(DebyeResultPlot) self = debye_result_plot_new();
  g_autoptr(DebyeResult) result = create_result(2.0);
  g_autoptr(DebyeCurve) curve = debye_curve_new("m", &distance, &counts, DEBYE_CURVE_MARKERS, 3, x, y, NULL);
  debye_result_plot_set_result(self, 1, result, "run");
  debye_result_plot_set_measured(self, 2, curve, FALSE);
  g_assert_true(has_measured(self));
  debye_result_plot_set_quantity(self, "coordination");
  g_assert_false(has_measured(self));
  debye_result_plot_set_also(self, "g");
  g_assert_true(has_measured(self));
  debye_result_plot_set_also(self, NULL);
  debye_result_plot_set_quantity(self, "g");
  g_assert_true(has_measured(self));
  debye_result_plot_set_quantity(self, "coordination");
  debye_result_plot_set_measured(self, 2, NULL, FALSE);
  debye_result_plot_set_measured(self, 2, curve, FALSE);
  g_assert_true(has_measured(self));
  debye_result_plot_set_result(self, 1, NULL, NULL);
  g_assert_true(has_measured(self));
  debye_result_plot_set_result(self, 1, result, "run");
  debye_result_plot_set_quantity(self, "g");
  g_assert_false(has_measured(self));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/result-plot/growing", test_growing);
  g_test_add_func("/result-plot/caption-of-partial", test_caption_of_partial);
  g_test_add_func("/result-plot/scales", test_scales);
  g_test_add_func("/result-plot/caption-of-one-frame", test_caption_of_one_frame);
  g_test_add_func("/result-plot/caption-of-map", test_caption_of_map);
  g_test_add_func("/result-plot/caption-of-structure", test_caption_of_structure);
  g_test_add_func("/result-plot/caption-of-low-shell", test_caption_of_low_shell);
  g_test_add_func("/result-plot/quantities", test_quantities);
  g_test_add_func("/result-plot/several", test_several);
  g_test_add_func("/result-plot/more-atoms", test_more_atoms);
  g_test_add_func("/result-plot/second-of-shells", test_second_of_shells);
  g_test_add_func("/result-plot/coordination-of-shells", test_coordination_of_shells);
  g_test_add_func("/result-plot/also", test_also);
  g_test_add_func("/result-plot/also-of-named", test_also_of_named);
  g_test_add_func("/result-plot/own", test_own);
  g_test_add_func("/result-plot/peaks", test_peaks);
  g_test_add_func("/result-plot/measured", test_measured);
  g_test_add_func("/result-plot/measured-of-quantity", test_measured_of_quantity);
  return g_test_run();
}
