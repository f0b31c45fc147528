/* SPDX-License-Identifier: MIT */
/* The map of the frame that is shown is the map of that frame alone, on one grid for all frames, and its
 * memory is used again. */
#include <glib/gstdio.h>
#include <math.h>

#include "app/analysis/analysis_list.h"
#include "app/analysis/driver/dataset_choice.h"
#include "app/analysis/map/map_live.h"
#include "app/analysis/map/map_settings.h"
#include "data/files/error.h"
#include "data/molecule/periodic.h"
#include "tests/support/fake_backend.h"
#include "tests/support/plans.h"
#include "kernels/cpu/backend_cpu.h"

#define N_ATOMS 20
#define N_FRAMES 6

typedef struct {
  DebyeDataset *dataset;
  DebyeRegistry *registry;
  char *folder, *pqr, *xyz;
} Fixture;

static double
coordinate(int atom, int frame, int axis)
{
  return 1.8 * (axis == 0   ? atom % 3
                : axis == 1 ? atom / 3 % 3
                            : atom / 9) +
         0.2 * sin(0.9 * frame + 1.7 * atom + axis);
}

static void
append_place(GString *text, int atom, int frame)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  for (int axis = 0; axis < 3; axis++)
    g_string_append_printf(text, " %s",
                           g_ascii_formatd(number, sizeof number, "%.4f", coordinate(atom, frame, axis)));
}

static void
write_files(const Fixture *fixture)
{
  g_autoptr(GString) pqr = g_string_new(NULL);
  g_autoptr(GString) xyz = g_string_new(NULL);
  for (int atom = 0; atom < N_ATOMS; atom++) {
    g_string_append_printf(pqr, "ATOM %d C MOL %d", atom + 1, 1 + atom / 10);
    append_place(pqr, atom, 0);
    g_string_append_printf(pqr, " %s 1.7\n", atom % 2 == 0 ? "0.4" : "-0.35");
  }
  for (int frame = 0; frame < N_FRAMES; frame++) {
    g_string_append_printf(xyz, "%d\nframe %d\n", N_ATOMS, frame);
    for (int atom = 0; atom < N_ATOMS; atom++) {
      g_string_append(xyz, "C");
      append_place(xyz, atom, frame);
      g_string_append(xyz, "\n");
    }
  }
  g_assert_true(g_file_set_contents(fixture->pqr, pqr->str, -1, NULL));
  g_assert_true(g_file_set_contents(fixture->xyz, xyz->str, -1, NULL));
}

static void
set_up(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  fixture->folder = g_dir_make_tmp("debye-live-XXXXXX", NULL);
  fixture->pqr = g_build_filename(fixture->folder, "still.pqr", NULL);
  fixture->xyz = g_build_filename(fixture->folder, "moving.xyz", NULL);
  write_files(fixture);
  fixture->dataset =
      debye_dataset_open((const char *const[]){fixture->pqr, fixture->xyz, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  debye_fake_reset(1);
  fixture->registry = debye_registry_new(&debye_backend_cpu, NULL);
  debye_registry_add(fixture->registry, &debye_fake_backend);
}

static void
tear_down(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_plans), ==, 0);
  g_clear_object(&fixture->dataset);
  debye_registry_free(fixture->registry);
  g_remove(fixture->pqr);
  g_remove(fixture->xyz);
  g_rmdir(fixture->folder);
  g_free(fixture->folder);
  g_free(fixture->pqr);
  g_free(fixture->xyz);
}

static DebyeRequest *
new_request(const char *const *pairs)
{
  DebyeRequest *request = debye_request_new(&debye_map_settings);
  for (; *pairs != NULL; pairs += 2) {
    g_autoptr(GError) error = NULL;
    debye_request_set(request, pairs[0], pairs[1], &error);
    g_assert_no_error(error);
  }
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

/* As the analysis computes it, on the grid of the frame that the live map begins with. */
static DebyeField *
expect(const Fixture *fixture, const char *const *pairs, gsize frame, const DebyeGrid *grid)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = new_request(pairs);
  g_autofree char *index = g_strdup_printf("%" G_GSIZE_FORMAT, frame);
  g_autofree char *origin =
      g_strdup_printf("%.17g,%.17g,%.17g", grid->origin.x, grid->origin.y, grid->origin.z);
  g_autofree char *shape = g_strdup_printf("%" G_GSIZE_FORMAT ",%" G_GSIZE_FORMAT ",%" G_GSIZE_FORMAT,
                                           grid->shape[0], grid->shape[1], grid->shape[2]);
  debye_request_set(request, "frames", index, NULL);
  debye_request_set(request, "statistic", "mean", NULL);
  debye_request_set(request, "blocks", "0", NULL);
  debye_request_set(request, "superpose", "", NULL);
  debye_request_set(request, "origin", origin, NULL);
  debye_request_set(request, "shape", shape, NULL);
  debye_request_set(request, "device", "cpu", NULL);
  g_autoptr(DebyeDataset) dataset = debye_dataset_choose(fixture->dataset, request, NULL, &error);
  g_assert_no_error(error);
  const DebyeRunInput input = {.dataset = dataset, .request = request, .registry = fixture->registry};
  g_autoptr(DebyeResult) result = plan_and_run(&debye_analysis_map, &input, &error);
  g_assert_no_error(error);
  return g_list_model_get_item(debye_result_get_fields(result), 0);
}

