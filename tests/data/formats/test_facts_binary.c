/* SPDX-License-Identifier: MIT */
/* Every DCD, XTC and TRR file among the reference files against what is known of it. Coordinates are compared
 * bit for bit: they are floats in the files, or integers that all programs turn into floats in the same way.
 */
#include <math.h>
#include <string.h>

#include "data/trajectory/trajectory.h"
#include "tests/support/temporary.h"
#include "tests/support/shared.h"

/* Facts that are wrong, with the reason why the format says otherwise. */
static const struct {
  const char *file, *key, *reason;
} exceptions[] = {
    {"dcd/mrmd_h2so4-32bit-be.dcd", "time_", "the library read the step without swapping its bytes"},
    {"trr/cell_shapes.trr", "box_last", "the last frame's header says a cell of 0 bytes"},
};

static gboolean
is_exception(const char *file, const char *key)
{
  for (gsize k = 0; k < G_N_ELEMENTS(exceptions); k++)
    if (strcmp(exceptions[k].file, file) == 0 && g_str_has_prefix(key, exceptions[k].key))
      return TRUE;
  return FALSE;
}

typedef struct {
  const DebyeFacts *facts;
  const char *file;
} Case;

static gsize
get_numbers(const Case *c, const char *group, const char *key, double *numbers, gsize n)
{
  g_autofree char *both = group ? g_strconcat(group, ".", key, NULL) : g_strdup(key);
  return is_exception(c->file, both) ? 0 : debye_facts_get_numbers(c->facts, c->file, both, numbers, n);
}

static void
assert_near(const char *what, double value, double expected, double tolerance)
{
  if (!(fabs(value - expected) <= tolerance))
    g_error("%s: expected %.9g, found %.9g", what, expected, value);
}

static void
check_atom(const Case *c, const char *group, const char *key, const DebyeFrame *frame, gsize i)
{
  double expected[3];
  if (get_numbers(c, group, key, expected, 3) < 3)
    g_error("no %s.%s", group, key);
  g_assert_cmpfloat(frame->x[i], ==, (float)expected[0]);
  g_assert_cmpfloat(frame->y[i], ==, (float)expected[1]);
  g_assert_cmpfloat(frame->z[i], ==, (float)expected[2]);
}

/* Sums of thousands of floats in double: only the order of the additions may differ. */
static void
check_sums(const Case *c, const char *group, const DebyeFrame *frame)
{
  const float *axes[3] = {frame->x, frame->y, frame->z};
  double expected[3];
  g_assert_cmpuint(get_numbers(c, group, "sum_xyz", expected, 3), ==, 3);
  for (int k = 0; k < 3; k++) {
    double sum = 0.0, magnitude = 0.0;
    for (gsize i = 0; i < frame->n_atoms; i++) {
      sum += (double)axes[k][i];
      magnitude += fabs((double)axes[k][i]);
    }
    assert_near("sum", sum, expected[k], 1e-12 * magnitude);
  }
}

/* The facts hold cells in float, angles computed in float: 1e-6 of a length, 1e-4 of a degree. */
static void
assert_cell(const DebyeFrame *frame, const double expected[6])
{
  double lengths[3], angles[3];
  if (!(expected[0] > 0.0)) {
    g_assert_false(frame->has_cell);
    return;
  }
  g_assert_true(frame->has_cell);
  debye_cell_to_lengths_angles(&frame->cell, lengths, angles);
  for (int k = 0; k < 3; k++) {
    assert_near("cell length", lengths[k], expected[k], 1e-6 * expected[k]);
    assert_near("cell angle", angles[k], expected[3 + k], 1e-4);
  }
}

/* CHARMM from 25 on: the six numbers are a symmetric matrix, whose rows are the edges as they lie. */
static void
check_shape_matrix(const Case *c, const char *key, const DebyeFrame *frame)
{
  double v[6];
  g_assert_cmpuint(get_numbers(c, NULL, key, v, 6), ==, 6);
  const DebyeVec3 edges[3] = {frame->cell.a, frame->cell.b, frame->cell.c};
  const double expected[3][3] = {{v[0], v[1], v[3]}, {v[1], v[2], v[4]}, {v[3], v[4], v[5]}};
  for (int k = 0; k < 3; k++) {
    g_assert_cmpfloat(edges[k].x, ==, expected[k][0]);
    g_assert_cmpfloat(edges[k].y, ==, expected[k][1]);
    g_assert_cmpfloat(edges[k].z, ==, expected[k][2]);
  }
}

