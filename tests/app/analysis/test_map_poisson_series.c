/* SPDX-License-Identifier: MIT */
/* Poisson-Boltzmann's equation over many frames, shared over devices, is what one processor solves frame by frame: maps,
 * energies and the table of residues; in blocks, with devices that fail in the middle of a frame, and stopped. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "app/analysis/analysis_list.h"
#include "data/files/error.h"
#include "tests/support/fake_backend.h"
#include "tests/support/map_series.h"
#include "tests/support/plans.h"

#define N_ATOMS 4
#define N_FRAMES 12
/* Solutions that begin elsewhere agree within what the residual lets them. */
#define SAME 2e-5

typedef DebyeMapSeries Fixture;

/* A chain that bends with the frame, Å. */
static void
append_atom(GString *text, int atom, int frame)
{
  char n[3][G_ASCII_DTOSTR_BUF_SIZE];
  const double place[3] = {3.0 * atom, 0.1 * frame * sin(1.3 * atom), 0.15 * frame * cos(0.7 * atom)};
  for (int axis = 0; axis < 3; axis++)
    g_string_append_printf(text, " %s", g_ascii_formatd(n[axis], sizeof n[axis], "%.4f", place[axis]));
}

static char *
write_pqr(void)
{
  GString *text = g_string_new(NULL);
  for (int atom = 0; atom < N_ATOMS; atom++) {
    g_string_append_printf(text, "ATOM %d C MOL %d", atom + 1, 1 + atom / 2);
    append_atom(text, atom, 0);
    g_string_append_printf(text, " %s 1.9\n", atom % 2 == 0 ? "1.0" : "-0.5");
  }
  return g_string_free(text, FALSE);
}

/* In frames that are bad the last atom is far beyond the grid. The comment is that of each frame. */
static char *
write_xyz(const int *bad, gsize n_bad, const char *comment)
{
  GString *text = g_string_new(NULL);
  for (int frame = 0; frame < N_FRAMES; frame++) {
    gboolean is_bad = FALSE;
    for (gsize i = 0; i < n_bad; i++)
      is_bad |= bad[i] == frame;
    g_string_append_printf(text, "%d\n%s\n", N_ATOMS, comment);
    for (int atom = 0; atom < N_ATOMS; atom++) {
      g_string_append(text, "C");
      append_atom(text, is_bad && atom == N_ATOMS - 1 ? 100 : atom, frame);
      g_string_append(text, "\n");
    }
  }
  return g_string_free(text, FALSE);
}

static void
set_up(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *pqr = write_pqr(), *xyz = write_xyz(NULL, 0, "frame");
  debye_map_series_init(fixture, 3, pqr, "xyz", xyz);
}

static void
tear_down(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  debye_map_series_clear(fixture);
}

static DebyeRequest *
new_request(const char *device, const char *const *more)
{
  static const char *const common[] = {"method",   "pb",   "select",   "all",          "spacing",   "1",
                                       "padding",  "6",    "boundary", "debye-huckel", "residual",  "1e-7",
                                       "energies", "true", "nonpolar", "0.005,0.9",    "superpose", "none",
                                       "follow",   "all",  NULL};
  return debye_map_series_ask(device, common, more);
}

static DebyeResult *
run(const Fixture *fixture, const char *device, const char *const *more, const DebyeRunCallbacks *callbacks,
    GError **error)
{
  g_autoptr(DebyeRequest) request = new_request(device, more);
  return debye_map_series_run(fixture, request, callbacks, error);
}

static void
estimate(const Fixture *fixture, const char *device, const char *const *more, DebyeEstimate *found)
{
  g_autoptr(DebyeRequest) request = new_request(device, more);
  g_autoptr(GError) error = NULL;
  const DebyeRunInput input = {
      .dataset = fixture->dataset, .request = request, .registry = fixture->registry};
  *found = (DebyeEstimate){0};
  g_assert_true(plan_and_estimate(&debye_analysis_map, &input, found, &error));
  g_assert_no_error(error);
}