static void
compare(DebyeField *found, DebyeField *expected)
{
  gsize n = debye_grid_n_points(debye_field_get_grid(expected));
  DebyeFieldStatistics statistics;
  debye_field_get_statistics(expected, &statistics);
  g_assert_cmpuint(n, ==, debye_grid_n_points(debye_field_get_grid(found)));
  g_assert_cmpstr(debye_field_get_unit(found), ==, debye_field_get_unit(expected));
  /* The origin goes through text: that, and sums in float in another order. */
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon(
        (double)debye_field_get_values(found)[i], (double)debye_field_get_values(expected)[i],
        2e-5 * (statistics.rms + fabs((double)debye_field_get_values(expected)[i])));
}

static void
follow_frames(const Fixture *fixture, const char *const *pairs)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = new_request(pairs);
  g_autoptr(DebyeMapLive) live = debye_map_live_new(fixture->dataset, request, fixture->registry, &error);
  g_assert_no_error(error);
  for (gsize i = 0; i < N_FRAMES; i += 2) {
    g_autoptr(DebyeFrame) frame = read_frame(fixture, i);
    g_autoptr(DebyeField) found = debye_map_live_compute(live, frame, NULL, &error);
    g_assert_no_error(error);
    g_autoptr(DebyeField) expected = expect(fixture, pairs, i, debye_field_get_grid(found));
    compare(found, expected);
  }
  g_assert_cmpuint(debye_map_live_get_n_allocated(live), ==, 1);
}

static void
test_frames(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  follow_frames(fixture, (const char *const[]){"device", "cpu", "spacing", "1", NULL});
  follow_frames(fixture, (const char *const[]){"device", "fake:0", "spacing", "1", "unit", "mV", NULL});
  follow_frames(fixture, (const char *const[]){"spacing", "1", "precision", "double", NULL});
  follow_frames(fixture, (const char *const[]){"spacing", "1", "select", "within 4 of index 3", NULL});
  /* Each begins with the solution of the frame before. */
  follow_frames(fixture, (const char *const[]){"method", "pb", "device", "cpu", "spacing", "1", "select",
                                               "all", "superpose", "none", "residual", "1e-9", NULL});
}

/* Frames that a window shows without a cell are summed in the one that the form gives. */
static void
test_given_cell(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const char *const pairs[] = {"spacing", "1",    "origin",           "0,0,0", "shape", "8,8,8", "periodic",
                               "xyz",     "cell", "9,9,9.5,90,90,80", NULL};
  follow_frames(fixture, pairs);
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = new_request((const char *const[]){"spacing", "1", "cell", "9,9", NULL});
  g_assert_null(debye_map_live_new(fixture->dataset, request, fixture->registry, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SETTING);
  g_assert_true(g_str_has_prefix(error->message, "Cell: expected "));
}

/* What is of many frames doesn't matter for one. */
static void
test_averages_left_aside(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  follow_frames(fixture, (const char *const[]){"spacing", "1", "frames", "2:5", "statistic", "std", NULL});
  follow_frames(fixture, (const char *const[]){"spacing", "1", "frames", ":4", "blocks", "2", NULL});
}

/* In steps of the grid from its origin. */
static DebyeVec3
place_in_grid(const DebyeGrid *grid, DebyeVec3 position)
{
  const DebyeVec3 from = debye_vec3_subtract(position, grid->origin);
  double place[3];
  for (int axis = 0; axis < 3; axis++)
    place[axis] = debye_vec3_dot(from, grid->step[axis]) / debye_vec3_dot(grid->step[axis], grid->step[axis]);
  return debye_vec3(place[0], place[1], place[2]);
}

/* Of the first ten atoms, one residue of equal masses. */
static DebyeVec3
middle_of_residue(const DebyeFrame *frame)
{
  DebyeVec3 sum = {0};
  for (gsize i = 0; i < 10; i++)
    sum = debye_vec3_add(sum, debye_frame_get_position(frame, i));
  return debye_vec3_scale(sum, 0.1);
}

/* The mean over frames 0 and i, superposed, is of these two maps. */
static DebyeField *
expect_of_two(const Fixture *fixture, gsize i)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *frames = g_strdup_printf("0:%" G_GSIZE_FORMAT ":%" G_GSIZE_FORMAT, i, i);
  g_autoptr(DebyeRequest) request = new_request(
      (const char *const[]){"spacing", "1", "superpose", "resid 1", "device", "cpu", "frames", frames, NULL});
  const DebyeRunInput input = {
      .dataset = fixture->dataset, .request = request, .registry = fixture->registry};
  g_autoptr(DebyeResult) result = plan_and_run(&debye_analysis_map, &input, &error);
  g_assert_no_error(error);
  return g_list_model_get_item(debye_result_get_fields(result), 0);
}

