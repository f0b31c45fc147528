/* SPDX-License-Identifier: MIT */
/* Bins of a cutoff sum as the lecture counts them, and how known atoms fill them. */
#include "app/classroom/bin_statistics.h"

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

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/bins/lecture", test_lecture);
  g_test_add_func("/bins/nothing-is-missed", test_nothing_is_missed);
  g_test_add_func("/bins/filling", test_filling);
  g_test_add_func("/bins/edges", test_edges);
  return g_test_run();
}