/* The bytes of all devices. */
static guint64
estimate_devices(const Fixture *fixture, const char *device)
{
  DebyeEstimate found;
  estimate(fixture, device, NULL, &found);
  const guint64 bytes = found.device_bytes;
  debye_estimate_clear(&found);
  return bytes;
}

static guint64
estimate_host(const Fixture *fixture, const char *const *more)
{
  DebyeEstimate found;
  estimate(fixture, "cpu", more, &found);
  const guint64 bytes = found.host_bytes;
  debye_estimate_clear(&found);
  return bytes;
}

static DebyeTable *
find_table(DebyeResult *result, const char *name)
{
  GListModel *tables = debye_result_get_tables(result);
  for (guint i = 0; i < g_list_model_get_n_items(tables); i++) {
    g_autoptr(DebyeTable) table = g_list_model_get_item(tables, i);
    if (strcmp(debye_table_get_name(table), name) == 0)
      return table;
  }
  g_assert_not_reached();
}

/* All numbers of both tables but how many cycles it took and how near that came. */
static void
compare_tables(DebyeTable *found, DebyeTable *expected)
{
  const gsize n_rows = debye_table_get_n_rows(expected);
  g_assert_cmpuint(debye_table_get_n_rows(found), ==, n_rows);
  for (gsize column = 0; column < debye_table_get_n_columns(expected); column++) {
    const double *numbers = debye_table_get_numbers(expected, column);
    const char *name = debye_table_get_quantity(expected, column)->name;
    if (numbers == NULL || strcmp(name, "cycles") == 0 || strcmp(name, "residual") == 0)
      continue;
    for (gsize row = 0; row < n_rows; row++)
      g_assert_cmpfloat_with_epsilon(debye_table_get_numbers(found, column)[row], numbers[row],
                                     SAME * MAX(fabs(numbers[row]), 1.0));
  }
}

/* Those over time among them. */
static void
compare_curves(GListModel *found, GListModel *expected)
{
  g_assert_cmpuint(g_list_model_get_n_items(found), ==, g_list_model_get_n_items(expected));
  for (guint i = 0; i < g_list_model_get_n_items(expected); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(found, i);
    g_autoptr(DebyeCurve) other = g_list_model_get_item(expected, i);
    g_assert_cmpstr(debye_curve_get_name(curve), ==, debye_curve_get_name(other));
    g_assert_cmpuint(debye_curve_get_n_points(curve), ==, debye_curve_get_n_points(other));
    for (gsize k = 0; k < debye_curve_get_n_points(other); k++) {
      const double y = debye_curve_get_y(other)[k];
      g_assert_cmpfloat(debye_curve_get_x(curve)[k], ==, debye_curve_get_x(other)[k]);
      g_assert_cmpfloat_with_epsilon(debye_curve_get_y(curve)[k], y, SAME * MAX(fabs(y), 1.0));
    }
  }
}

static void
compare(DebyeResult *found, DebyeResult *expected)
{
  GListModel *fields = debye_result_get_fields(found), *others = debye_result_get_fields(expected);
  g_assert_cmpuint(g_list_model_get_n_items(fields), ==, g_list_model_get_n_items(others));
  for (guint i = 0; i < g_list_model_get_n_items(fields); i++) {
    g_autoptr(DebyeField) field = g_list_model_get_item(fields, i);
    g_autoptr(DebyeField) other = g_list_model_get_item(others, i);
    DebyeFieldStatistics statistics;
    debye_field_get_statistics(other, &statistics);
    for (gsize k = 0; k < debye_grid_n_points(debye_field_get_grid(other)); k++)
      g_assert_cmpfloat_with_epsilon((double)debye_field_get_values(field)[k],
                                     (double)debye_field_get_values(other)[k], SAME * statistics.rms);
  }
  compare_curves(debye_result_get_curves(found), debye_result_get_curves(expected));
  compare_tables(find_table(found, DEBYE_TABLE_OF_SUMMARY), find_table(expected, DEBYE_TABLE_OF_SUMMARY));
  compare_tables(find_table(found, DEBYE_TABLE_OF_RESIDUES), find_table(expected, DEBYE_TABLE_OF_RESIDUES));
}

