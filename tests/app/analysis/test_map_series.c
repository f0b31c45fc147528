/* SPDX-License-Identifier: MIT */
/* A map over many frames, whole frames shared over devices, is the map that one processor makes of them frame
 * by frame: all statistics, blocks, cells that differ, superposition; with devices that fail, and stopped. */
#include <math.h>
#include <string.h>

#include "app/analysis/analysis_list.h"
#include "tests/support/fake_backend.h"
#include "tests/support/map_series.h"
#include "tests/support/plans.h"

#define N_ATOMS 30
#define N_FRAMES 50
#define EDGE 12.0

typedef DebyeMapSeries Fixture;

/* Moves with the frame, each atom its own way; nm. */
static double
coordinate(int atom, int frame, int axis)
{
  double rest = 0.1 * (1.5 + 3.0 * (axis == 0 ? atom % 4 : axis == 1 ? atom / 4 % 4 : atom / 16));
  return rest + 0.02 * sin(0.37 * frame + 1.3 * atom + axis);
}

static char *
number(char *buffer, const char *format, double value)
{
  return g_ascii_formatd(buffer, G_ASCII_DTOSTR_BUF_SIZE, format, value);
}

static char *
write_pqr(void)
{
  char n[3][G_ASCII_DTOSTR_BUF_SIZE];
  GString *text = g_string_new(NULL);
  for (int atom = 0; atom < N_ATOMS; atom++)
    g_string_append_printf(text, "ATOM %d C MOL %d %s %s %s %s 1.7\n", atom + 1, 1 + atom / 10,
                           number(n[0], "%.4f", 10.0 * coordinate(atom, 0, 0)),
                           number(n[1], "%.4f", 10.0 * coordinate(atom, 0, 1)),
                           number(n[2], "%.4f", 10.0 * coordinate(atom, 0, 2)),
                           atom % 3 == 0 ? "0.5" : "-0.25");
  return g_string_free(text, FALSE);
}

/* Each frame has a cell of its own. */
static char *
write_gro(void)
{
  char n[3][G_ASCII_DTOSTR_BUF_SIZE];
  GString *text = g_string_new(NULL);
  for (int frame = 0; frame < N_FRAMES; frame++) {
    g_string_append_printf(text, "t= %d.0\n%5d\n", frame, N_ATOMS);
    for (int atom = 0; atom < N_ATOMS; atom++)
      g_string_append_printf(text, "%5d%-5s%5s%5d%8s%8s%8s\n", 1 + atom / 10, "MOL", "C", atom + 1,
                             number(n[0], "%.3f", coordinate(atom, frame, 0)),
                             number(n[1], "%.3f", coordinate(atom, frame, 1)),
                             number(n[2], "%.3f", coordinate(atom, frame, 2)));
    number(n[0], "%.5f", 0.1 * EDGE + 0.001 * frame);
    g_string_append_printf(text, "%10s%10s%10s\n", n[0], n[0], n[0]);
  }
  return g_string_free(text, FALSE);
}

static void
set_up(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *pqr = write_pqr(), *gro = write_gro();
  debye_map_series_init(fixture, 2, pqr, "gro", gro);
}

static void
tear_down(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  debye_map_series_clear(fixture);
}

/* A map of the frames after the first, so that the grid and the range differ; more settings as key, value. */
static DebyeRequest *
new_request(const char *device, const char *const *more)
{
  static const char *const common[] = {"frames",   "1:49",   "spacing",   "1",      "padding",
                                       "2",        "method", "cutoff",    "cutoff", "5",
                                       "periodic", "xyz",    "precision", "double", NULL};
  return debye_map_series_ask(device, common, more);
}

static DebyeResult *
run(const Fixture *fixture, const char *device, const char *const *more, const DebyeRunCallbacks *callbacks,
    GError **error)
{
  g_autoptr(DebyeRequest) request = new_request(device, more);
  return debye_map_series_run(fixture, request, callbacks, error);
}

/* Of all fields: the same values but for the order of the sums in double and the rounding to float. */
static void
compare(DebyeResult *found, DebyeResult *expected)
{
  GListModel *fields = debye_result_get_fields(found), *others = debye_result_get_fields(expected);
  g_assert_cmpuint(g_list_model_get_n_items(fields), ==, g_list_model_get_n_items(others));
  for (guint i = 0; i < g_list_model_get_n_items(fields); i++) {
    g_autoptr(DebyeField) field = g_list_model_get_item(fields, i);
    g_autoptr(DebyeField) other = g_list_model_get_item(others, i);
    gsize n = debye_grid_n_points(debye_field_get_grid(field));
    DebyeFieldStatistics statistics;
    debye_field_get_statistics(other, &statistics);
    g_assert_cmpfloat(statistics.rms, >, 0.0);
    g_assert_cmpuint(n, ==, debye_grid_n_points(debye_field_get_grid(other)));
    for (gsize k = 0; k < n; k++)
      g_assert_cmpfloat_with_epsilon(
          (double)debye_field_get_values(field)[k], (double)debye_field_get_values(other)[k],
          3e-7 * statistics.rms + 2e-7 * fabs((double)debye_field_get_values(other)[k]));
  }
}

/* Frames went to the lanes of devices, in one way; and slab by slab to the processor, in the other. */
static void
compare_ways(const Fixture *fixture, const char *devices, const char *const *more)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeResult) found = run(fixture, devices, more, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeResult) expected = run(fixture, "cpu", more, NULL, &error);
  g_assert_no_error(error);
  g_assert_true(debye_map_series_has_note(found, " frames in "));
  g_assert_true(debye_map_series_has_note(expected, " slabs in "));
  g_assert_false(debye_result_is_partial(found));
  g_assert_cmpstr(debye_result_get_title(found), ==, debye_result_get_title(expected));
  compare(found, expected);
}