static void
check_cell(const Case *c, gboolean is_last, const DebyeFrame *frame)
{
  double version[1] = {0}, has_cell[1] = {0}, expected[6];
  get_numbers(c, NULL, "charmm_version", version, 1);
  get_numbers(c, NULL, "cell_flag", has_cell, 1);
  if (version[0] >= 25.0 && has_cell[0] > 0.0) {
    check_shape_matrix(c, is_last ? "cell_raw_last" : "cell_raw_first", frame);
    if (!is_last && get_numbers(c, NULL, "box_if_shape_matrix", expected, 6) == 6)
      assert_cell(frame, expected);
  } else if (get_numbers(c, NULL, is_last ? "box_last" : "box_first", expected, 6) >= 3) {
    assert_cell(frame, expected);
  }
}

static void
check_time(const Case *c, const char *key, const DebyeFrame *frame)
{
  double expected;
  if (get_numbers(c, NULL, key, &expected, 1) == 1)
    assert_near(key, frame->time, expected, 1e-6 * fabs(expected));
}

static void
check_velocities(const Case *c, const DebyeFrame *frame)
{
  double flag, first[3], expected_sum;
  if (get_numbers(c, NULL, "has_velocities", &flag, 1) == 1)
    g_assert_cmpint(frame->vx != NULL, ==, flag > 0.0);
  if (!frame->vx || get_numbers(c, NULL, "vel_first_atom", first, 3) < 3)
    return;
  g_assert_cmpfloat(frame->vx[0], ==, (float)first[0]);
  g_assert_cmpfloat(frame->vy[0], ==, (float)first[1]);
  g_assert_cmpfloat(frame->vz[0], ==, (float)first[2]);
  double sum = 0.0;
  for (gsize i = 0; i < frame->n_atoms; i++)
    sum += (double)frame->vx[i] + (double)frame->vy[i] + (double)frame->vz[i];
  g_assert_cmpuint(get_numbers(c, NULL, "vel_sum", &expected_sum, 1), ==, 1);
  assert_near("sum of velocities", sum, expected_sum, 1e-5 * fabs(expected_sum) + 1e-9);
}

static void
check_frame(const Case *c, gboolean is_last, const DebyeFrame *frame)
{
  const char *group = is_last ? "last" : "first";
  check_atom(c, group, "first_atom", frame, 0);
  check_atom(c, group, "last_atom", frame, frame->n_atoms - 1);
  check_sums(c, group, frame);
  check_cell(c, is_last, frame);
  check_time(c, is_last ? "time_last" : "time_first", frame);
  g_assert_cmpuint(frame->n_bad, ==, 0);
  if (!is_last)
    check_velocities(c, frame);
}

static void
check_file(gconstpointer data)
{
  const Case *c = data;
  g_autoptr(GError) error = NULL;
  g_autofree char *path = debye_shared_build_path("data", c->file, NULL);
  g_autoptr(DebyeTrajectory) trajectory =
      debye_trajectory_open((const char *[]){path, NULL}, NULL, NULL, NULL, &error);
  g_assert_no_error(error);
  double n_atoms, n_frames;
  g_assert_cmpuint(get_numbers(c, NULL, "natoms", &n_atoms, 1), ==, 1);
  g_assert_cmpuint(get_numbers(c, NULL, "nframes", &n_frames, 1), ==, 1);
  g_assert_cmpuint(debye_trajectory_get_n_atoms(trajectory), ==, (gsize)n_atoms);
  g_assert_cmpuint(debye_trajectory_get_n_frames(trajectory), ==, (gsize)n_frames);
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
  g_autoptr(DebyeFrame) frame = debye_frame_new((gsize)n_atoms);
  /* The last one first: a reader must not depend on the order. */
  debye_trajectory_reader_read(reader, (gsize)n_frames - 1, frame, &error);
  g_assert_no_error(error);
  check_frame(c, TRUE, frame);
  debye_trajectory_reader_read(reader, 0, frame, &error);
  g_assert_no_error(error);
  check_frame(c, FALSE, frame);
}