/* Shared over the devices, against frame by frame. */
static void
compare_ways(const Fixture *fixture, const char *devices, const char *const *more)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeResult) found = run(fixture, devices, more, NULL, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeResult) expected = run(fixture, "cpu", more, NULL, &error);
  g_assert_no_error(error);
  g_assert_true(debye_map_series_has_note(found, " frames in "));
  g_assert_true(debye_map_series_has_note(expected, " equations in "));
  g_assert_true(debye_map_series_has_note(found, "13 of 13 used"));
  g_assert_false(debye_result_is_partial(found));
  compare(found, expected);
}

/* Every device had some frames. */
static void
check_all_used(int n)
{
  for (int i = 0; i < n; i++)
    g_assert_cmpuint(atomic_load(&debye_fake_device(i)->n_executed), >, 0);
}

static void
test_shared(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  compare_ways(fixture, "fake:0,fake:1", NULL);
  check_all_used(2);
  compare_ways(fixture, "fake:0,fake:1,fake:2", NULL);
  check_all_used(3);
}

static void
test_settings(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  compare_ways(fixture, "fake:0,fake:1", (const char *const[]){"blocks", "3", NULL});
  compare_ways(fixture, "fake:0,fake:1", (const char *const[]){"statistic", "max", NULL});
  compare_ways(fixture, "fake:0,fake:1", (const char *const[]){"boundary", "focus", NULL});
  compare_ways(fixture, "fake:0,fake:1", (const char *const[]){"equation", "nonlinear", NULL});
  compare_ways(fixture, "fake:0,fake:1", (const char *const[]){"binding", "resid 1 | resid 2", NULL});
  compare_ways(fixture, "fake:0,fake:1",
               (const char *const[]){"reaction", "true", "grid-error", "true", NULL});
}

/* Frames beside a processor, which does what no other is left for. */
static void
test_failing(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  /* A frame is of two equations: the second of its first one fails, too. */
  for (unsigned fail_at = 1; fail_at < 5; fail_at++) {
    debye_fake_reset(3);
    debye_fake_device(1)->fail_at = fail_at;
    compare_ways(fixture, "fake:0,fake:1", NULL);
    debye_fake_device(0)->fail_at = fail_at + 1;
    compare_ways(fixture, "fake:0,fake:1,cpu", NULL);
  }
}

static void
test_no_memory(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  debye_fake_device(0)->create_code = DEBYE_STATUS_NO_MEMORY;
  compare_ways(fixture, "fake:0,fake:1", NULL);
  debye_fake_device(1)->create_code = DEBYE_STATUS_NO_MEMORY;
  compare_ways(fixture, "fake:0,fake:1,cpu", NULL);
  g_autoptr(DebyeResult) none = run(fixture, "fake:0,fake:1", NULL, NULL, &error);
  g_assert_null(none);
  g_assert_nonnull(
      strstr(error->message, "No device is left to compute on. The last one reported: Fake device"));
}

/* What fits on none of the devices is refused before anything is made on one; on one of them, or with a processor, it runs. */
static void
test_too_large(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  debye_fake_device(0)->bytes = debye_fake_device(1)->bytes = (guint64)1 << 31;
  g_autoptr(DebyeResult) none = run(fixture, "fake:0,fake:1", NULL, NULL, &error);
  g_assert_null(none);
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY);
  g_assert_true(g_str_has_prefix(error->message, "Grid spacing: "));
  g_assert_nonnull(strstr(error->message,
                          "points need 4.0 GiB of a device's memory, but Fake device 0 has only "
                          "973 MiB; expected a wider spacing, or the processor"));
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_executed), ==, 0);
  g_clear_error(&error);
  g_autoptr(DebyeResult) beside = run(fixture, "fake:0,cpu", NULL, NULL, &error);
  g_assert_no_error(error);
  debye_fake_device(1)->bytes = 0;
  g_autoptr(DebyeResult) on_other = run(fixture, "fake:0,fake:1", NULL, NULL, &error);
  g_assert_no_error(error);
}