static void
test_statistics(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const statistics[] = {"mean", "min", "max", "std"};
  for (gsize i = 0; i < G_N_ELEMENTS(statistics); i++)
    compare_ways(fixture, "fake:0,fake:1", (const char *const[]){"statistic", statistics[i], NULL});
  compare_ways(fixture, "fake:0", NULL);
  compare_ways(fixture, "fake:0,cpu", NULL);
}

/* 49 frames in blocks of 16, 16 and 17. */
static void
test_blocks(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  compare_ways(fixture, "fake:0,fake:1", (const char *const[]){"blocks", "3", NULL});
}

/* Blocks too short for all lanes: planes are shared instead. */
static void
test_short_blocks(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeResult) result =
      run(fixture, "fake:0,fake:1", (const char *const[]){"blocks", "12", NULL}, NULL, &error);
  g_assert_no_error(error);
  g_assert_true(debye_map_series_has_note(result, " slabs in "));
}

/* Enough for a map and its statistic, not for those of every lane. */
static void
test_little_memory(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  debye_fake_device(0)->bytes = debye_fake_device(1)->bytes = 1000;
  g_autoptr(DebyeResult) little =
      run(fixture, "fake:0,fake:1", (const char *const[]){"memory", "100k", NULL}, NULL, &error);
  g_assert_no_error(error);
  g_assert_true(debye_map_series_has_note(little, " slabs in "));
  g_autoptr(DebyeResult) enough =
      run(fixture, "fake:0,fake:1", (const char *const[]){"memory", "10M", NULL}, NULL, &error);
  g_assert_no_error(error);
  g_assert_true(debye_map_series_has_note(enough, " frames in "));
  compare(enough, little);
}

static void
test_frames_of_their_own(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  compare_ways(fixture, "fake:0,fake:1", (const char *const[]){"superpose", "resid 1", NULL});
  compare_ways(fixture, "fake:0,fake:1", (const char *const[]){"center", "resid 2", NULL});
  compare_ways(fixture, "fake:0,fake:1", (const char *const[]){"select", "resid 1 3", NULL});
  compare_ways(fixture, "fake:0,fake:1", (const char *const[]){"select", "within 4 of index 3", NULL});
}

static void
test_failing(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (unsigned fail_at = 1; fail_at < 40; fail_at += 13) {
    debye_fake_reset(2);
    debye_fake_device(0)->fail_at = fail_at;
    compare_ways(fixture, "fake:0,fake:1", NULL);
  }
}

/* --- Callbacks --- */

typedef struct {
  bool stop;
  double fraction, stop_at;
  guint n_partial;
} Watch;

static void
on_progress(double fraction, const char *message, gpointer data)
{
  Watch *watch = data;
  g_assert_cmpfloat(fraction, >=, watch->fraction);
  g_assert_cmpfloat(fraction, <=, 1.0);
  g_assert_nonnull(message);
  watch->fraction = fraction;
  if (fraction >= watch->stop_at)
    __atomic_store_n(&watch->stop, true, __ATOMIC_RELAXED);
}

static void
on_partial(DebyeResult *result, gpointer data)
{
  Watch *watch = data;
  g_assert_true(debye_result_is_partial(result));
  watch->n_partial++;
}

static void
test_stop_keeps(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  Watch watch = {.stop_at = 0.2};
  const DebyeRunCallbacks callbacks = {
      .cancel = &watch.stop, .progress = on_progress, .partial = on_partial, .data = &watch};
  g_autoptr(GError) error = NULL;
  debye_fake_device(0)->delay_microseconds = debye_fake_device(1)->delay_microseconds = 50;
  g_autoptr(DebyeResult) result = run(fixture, "fake:0,fake:1", NULL, &callbacks, &error);
  g_assert_no_error(error);
  g_assert_true(debye_result_is_partial(result));
  g_assert_cmpfloat(watch.fraction, <, 1.0);
}

static void
test_partial(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  Watch watch = {.stop_at = INFINITY};
  const DebyeRunCallbacks callbacks = {
      .cancel = &watch.stop, .progress = on_progress, .partial = on_partial, .data = &watch};
  g_autoptr(GError) error = NULL;
  /* A frame is executed plane by plane where atoms are left over: some milliseconds, more than a picture's
   * interval for all. */
  debye_fake_device(0)->delay_microseconds = debye_fake_device(1)->delay_microseconds = 5000;
  g_autoptr(DebyeResult) result = run(fixture, "fake:0,fake:1", NULL, &callbacks, &error);
  g_assert_no_error(error);
  g_assert_false(debye_result_is_partial(result));
  g_assert_cmpfloat(watch.fraction, ==, 1.0);
  g_assert_cmpuint(watch.n_partial, >, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
#define ADD(name, function) g_test_add("/map-series/" name, Fixture, NULL, set_up, function, tear_down)
  ADD("statistics", test_statistics);
  ADD("blocks", test_blocks);
  ADD("short-blocks", test_short_blocks);
  ADD("little-memory", test_little_memory);
  ADD("frames-of-their-own", test_frames_of_their_own);
  ADD("failing", test_failing);
  ADD("stop-keeps", test_stop_keeps);
  ADD("partial", test_partial);
#undef ADD
  return g_test_run();
}