/* The grid goes with the superposed atoms, and the values are those that an average takes, whichever frame is
 * shown first. */
static void
test_superposed(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request =
      new_request((const char *const[]){"spacing", "1", "device", "cpu", "superpose", "resid 1", NULL});
  g_autoptr(DebyeMapLive) live = debye_map_live_new(fixture->dataset, request, fixture->registry, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeFrame) first = read_frame(fixture, 0);
  g_autoptr(DebyeField) of_first = debye_map_live_compute(live, first, NULL, &error);
  g_assert_no_error(error);
  const DebyeGrid *grid = debye_field_get_grid(of_first);
  const DebyeVec3 place = place_in_grid(grid, middle_of_residue(first));
  for (gsize i = 5; i >= 3; i--) {
    g_autoptr(DebyeFrame) frame = read_frame(fixture, i);
    g_autoptr(DebyeField) found = debye_map_live_compute(live, frame, NULL, &error);
    g_assert_no_error(error);
    const DebyeVec3 now = place_in_grid(debye_field_get_grid(found), middle_of_residue(frame));
    g_assert_cmpfloat(debye_vec3_length(debye_vec3_subtract(now, place)), <, 1e-5);
    g_assert_cmpfloat(
        debye_vec3_length(debye_vec3_subtract(debye_field_get_grid(found)->step[0], grid->step[0])), >, 1e-3);
    g_autoptr(DebyeField) mean = expect_of_two(fixture, i);
    const gsize n = debye_grid_n_points(grid);
    DebyeFieldStatistics statistics;
    debye_field_get_statistics(mean, &statistics);
    for (gsize at = 0; at < n; at++) {
      const double a = (double)debye_field_get_values(of_first)[at],
                   b = (double)debye_field_get_values(found)[at];
      g_assert_cmpfloat_with_epsilon(0.5 * (a + b), (double)debye_field_get_values(mean)[at],
                                     1e-4 * (statistics.rms + fabs(a) + fabs(b)));
    }
  }
}

/* A map that is shown keeps its values while others are computed, and when live mode has ended. */
static void
test_memory(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = new_request((const char *const[]){"spacing", "1", NULL});
  DebyeMapLive *live = debye_map_live_new(fixture->dataset, request, fixture->registry, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeFrame) frame = read_frame(fixture, 0);
  g_autoptr(DebyeFrame) other_frame = read_frame(fixture, 3);
  g_autoptr(DebyeField) kept = debye_map_live_compute(live, frame, NULL, &error);
  for (int i = 0; i < 50; i++) {
    g_autoptr(DebyeField) passing = debye_map_live_compute(live, other_frame, NULL, &error);
    g_assert_nonnull(passing);
  }
  g_assert_cmpuint(debye_map_live_get_n_allocated(live), ==, 2);
  g_autoptr(DebyeField) again = debye_map_live_compute(live, frame, NULL, &error);
  debye_map_live_free(live);
  compare(again, kept);
}

static void
test_ends(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const bool cancel = true;
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request =
      new_request((const char *const[]){"spacing", "1", "device", "fake:0", NULL});
  g_autoptr(DebyeMapLive) live = debye_map_live_new(fixture->dataset, request, fixture->registry, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeFrame) frame = read_frame(fixture, 1);
  g_assert_null(debye_map_live_compute(live, frame, &cancel, &error));
  g_assert_no_error(error);
  frame->x[3] = NAN;
  frame->n_bad = 1;
  g_assert_null(debye_map_live_compute(live, frame, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
  g_clear_error(&error);
  /* The device is gone for good. */
  debye_fake_device(0)->fail_at = 1;
  g_autoptr(DebyeFrame) good = read_frame(fixture, 1);
  g_autoptr(DebyeMapLive) broken = debye_map_live_new(fixture->dataset, request, fixture->registry, &error);
  g_assert_no_error(error);
  g_assert_null(debye_map_live_compute(broken, good, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_DEVICE);
}

static void
test_refused(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeRequest) request = new_request((const char *const[]){"select", "name NONE", NULL});
  g_assert_null(debye_map_live_new(fixture->dataset, request, fixture->registry, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SELECTION);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
#define ADD(name, function) g_test_add("/map-live/" name, Fixture, NULL, set_up, function, tear_down)
  ADD("frames", test_frames);
  ADD("superposed", test_superposed);
  ADD("averages-left-aside", test_averages_left_aside);
  ADD("given-cell", test_given_cell);
  ADD("memory", test_memory);
  ADD("ends", test_ends);
  ADD("refused", test_refused);
#undef ADD
  return g_test_run();
}