/* What fits on no device alone is solved by as many as it takes, which share no frames then and are named together. */
static void
test_slabs(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  debye_fake_device(0)->bytes = debye_fake_device(1)->bytes = (guint64)1 << 31;
  debye_fake_share_equations(2);
  g_autoptr(DebyeResult) none = run(fixture, "fake:0,fake:1", NULL, NULL, &error);
  g_assert_null(none);
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY);
  g_assert_nonnull(strstr(error->message,
                          "points need 4.0 GiB of the devices' memory, but all 2 together have "
                          "only 1.9 GiB; expected a wider spacing, or the processor"));
  g_clear_error(&error);
  /* A third device that has no part in it doesn't count. */
  debye_fake_device(2)->bytes = (guint64)1 << 31;
  g_autoptr(DebyeResult) more = run(fixture, "fake:0,fake:1,fake:2", NULL, NULL, &error);
  g_assert_null(more);
  g_assert_nonnull(strstr(error->message, "but all 2 together have only 1.9 GiB"));
  g_clear_error(&error);
  /* Together they have just enough, but one has a plane more than its half. */
  debye_fake_device(0)->bytes = debye_fake_device(1)->bytes = (guint64)(0.95 * (double)(1 << 30));
  g_autoptr(DebyeResult) scarce = run(fixture, "fake:0,fake:1", NULL, NULL, &error);
  g_assert_null(scarce);
  g_assert_nonnull(
      strstr(error->message, "points need 1.9 GiB of a device's memory, but Fake device 0 has only 973 MiB"));
  g_clear_error(&error);
  debye_fake_device(0)->bytes = debye_fake_device(1)->bytes = (guint64)3 << 28;
  g_autoptr(DebyeResult) together = run(fixture, "fake:0,fake:1", NULL, NULL, &error);
  g_assert_no_error(error);
  g_assert_true(debye_map_series_has_note(together, "Fake device 0 + Fake device 1"));
  g_assert_true(debye_map_series_has_note(together, " equations in "));
  g_autoptr(DebyeResult) alone = run(fixture, "cpu", NULL, NULL, &error);
  g_assert_no_error(error);
  compare(together, alone);
}

/* The memory of all devices that have equations, and which: those that share one, of three as few as have the memory, or each
 * with its own frames. Solvent and vacuum are two equations. */
static void
test_estimate(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  DebyeEstimate split;
  for (int i = 0; i < 3; i++)
    debye_fake_device(i)->bytes = (guint64)3 << 28;
  debye_fake_share_equations(3);
  estimate(fixture, "fake:0,fake:1,fake:2,cpu", NULL, &split);
  g_assert_cmpstr(split.devices, ==, "Fake device 0 + Fake device 1");
  g_assert_cmpuint(split.device_bytes, >, (guint64)5 << 28);
  g_assert_cmpuint(split.device_bytes, <=, (guint64)6 << 28);
  debye_estimate_clear(&split);
  for (int i = 0; i < 3; i++)
    debye_fake_device(i)->bytes = 1 << 20;
  g_assert_cmpuint(estimate_devices(fixture, "fake:0,fake:1"), ==, (guint64)4 << 20);
  g_assert_cmpuint(estimate_devices(fixture, "fake:0"), ==, (guint64)2 << 20);
}

