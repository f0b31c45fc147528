/* SPDX-License-Identifier: MIT */
/* Bins of a cutoff sum as the lecture counts them, and how known atoms fill them; the parts of 1/d and their maps. */
#include "app/classroom/bin_statistics.h"
#include "app/classroom/classroom_bin_plots.h"
#include "app/classroom/classroom_levels.h"
#include "app/classroom/classroom_record.h"

#include <math.h>

/* 8 Å³ of bins within 12 Å: the lecture's 36.4 % of the sphere's list, 33.0 % of the cube. */
static void
test_lecture(void)
{
  const DebyeBinNeighbours found = debye_bin_neighbours(4.0, 12.0, 0.5);
  g_assert_cmpuint(found.reach, ==, 3);
  g_assert_cmpuint(found.n_cube, ==, 343);
  g_assert_cmpuint(found.n_sphere, ==, 311);
  g_assert_cmpfloat_with_epsilon(found.valid_cube, 0.330, 5e-4);
  g_assert_cmpfloat_with_epsilon(found.valid_sphere, 0.364, 5e-4);
  /* Slots half full serve 8³ points each: 93 evaluations of an atom that was brought. */
  g_assert_cmpfloat_with_epsilon(found.valid_sphere * 0.5 * 512.0, 93.0, 0.2);
}

/* Every pair within the cutoff is in the sphere's list, by trying all of a coarse set of points. */
static void
test_nothing_is_missed(void)
{
  for (double edge = 2.0; edge < 9.0; edge += 0.7)
    for (double cutoff = 3.0; cutoff < 14.0; cutoff += 1.3) {
      const DebyeBinNeighbours found = debye_bin_neighbours(edge, cutoff, 0.5);
      /* One bin further is out of reach of every point, and the last is not. */
      g_assert_cmpfloat((double)found.reach * edge + 0.25, >=, cutoff);
      g_assert_cmpfloat(((double)found.reach - 1.0) * edge + 0.25, <, cutoff);
      g_assert_cmpuint(found.n_sphere, <=, found.n_cube);
      g_assert_cmpfloat(found.valid_sphere, >=, found.valid_cube);
      g_assert_cmpfloat(found.valid_sphere, <, 1.0);
    }
}

/* A lattice of 1 Å: 8 atoms in each bin of 2 Å but in the last, which has one plane. */
static void
test_filling(void)
{
  float at[3][125];
  for (guint i = 0; i < 125; i++) {
    at[0][i] = (float)(i % 5);
    at[1][i] = (float)(i / 5 % 5);
    at[2][i] = (float)(i / 25);
  }
  const float *const coordinates[3] = {at[0], at[1], at[2]};
  DebyeBinFilling filling;
  g_assert_true(debye_bin_filling_init(&filling, coordinates, 125, 2.0, 6));
  g_assert_cmpuint(filling.n_bins, ==, 27);
  g_assert_cmpuint(filling.fullest, ==, 8);
  g_assert_cmpuint(filling.bins_with->len, ==, 9);
  const guint64 expected[] = {0, 1, 6, 0, 12, 0, 0, 0, 8};
  for (guint n = 0; n < 9; n++)
    g_assert_cmpuint(g_array_index(filling.bins_with, guint64, n), ==, expected[n]);
  g_assert_cmpuint(filling.n_overflowing, ==, 16);
  g_assert_cmpfloat_with_epsilon(filling.mean, 125.0 / 27.0, 1e-12);
  g_assert_cmpfloat_with_epsilon(filling.covered, 109.0 / 125.0, 1e-12);
  g_assert_cmpfloat_with_epsilon(filling.filled, 109.0 / (27.0 * 6.0), 1e-12);
  debye_bin_filling_clear(&filling);
}

