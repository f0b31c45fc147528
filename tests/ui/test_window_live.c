/* SPDX-License-Identifier: MIT */
/* Maps of the frames that a window shows, by the salt sample: the newest frame gets one, what is out of date
 * may not; off means off, what fails says so, and nothing comes after the end. */
#include "app/analysis/map/map_live.h"
#include "app/analysis/map/map_settings.h"
#include "data/work/threads.h"
#include "app/window/window_live.h"

#define PATIENCE (60 * G_USEC_PER_SEC) /* for a machine that is busy */
#define N_SHOWN 12

typedef struct {
  DebyeDataset *dataset;
  DebyeDevices *devices;
  DebyeWindowLive *live;
  guint n_computed;
  DebyeField *newest;
  char *reason;
} Fixture;

static void
on_computed(Fixture *fixture, DebyeField *field)
{
  g_assert_true(g_main_context_is_owner(g_main_context_default()));
  fixture->n_computed++;
  g_set_object(&fixture->newest, field);
}

static void
on_failed(Fixture *fixture, const char *reason)
{
  g_free(fixture->reason);
  fixture->reason = g_strdup(reason);
}

static void
set_up(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  const char *folder = g_getenv("DEBYE_SAMPLES_DIR");
  g_assert_nonnull(folder);
  g_autofree char *topology = g_build_filename(folder, "salt.psf", NULL);
  g_autofree char *frames = g_build_filename(folder, "salt.xtc", NULL);
  fixture->dataset = debye_dataset_open((const char *const[]){topology, frames, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  fixture->devices = debye_devices_new();
  fixture->live = debye_window_live_new(fixture->devices);
  g_signal_connect_swapped(fixture->live, "computed", G_CALLBACK(on_computed), fixture);
  g_signal_connect_swapped(fixture->live, "failed", G_CALLBACK(on_failed), fixture);
}

static void
tear_down(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  debye_window_live_stop(fixture->live);
  g_object_unref(fixture->live);
  debye_threads_wait_for_all();
  debye_devices_unref(fixture->devices);
  g_clear_object(&fixture->newest);
  g_clear_object(&fixture->dataset);
  g_free(fixture->reason);
}

static DebyeRequest *
new_request(const char *selection)
{
  g_autoptr(GError) error = NULL;
  DebyeRequest *request = debye_request_new(&debye_map_settings);
  debye_request_set(request, "select", selection, &error);
  g_assert_no_error(error);
  debye_request_set(request, "spacing", "1", &error);
  g_assert_no_error(error);
  return request;
}

static DebyeFrame *
read_frame(const Fixture *fixture, gsize index)
{
  g_autoptr(GError) error = NULL;
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(fixture->dataset);
  DebyeTrajectoryReader *reader = debye_trajectory_reader_new(trajectory, &error);
  g_assert_no_error(error);
  DebyeFrame *frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  g_assert_true(debye_trajectory_reader_read(reader, index, frame, &error));
  debye_trajectory_reader_free(reader);
  return frame;
}

static void
show(const Fixture *fixture, gsize index)
{
  g_autoptr(DebyeFrame) frame = read_frame(fixture, index);
  debye_window_live_show(fixture->live, frame);
}

static void
start(const Fixture *fixture, const char *selection)
{
  g_autoptr(DebyeRequest) request = new_request(selection);
  debye_window_live_start(fixture->live, fixture->dataset, request);
}

static gboolean
shows_frame(const Fixture *fixture, DebyeField *expected)
{
  gsize n = debye_grid_n_points(debye_field_get_grid(expected));
  double largest = 0.0;
  DebyeFieldStatistics statistics;
  if (fixture->newest == NULL || n != debye_grid_n_points(debye_field_get_grid(fixture->newest)))
    return FALSE;
  debye_field_get_statistics(expected, &statistics);
  for (gsize i = 0; i < n; i++)
    largest = MAX(largest, fabs((double)debye_field_get_values(fixture->newest)[i] -
                                (double)debye_field_get_values(expected)[i]));
  return largest <= 1e-4 * statistics.rms;
}

static DebyeField *
expect(const Fixture *fixture, const char *selection, gsize index)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = new_request(selection);
  g_autoptr(DebyeFrame) frame = read_frame(fixture, index);
  g_autoptr(DebyeMapLive) alone =
      debye_map_live_new(fixture->dataset, request, debye_devices_wait(fixture->devices), &error);
  g_assert_no_error(error);
  DebyeField *field = debye_map_live_compute(alone, frame, NULL, &error);
  g_assert_no_error(error);
  return field;
}

static gboolean
wake(gpointer data G_GNUC_UNUSED)
{
  return G_SOURCE_CONTINUE;
}

/* Until the newest map is this one; the main loop goes on meanwhile. */
static void
wait_for_map(const Fixture *fixture, DebyeField *expected)
{
  gint64 end = g_get_monotonic_time() + PATIENCE;
  guint timer = g_timeout_add(20, wake, NULL);
  while (!shows_frame(fixture, expected) && g_get_monotonic_time() < end)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(timer);
  g_assert_true(shows_frame(fixture, expected));
}

static void
run_for(guint milliseconds)
{
  gint64 end = g_get_monotonic_time() + 1000 * (gint64)milliseconds;
  guint timer = g_timeout_add(10, wake, NULL);
  while (g_get_monotonic_time() < end)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(timer);
}

static void
test_newest(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeField) expected = expect(fixture, "ion", N_SHOWN - 1);
  start(fixture, "ion");
  g_assert_true(debye_window_live_is_on(fixture->live));
  for (gsize i = 0; i < N_SHOWN; i++)
    show(fixture, i);
  wait_for_map(fixture, expected);
  g_assert_cmpuint(fixture->n_computed, >=, 1);
  g_assert_cmpuint(fixture->n_computed, <=, N_SHOWN);
  /* One more, so that there is one that the devices' start is not part of. */
  g_autoptr(DebyeField) another = expect(fixture, "ion", 20);
  show(fixture, 20);
  wait_for_map(fixture, another);
  g_assert_cmpfloat(debye_window_live_get_rate(fixture->live), >, 0.0);
  g_assert_null(fixture->reason);
}