/* Devices share what they make: others are said not to help with `what`. One has no others to share with. */
static void
check_not_split(Fixture *fixture, const char *const *settings, const char *what)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *part = g_strdup_printf(", and several devices share only an equation that they make "
                                          "themselves, not one with %s; expected a wider",
                                          what);
  for (int i = 0; i < 2; i++)
    debye_fake_device(i)->bytes = (guint64)3 << 29;
  debye_fake_share_equations(2);
  g_autoptr(DebyeResult) none = run(fixture, "fake:0,fake:1", settings, NULL, &error);
  g_assert_null(none);
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY);
  g_assert_nonnull(strstr(error->message, part));
  g_clear_error(&error);
  g_autoptr(DebyeResult) one = run(fixture, "fake:0", settings, NULL, &error);
  g_assert_null(one);
  g_assert_null(strstr(error->message, "several devices"));
}

static void
test_not_split(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const membrane[] = {"membrane", "-3,3,2", "boundary", "zero", NULL},
                           *const smoothed[] = {"as-apbs", "true", NULL},
                           *const periodic[] = {"periodic", "xyz", "boundary", "zero", "energies", "false",
                                                "follow",   "",    "frames",   "1:",   NULL};
  g_autofree char *cells = write_xyz(NULL, 0, "Lattice=\"24 0 0 0 24 0 0 0 24\"");
  check_not_split(fixture, membrane, "a membrane");
  check_not_split(fixture, smoothed, "a smoothed permittivity");
  debye_map_series_replace(fixture, cells);
  check_not_split(fixture, periodic, "a periodic cell");
}

/* Maps that an earlier run wrote. */
static void
test_given_not_split(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const parts[] = {"dielx", "diely", "dielz", "ions", "charge"};
  g_autoptr(GError) error = NULL;
  g_autofree char *name = g_build_filename(fixture->folder, "used", NULL),
                  *ions = g_strconcat(name, "-ions.dx", NULL);
  g_autoptr(DebyeResult) writes =
      run(fixture, "cpu",
          (const char *const[]){"energies", "false", "follow", "", "frames", "0", "write-maps", name, NULL},
          NULL, &error);
  g_assert_no_error(error);
  check_not_split(fixture, (const char *const[]){"energies", "false", "follow", "", "ion-map", ions, NULL},
                  "maps that are given");
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
    g_autofree char *path = g_strdup_printf("%s-%s.dx", name, parts[i]);
    g_assert_cmpint(g_unlink(path), ==, 0);
  }
}

/* Of several frames that no device can solve the first is named, though other devices may come to theirs before. */
static void
test_bad_frames(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const int bad[] = {4, 5, 6, 11};
  g_autofree char *xyz = write_xyz(bad, G_N_ELEMENTS(bad), "frame");
  debye_map_series_replace(fixture, xyz);
  for (int round = 0; round < 10; round++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeResult) none =
        run(fixture, round % 2 == 0 ? "fake:0,fake:1,fake:2" : "fake:0,fake:1", NULL, NULL, &error);
    g_assert_null(none);
    g_assert_nonnull(error);
    g_assert_nonnull(strstr(error->message, "frame 5: "));
  }
}

/* Curves are memory, too: of two residues a value, a time and a potential, and of each frame as much. */
static void
test_followed(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const none[] = {"follow", "", NULL}, *const one[] = {"follow", "resid 1", NULL};
  const guint64 with_none = estimate_host(fixture, none);
  g_assert_cmpuint(estimate_host(fixture, one) - with_none, ==, 2 * 24 * (N_FRAMES + 1));
  g_assert_cmpuint(estimate_host(fixture, NULL) - with_none, ==, 3 * 24 * (N_FRAMES + 1));
}

/* One device has no other to share with; and with little memory one solver is all there is room for. */
static void
test_not_shared(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeResult) alone = run(fixture, "fake:0,cpu", NULL, NULL, &error);
  g_assert_no_error(error);
  g_assert_true(debye_map_series_has_note(alone, " equations in "));
  debye_fake_device(0)->bytes = debye_fake_device(1)->bytes = 1000;
  g_autoptr(DebyeResult) little =
      run(fixture, "fake:0,fake:1", (const char *const[]){"memory", "1M", NULL}, NULL, &error);
  g_assert_no_error(error);
  g_assert_true(debye_map_series_has_note(little, " equations in "));
  compare(little, alone);
}