/* None, one, and two so far apart that there would be too many bins. */
static void
test_edges(void)
{
  const float x[2] = {0.0f, 1e6f};
  const float *const coordinates[3] = {x, x, x};
  DebyeBinFilling filling;
  g_assert_true(debye_bin_filling_init(&filling, coordinates, 0, 4.0, 8));
  g_assert_cmpuint(filling.n_bins, ==, 1);
  debye_bin_filling_clear(&filling);
  g_assert_true(debye_bin_filling_init(&filling, coordinates, 1, 4.0, 8));
  g_assert_cmpfloat(filling.covered, ==, 1.0);
  debye_bin_filling_clear(&filling);
  g_assert_false(debye_bin_filling_init(&filling, coordinates, 2, 4.0, 8));
  debye_bin_filling_clear(&filling);
}

/* --- Parts of 1/d --- */

/* They add up to 1/d, and none but the first has an end. */
static void
test_split(void)
{
  DebyeMultilevel multilevel;
  g_assert_true(debye_classroom_choose_split(&multilevel));
  const DebyePairFunction short_part = debye_multilevel_pair_function(&multilevel);
  for (double d = 1.0; d < 200.0; d *= 1.1) {
    double sum = 0.0;
    for (unsigned part = 0; part < DEBYE_CLASSROOM_N_PARTS; part++)
      sum += debye_classroom_find_part(&short_part, part, d);
    g_assert_cmpfloat_with_epsilon(sum * d, 1.0, 1e-12);
    if (d > multilevel.cutoff)
      g_assert_cmpfloat(debye_classroom_find_part(&short_part, 0, d), ==, 0.0);
  }
}

/* The maps of all parts add up to that of two charges: 560.45 kT/e at 1 Å of one e. */
static void
test_maps_of_parts(void)
{
  const float x[2] = {0.0f, 9.0f}, y[2] = {0.0f, 2.0f}, z[2] = {0.0f, -1.0f}, charge[2] = {1.0f, -0.5f};
  const DebyeCharges charges = {x, y, z, charge, 2};
  g_autoptr(DebyeBenchProblem) problem = debye_bench_problem_new_for_charges(&charges, 1000);
  g_autoptr(DebyeClassroomRecord) record = debye_classroom_record_new("two charges");
  DebyeMultilevel multilevel;
  g_assert_true(debye_classroom_choose_split(&multilevel));
  debye_classroom_map_parts(record, problem, &multilevel);
  g_assert_cmpuint(record->parts->len, ==, DEBYE_CLASSROOM_N_PARTS);
  DebyeMatrix *first = record->parts->pdata[0];
  const double *across = debye_matrix_get_column_values(first), *up = debye_matrix_get_row_values(first);
  const DebyeGrid *grid = &problem->grid;
  const double middle = grid->origin.z + 0.5 * grid->step[2].z * (double)(grid->shape[2] - 1);
  const gsize n_columns = debye_matrix_get_n_columns(first);
  for (gsize i = 0; i < n_columns * debye_matrix_get_n_rows(first); i++) {
    double sum = 0.0, exact = 0.0, nearest = INFINITY;
    for (guint part = 0; part < DEBYE_CLASSROOM_N_PARTS; part++)
      sum += debye_matrix_get_values(record->parts->pdata[part])[i];
    for (int atom = 0; atom < 2; atom++) {
      const double dx = across[i % n_columns] - (double)x[atom], dy = up[i / n_columns] - (double)y[atom],
                   dz = middle - (double)z[atom];
      const double d = sqrt(dx * dx + dy * dy + dz * dz);
      exact += 560.45 * (double)charge[atom] / d;
      nearest = MIN(nearest, d);
    }
    /* Nearer than 1 Å the short part has no end. */
    if (nearest >= 1.0)
      g_assert_cmpfloat_with_epsilon(sum, exact, 0.05);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/bins/lecture", test_lecture);
  g_test_add_func("/bins/nothing-is-missed", test_nothing_is_missed);
  g_test_add_func("/bins/filling", test_filling);
  g_test_add_func("/bins/edges", test_edges);
  g_test_add_func("/bins/split", test_split);
  g_test_add_func("/bins/maps-of-parts", test_maps_of_parts);
  return g_test_run();
}
