/* SPDX-License-Identifier: MIT */
/* Blobs of a map by hand-made maps: two cubes that touch along an edge are two, a place on a surface finds the one beneath
 * it, a negative level turns the sense, a float value at the level is in the blob, and the mask leaves a surface around one
 * blob alone. */
#include <glib.h>
#include <math.h>

#include "app/analysis/density/density_regions.h"

#define EDGE 8
#define N (EDGE * EDGE * EDGE)

static const gsize shape[3] = {EDGE, EDGE, EDGE};

/* 1 in [1, 3)³ and, along an edge from it, in [3, 6) × [3, 6) × [1, 3); 0.25 elsewhere. */
static void
fill(float *values, float sign)
{
  for (int i = 0; i < N; i++) {
    const int x = i % EDGE, y = i / EDGE % EDGE, z = i / (EDGE * EDGE);
    const gboolean is_small = x >= 1 && x < 3 && y >= 1 && y < 3 && z >= 1 && z < 3;
    const gboolean is_large = x >= 3 && x < 6 && y >= 3 && y < 6 && z >= 1 && z < 3;
    values[i] = sign * (is_small || is_large ? 1.0f : 0.25f);
  }
}

static gsize
count(const guint32 *labels, guint32 label)
{
  gsize n = 0;
  for (int i = 0; i < N; i++)
    n += labels[i] == label;
  return n;
}

static void
test_label(void)
{
  float values[N];
  gsize n_regions;
  fill(values, 1.0f);
  g_autofree guint32 *labels = debye_density_regions_label(values, shape, 0.5, &n_regions);
  g_assert_cmpuint(n_regions, ==, 2);
  g_assert_cmpuint(count(labels, 1), ==, 18);
  g_assert_cmpuint(count(labels, 2), ==, 8);
}

/* On the faces of the small cube, half a voxel off its voxels' centres, where a surface at 0.5 is. */
static void
test_find(void)
{
  static const double places[][3] = {{0.7, 1.5, 1.5}, {2.3, 1.2, 2.9}, {1.0, 1.0, 0.4}, {2.0, 2.0, 2.0}};
  static const double others[][3] = {{6.5, 1.0, 1.0}, {1.5, 1.5, 5.5}, {-3.0, 1.0, 1.0}, {1.0, 1.0, 80.0}};
  float values[N];
  fill(values, 1.0f);
  values[0] = NAN;
  for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
    g_autofree guint32 *labels = debye_density_regions_find(values, shape, 0.5, places[i]);
    g_assert_nonnull(labels);
    g_assert_cmpuint(count(labels, 1), ==, 8);
    g_assert_cmpuint(labels[1 + EDGE + EDGE * EDGE], ==, 1);
  }
  for (gsize i = 0; i < G_N_ELEMENTS(others); i++)
    g_assert_null(debye_density_regions_find(values, shape, 0.5, others[i]));
}

static void
test_negative(void)
{
  static const double place[3] = {5.4, 4.0, 1.5};
  float values[N];
  fill(values, -1.0f);
  g_autofree guint32 *labels = debye_density_regions_find(values, shape, -0.5, place);
  g_assert_nonnull(labels);
  g_assert_cmpuint(count(labels, 1), ==, 18);
  g_assert_cmpuint(labels[0], ==, 0);
}

/* 0.7 as a float is less than as a double. */
static void
test_rounded_level(void)
{
  static const double place[3] = {2.0, 2.0, 2.0};
  for (int turn = 0; turn < 2; turn++) {
    const double level = turn == 0 ? 0.7 : -0.7;
    float values[N];
    fill(values, turn == 0 ? 0.5f : -0.5f);
    for (int i = 0; i < 2; i++)
      values[2 + i + 2 * EDGE + 2 * EDGE * EDGE] = values[N - 1] = (float)level;
    g_autofree guint32 *labels = debye_density_regions_find(values, shape, level, place);
    g_assert_nonnull(labels);
    g_assert_cmpuint(count(labels, 1), ==, 2);
    g_autofree float *masked = debye_density_regions_mask(values, labels, N, level);
    for (int i = 0; i < N; i++)
      g_assert_cmpint(turn == 0 ? masked[i] >= (float)level : masked[i] <= (float)level, ==, labels[i] == 1);
    if (turn > 0)
      continue;
    gsize n_regions;
    g_autofree guint32 *all = debye_density_regions_label(values, shape, level, &n_regions);
    g_assert_cmpuint(n_regions, ==, 2);
    g_assert_cmpuint(count(all, 1), ==, 2);
  }
}

static void
test_mask(void)
{
  static const double place[3] = {2.0, 2.0, 2.0};
  for (int turn = 0; turn < 2; turn++) {
    const double sign = turn == 0 ? 1.0 : -1.0;
    float values[N];
    fill(values, (float)sign);
    values[N - 1] = 0.5f * (float)sign;
    g_autofree guint32 *labels = debye_density_regions_find(values, shape, 0.5 * sign, place);
    /* Far above the level: its mirror image would have the other sign. */
    gsize n_high = 0;
    for (int i = 0; i < N - 1; i++)
      if (labels[i] == 0 && sign * (double)values[i] >= 0.5) {
        values[i] = 3.0f * (float)sign;
        n_high++;
      }
    g_assert_cmpuint(n_high, >, 0);
    g_autofree float *masked = debye_density_regions_mask(values, labels, N, 0.5 * sign);
    for (int i = 0; i < N; i++) {
      const gboolean is_above = sign * (double)masked[i] >= 0.5;
      g_assert_cmpint(is_above, ==, labels[i] == 1);
      g_assert_cmpfloat(sign * (double)masked[i], >=, 0.0);
      if (labels[i] == 1 || sign * (double)values[i] < 0.5)
        g_assert_cmpfloat(masked[i], ==, values[i]);
    }
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/density-regions/label", test_label);
  g_test_add_func("/density-regions/find", test_find);
  g_test_add_func("/density-regions/negative", test_negative);
  g_test_add_func("/density-regions/rounded-level", test_rounded_level);
  g_test_add_func("/density-regions/mask", test_mask);
  return g_test_run();
}