static void
test_off_and_on(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeField) first = expect(fixture, "ion", 3);
  g_autoptr(DebyeField) second = expect(fixture, "water", 3);
  start(fixture, "ion");
  show(fixture, 3);
  wait_for_map(fixture, first);
  debye_window_live_end(fixture->live);
  g_assert_false(debye_window_live_is_on(fixture->live));
  guint n_before = fixture->n_computed;
  show(fixture, 5);
  run_for(200);
  g_assert_cmpuint(fixture->n_computed, ==, n_before);
  /* Other settings, straight after one another: only the last ones count. */
  start(fixture, "ion");
  show(fixture, 7);
  start(fixture, "water");
  show(fixture, 3);
  wait_for_map(fixture, second);
}

static void
test_failed(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gint64 end = g_get_monotonic_time() + PATIENCE;
  guint timer = g_timeout_add(20, wake, NULL);
  start(fixture, "name NONE");
  show(fixture, 0);
  while (fixture->reason == NULL && g_get_monotonic_time() < end)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(timer);
  g_assert_nonnull(fixture->reason);
  g_assert_nonnull(strstr(fixture->reason, "name NONE"));
  g_assert_false(debye_window_live_is_on(fixture->live));
  g_assert_cmpuint(fixture->n_computed, ==, 0);
}

/* Also while a map is being computed: it is given up, and nobody hears of it. */
static void
test_end(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  start(fixture, "all");
  for (gsize i = 0; i < N_SHOWN; i++)
    show(fixture, i);
  debye_window_live_stop(fixture->live);
  guint n_before = fixture->n_computed;
  run_for(200);
  g_assert_cmpuint(fixture->n_computed, ==, n_before);
  g_assert_false(debye_window_live_is_on(fixture->live));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
#define ADD(name, function) g_test_add("/window-live/" name, Fixture, NULL, set_up, function, tear_down)
  ADD("newest", test_newest);
  ADD("off-and-on", test_off_and_on);
  ADD("failed", test_failed);
  ADD("end", test_end);
#undef ADD
  return g_test_run();
}