/* --- Callbacks --- */

typedef struct {
  bool stop;
  double stop_at;
} Watch;

static void
on_progress(double fraction, const char *message G_GNUC_UNUSED, gpointer data)
{
  Watch *watch = data;
  if (fraction >= watch->stop_at)
    __atomic_store_n(&watch->stop, true, __ATOMIC_RELAXED);
}

static gsize
count_used(DebyeResult *result)
{
  for (gsize n = 1; n <= N_FRAMES; n++) {
    g_autofree char *part = g_strdup_printf(" %" G_GSIZE_FORMAT " of %d used", n, N_FRAMES + 1);
    if (debye_map_series_has_note(result, part))
      return n;
  }
  g_assert_not_reached();
}

static DebyeResult *
stop(const Fixture *fixture, const char *devices)
{
  Watch watch = {.stop_at = 0.3};
  const DebyeRunCallbacks callbacks = {.cancel = &watch.stop, .progress = on_progress, .data = &watch};
  g_autoptr(GError) error = NULL;
  DebyeResult *result = run(fixture, devices, NULL, &callbacks, &error);
  g_assert_no_error(error);
  g_assert_true(debye_result_is_partial(result));
  g_assert_true(debye_map_series_has_note(result, "Reaction field energy"));
  return result;
}

/* A frame that was under way leaves nothing of itself: sums are of the same frames as the map. */
static void
test_stop(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeResult) shared = stop(fixture, "fake:0,fake:1");
  g_assert_cmpuint(count_used(shared), <, N_FRAMES + 1);
  g_autoptr(DebyeResult) alone = stop(fixture, "cpu");
  g_autofree char *frames = g_strdup_printf("0:%" G_GSIZE_FORMAT, count_used(alone) - 1);
  g_autoptr(DebyeResult) whole =
      run(fixture, "cpu", (const char *const[]){"frames", frames, NULL}, NULL, &error);
  g_assert_no_error(error);
  compare(alone, whole);
}

/* In the middle of the third frame, whose second partner is the sixth that is solved: what was found of it counts for nothing. */
static void
test_stop_within(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const binding[] = {"binding", "resid 1 | resid 2", NULL};
  static const char *const first[] = {"binding", "resid 1 | resid 2", "frames", "0:1", NULL};
  g_autoptr(GError) error = NULL;
  debye_fake_device(0)->fail_at = 6;
  debye_fake_device(0)->execute_code = DEBYE_STATUS_CANCELLED;
  g_autoptr(DebyeResult) result = run(fixture, "fake:0", binding, NULL, &error);
  g_assert_no_error(error);
  g_assert_true(debye_result_is_partial(result));
  g_assert_cmpuint(count_used(result), ==, 2);
  g_autoptr(DebyeResult) whole = run(fixture, "cpu", first, NULL, &error);
  g_assert_no_error(error);
  compare(result, whole);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
#define ADD(name, function) \
  g_test_add("/map-poisson-series/" name, Fixture, NULL, set_up, function, tear_down)
  ADD("shared", test_shared);
  ADD("settings", test_settings);
  ADD("failing", test_failing);
  ADD("no-memory", test_no_memory);
  ADD("too-large", test_too_large);
  ADD("slabs", test_slabs);
  ADD("estimate", test_estimate);
  ADD("not-split", test_not_split);
  ADD("given-not-split", test_given_not_split);
  ADD("bad-frames", test_bad_frames);
  ADD("followed", test_followed);
  ADD("not-shared", test_not_shared);
  ADD("stop", test_stop);
  ADD("stop-within", test_stop_within);
#undef ADD
  return g_test_run();
}