/* The big-endian file and its twin with 64-bit markers come from the same run. */
static void
check_dialects_agree(void)
{
  const char *names[2] = {"mrmd_h2so4-32bit-be.dcd", "mrmd_h2so4-64bit-le.dcd"};
  g_autoptr(GError) error = NULL;
  DebyeFrame *frames[2];
  for (int k = 0; k < 2; k++) {
    g_autofree char *path = debye_shared_build_path("data", "dcd", names[k], NULL);
    g_autoptr(DebyeTrajectory) trajectory =
        debye_trajectory_open((const char *[]){path, NULL}, NULL, NULL, NULL, &error);
    g_assert_no_error(error);
    g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
    frames[k] = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
    debye_trajectory_reader_read(reader, 49, frames[k], &error);
    g_assert_no_error(error);
  }
  g_assert_cmpmem(frames[0]->x, 7 * sizeof(float), frames[1]->x, 7 * sizeof(float));
  g_assert_cmpmem(frames[0]->z, 7 * sizeof(float), frames[1]->z, 7 * sizeof(float));
  g_assert_cmpfloat(frames[0]->time, ==, frames[1]->time);
  /* Step 1000, 0.002045482862740755 units of 0.04888821 ps each. */
  assert_near("time", frames[0]->time, 1000 * 0.002045482862740755 * 0.04888821, 1e-12);
  debye_frame_unref(frames[0]);
  debye_frame_unref(frames[1]);
}

/* The same coordinates as XTC, and as DCD written from what another library read in it: every atom of every
 * frame that both have must agree to the last bit. */
static void
check_same_coordinates(const char *folder, const char *name, gsize stride)
{
  static const char *const suffixes[2] = {".dcd", ".xtc"};
  g_autoptr(GError) error = NULL;
  DebyeTrajectory *trajectories[2];
  DebyeTrajectoryReader *readers[2];
  DebyeFrame *frames[2];
  for (int k = 0; k < 2; k++) {
    g_autofree char *file = g_strconcat(name, suffixes[k], NULL);
    g_autofree char *path = debye_shared_build_path("reference", folder, file, NULL);
    trajectories[k] = debye_trajectory_open((const char *[]){path, NULL}, NULL, NULL, NULL, &error);
    g_assert_no_error(error);
    readers[k] = debye_trajectory_reader_new(trajectories[k], &error);
    frames[k] = debye_frame_new(debye_trajectory_get_n_atoms(trajectories[k]));
  }
  gsize n_frames = debye_trajectory_get_n_frames(trajectories[0]);
  gsize n_bytes = frames[0]->n_atoms * sizeof(float);
  g_assert_cmpuint((n_frames - 1) * stride + 1, ==, debye_trajectory_get_n_frames(trajectories[1]));
  for (gsize i = 0; i < n_frames; i++) {
    debye_trajectory_reader_read(readers[0], i, frames[0], &error);
    g_assert_no_error(error);
    debye_trajectory_reader_read(readers[1], i * stride, frames[1], &error);
    g_assert_no_error(error);
    g_assert_cmpmem(frames[0]->x, n_bytes, frames[1]->x, n_bytes);
    g_assert_cmpmem(frames[0]->y, n_bytes, frames[1]->y, n_bytes);
    g_assert_cmpmem(frames[0]->z, n_bytes, frames[1]->z, n_bytes);
  }
  for (int k = 0; k < 2; k++) {
    debye_frame_unref(frames[k]);
    debye_trajectory_reader_free(readers[k]);
    g_object_unref(trajectories[k]);
  }
}

static void
check_water_box(void)
{
  check_same_coordinates("w3k", "w3k_nojump", 5);
}

static void
check_peptide(void)
{
  check_same_coordinates("pep", "pep_nojump", 2);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_autoptr(DebyeTemporaryFolder) cache = debye_temporary_use_cache_folder();
  if (!debye_shared_get_folder())
    return DEBYE_TEST_SKIPPED;
  static const char *const prefixes[] = {"dcd/", "xtc/", "trr/"};
  g_autoptr(DebyeFacts) facts = debye_facts_load();
  g_autoptr(GPtrArray) cases = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
  for (gsize k = 0; k < G_N_ELEMENTS(prefixes); k++) {
    GPtrArray *files = debye_facts_list_files(facts, prefixes[k]);
    g_ptr_array_add(kept, files);
    for (guint i = 0; i < files->len; i++) {
      const char *file = g_ptr_array_index(files, i);
      g_autofree char *suffix = g_strndup(prefixes[k], 3);
      if (!g_str_has_suffix(file, suffix))
        continue;
      Case *c = g_new(Case, 1);
      *c = (Case){facts, file};
      g_ptr_array_add(cases, c);
      g_autofree char *name = g_strconcat("/facts/", file, NULL);
      g_test_add_data_func(name, c, check_file);
    }
  }
  g_assert_cmpuint(cases->len, >=, 28);
  g_test_add_func("/facts/dialects", check_dialects_agree);
  g_test_add_func("/facts/w3k", check_water_box);
  g_test_add_func("/facts/pep", check_peptide);
  return g_test_run();
}
