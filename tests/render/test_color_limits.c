/* SPDX-License-Identifier: MIT */
/* Levels and limits that a map gets by itself: symmetric, round, and the same for one quantity. */
#include "render/layers/color_limits.h"
#include "render/layers/isosurface_levels.h"
#include "render/layers/slice_layer.h"
#include "render/scene/scene.h"

#define SIDE 10
#define N_POINTS (SIDE * SIDE * SIDE)

/* So many points have a value, the next ones the next value; the rest is 0. */
typedef struct {
  gsize n_points;
  float value;
} Part;

static DebyeField *
make_map(const char *name, const char *unit, const Part *parts, gsize n_parts)
{
  const DebyeGrid grid = {
      .step = {debye_vec3(1.0, 0.0, 0.0), debye_vec3(0.0, 1.0, 0.0), debye_vec3(0.0, 0.0, 1.0)},
      .shape = {SIDE, SIDE, SIDE}};
  float *values = g_new0(float, N_POINTS);
  gsize next = 0;
  for (gsize i = 0; i < n_parts; i++)
    for (gsize k = 0; k < parts[i].n_points; k++)
      values[next++] = parts[i].value;
  g_assert_cmpuint(next, <=, N_POINTS);
  DebyeField *map = debye_field_new_take(name, &grid, values, unit);
  debye_field_set_kind(map, debye_field_kind_guess(name, unit));
  return map;
}

/* Within the grid, where surfaces are whole. */
static DebyeField *
make_inner_map(const Part *parts, gsize n_parts)
{
  enum { INNER = SIDE - 2 };
  g_autoptr(DebyeField) outer = make_map("potential", "kT/e", NULL, 0);
  float *values = g_new0(float, N_POINTS);
  gsize next = 0;
  for (gsize i = 0; i < n_parts; i++)
    for (gsize k = 0; k < parts[i].n_points; k++, next++)
      values[((next / (INNER * INNER) + 1) * SIDE + next / INNER % INNER + 1) * SIDE + next % INNER + 1] =
          parts[i].value;
  g_assert_cmpuint(next, <=, INNER * INNER * INNER);
  return debye_field_new_take("potential", debye_field_get_grid(outer), values, "kT/e");
}

static void
assert_levels(const Part *parts, gsize n_parts, double expected_negative, double expected_positive)
{
  g_autoptr(DebyeField) map = make_inner_map(parts, n_parts);
  double negative, positive;
  debye_isosurface_suggest_levels(map, &negative, &positive);
  g_assert_cmpfloat_with_epsilon(negative, expected_negative, 1e-9);
  g_assert_cmpfloat_with_epsilon(positive, expected_positive, 1e-9);
}

/* Both signs have one level: the larger where they are alike; the rounded geometric mean where one is far stronger,
 * here of 100 and 5; the smaller where the weaker sign does not reach that. */
static void
test_levels(void)
{
  static const Part alike[] = {{100, -10.0f}, {100, 5.0f}, {2, 30.0f}, {2, -30.0f}},
                    reaching[] = {{100, -100.0f}, {100, 5.0f}, {2, 60.0f}},
                    short_of[] = {{100, -100.0f}, {100, 5.0f}, {2, 6.0f}}, positive[] = {{100, 5.0f}},
                    beyond[] = {{100, 0.04f}}, negative[] = {{100, -20.0f}},
                    acid[] = {{100, 20.0f}, {1, -30.0f}}, weak_acid[] = {{100, 20.0f}, {1, -15.0f}},
                    base[] = {{100, -20.0f}, {1, 30.0f}};
  assert_levels(alike, G_N_ELEMENTS(alike), -10.0, 10.0);
  assert_levels(reaching, G_N_ELEMENTS(reaching), -20.0, 20.0);
  assert_levels(short_of, G_N_ELEMENTS(short_of), -5.0, 5.0);
  assert_levels(positive, G_N_ELEMENTS(positive), 0.0, 5.0);
  /* 0.04 would be rounded to 0.05, where nothing is. */
  assert_levels(beyond, G_N_ELEMENTS(beyond), 0.0, 0.02);
  assert_levels(negative, G_N_ELEMENTS(negative), -20.0, 0.0);
  /* One point of a thousand is too few for a level of its own. */
  assert_levels(acid, G_N_ELEMENTS(acid), -20.0, 20.0);
  assert_levels(weak_acid, G_N_ELEMENTS(weak_acid), 0.0, 20.0);
  assert_levels(base, G_N_ELEMENTS(base), -20.0, 20.0);
}

/* Where few atoms were, as a map of occupancies has it: 0 in nearly all voxels. What was there is drawn, and the colours are of it. */
static void
test_sparse(void)
{
  static const Part few[] = {{20, 0.01f}, {2, 0.05f}}, one[] = {{1, 0.05f}};
  double low, high;
  assert_levels(few, G_N_ELEMENTS(few), 0.0, 0.01);
  assert_levels(one, G_N_ELEMENTS(one), 0.0, 0.02);
  g_autoptr(DebyeField) map = make_inner_map(one, G_N_ELEMENTS(one));
  debye_color_limits_suggest(map, FALSE, &low, &high);
  g_assert_cmpfloat_with_epsilon(low, 0.0, 1e-9);
  g_assert_cmpfloat_with_epsilon(high, 0.05, 1e-9);
}

/* Water in a box: most voxels are bulk. Well sampled, sites are drawn at three times the bulk; with few frames above its
 * noise; and where nothing stands out as before, at a share of the points. */
static void
test_bulk(void)
{
  static const Part sampled[] = {{200, 0.9f}, {600, 1.0f}, {170, 1.1f}, {30, 5.0f}},
                    noisy[] = {{160, 0.0f}, {480, 1.0f}, {330, 2.0f}, {30, 8.0f}},
                    flat[] = {{900, 1.0f}, {100, 1.6f}};
  static const struct {
    const Part *parts;
    gsize n_parts;
    double level;
  } cases[] = {{sampled, G_N_ELEMENTS(sampled), 3.0},
               {noisy, G_N_ELEMENTS(noisy), 5.0},
               {flat, G_N_ELEMENTS(flat), 1.0}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    double negative, positive;
    g_autoptr(DebyeField) map = make_map("occupancy", "", cases[i].parts, cases[i].n_parts);
    debye_isosurface_suggest_levels(map, &negative, &positive);
    g_assert_cmpfloat(negative, ==, 0.0);
    g_assert_cmpfloat_with_epsilon(positive, cases[i].level, 1e-9);
  }
}

/* A surface that the grid would cut open is drawn higher, up to the level of the stronger sign: 20 is cut where 70 stands
 * on a face, and 100 isn't. The weaker sign has to reach the level: here 60. */
static void
test_cut_levels(void)
{
  static const Part deep[] = {{100, 70.0f}, {100, 100.0f}, {100, -5.0f}, {2, -200.0f}},
                    shallow[] = {{100, 70.0f}, {100, 100.0f}, {100, -5.0f}, {2, -60.0f}};
  double negative, positive;
  g_autoptr(DebyeField) whole = make_map("potential", "kT/e", deep, G_N_ELEMENTS(deep));
  debye_isosurface_suggest_levels(whole, &negative, &positive);
  g_assert_cmpfloat_with_epsilon(positive, 100.0, 1e-9);
  g_assert_cmpfloat_with_epsilon(negative, -100.0, 1e-9);
  g_autoptr(DebyeField) low = make_map("potential", "kT/e", shallow, G_N_ELEMENTS(shallow));
  debye_isosurface_suggest_levels(low, &negative, &positive);
  g_assert_cmpfloat_with_epsilon(positive, 50.0, 1e-9);
}

/* A box of unequal sides, of which x runs fastest in the values. */
#define NX 6
#define NY 10
#define NZ 20

static gboolean
is_on_rim(gsize place, gsize side)
{
  return place == 0 || place + 1 == side;
}

/* Whether the value at `index` stands on a face; `z_fastest`: if the values had the other order. */
static gboolean
is_on_face(gsize index, gboolean z_fastest)
{
  const gsize x = z_fastest ? index / (NY * NZ) : index % NX, z = z_fastest ? index % NZ : index / (NX * NY);
  const gsize y = z_fastest ? index / NZ % NY : index / NX % NY;
  return is_on_rim(x, NX) || is_on_rim(y, NY) || is_on_rim(z, NZ);
}

/* The same where the sides differ: each 70 stands on a face by the order that maps have, and within by the other one; all
 * else is within by both. */
static void
test_cut_levels_of_box(void)
{
  static const Part inner[] = {{100, 100.0f}, {100, -5.0f}, {2, -200.0f}};
  const DebyeGrid grid = {
      .step = {debye_vec3(1.0, 0.0, 0.0), debye_vec3(0.0, 1.0, 0.0), debye_vec3(0.0, 0.0, 1.0)},
      .shape = {NX, NY, NZ}};
  float *values = g_new0(float, NX *NY *NZ);
  double negative, positive;
  gsize n_outer = 0, n_inner = 0, part = 0;
  for (gsize i = 0; i < NX * NY * NZ; i++) {
    if (is_on_face(i, TRUE))
      continue;
    if (is_on_face(i, FALSE)) {
      values[i] = n_outer++ < 100 ? 70.0f : 0.0f;
      continue;
    }
    if (part < G_N_ELEMENTS(inner))
      values[i] = inner[part].value;
    if (part < G_N_ELEMENTS(inner) && ++n_inner == inner[part].n_points) {
      part++;
      n_inner = 0;
    }
  }
  g_assert_cmpuint(n_outer, >=, 100);
  g_assert_cmpuint(part, ==, G_N_ELEMENTS(inner));
  g_autoptr(DebyeField) map = debye_field_new_take("potential", &grid, values, "kT/e");
  debye_isosurface_suggest_levels(map, &negative, &positive);
  g_assert_cmpfloat_with_epsilon(positive, 100.0, 1e-9);
  g_assert_cmpfloat_with_epsilon(negative, -100.0, 1e-9);
}

static void
test_round(void)
{
  static const struct {
    double minimum, maximum, round_minimum, round_maximum;
  } cases[] = {{-3.82, 3.82, -4.0, 4.0},
               {-0.0101, 0.0101, -0.012, 0.012},
               {-5.0, 5.0, -5.0, 5.0},
               {-990.0, 990.0, -1000, 1000},
               {0.21, 1.57, 0.2, 1.6},
               {0.0, 0.3, 0.0, 0.3},
               {-17.3, 4.2, -18.0, 6.0},
               {2.0, 2.0, 2.0, 2.0},
               {1.0, (double)INFINITY, 1.0, (double)INFINITY}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    double minimum = cases[i].minimum, maximum = cases[i].maximum;
    debye_color_limits_round(&minimum, &maximum);
    g_assert_cmpfloat_with_epsilon(minimum, cases[i].round_minimum, 1e-9);
    if (isfinite(maximum))
      g_assert_cmpfloat_with_epsilon(maximum, cases[i].round_maximum, 1e-9);
  }
}

/* --- One quantity, one scale --- */

typedef struct {
  DebyeScene *scene;
  DebyeSliceLayer *slices[3]; /* of ±4 kT/e, ±40 kT/e and ±4 V */
} Fixture;

static DebyeSliceLayer *
make_slice(const char *unit, float reach)
{
  const Part parts[] = {{100, -reach}, {100, reach}};
  g_autoptr(DebyeField) map = make_map("potential", unit, parts, G_N_ELEMENTS(parts));
  return debye_slice_layer_new(map);
}

static void
set_up(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  fixture->scene = debye_scene_new();
  fixture->slices[0] = make_slice("kT/e", 4.0f);
  fixture->slices[1] = make_slice("kT/e", 40.0f);
  fixture->slices[2] = make_slice("V", 4.0f);
  for (gsize i = 0; i < G_N_ELEMENTS(fixture->slices); i++)
    debye_scene_add(fixture->scene, DEBYE_LAYER(fixture->slices[i]));
}

static void
tear_down(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (gsize i = 0; i < G_N_ELEMENTS(fixture->slices); i++)
    g_object_unref(fixture->slices[i]);
  g_object_unref(fixture->scene);
}

static void
assert_reach(DebyeSliceLayer *slice, double reach)
{
  double minimum, maximum;
  debye_slice_layer_get_limits(slice, &minimum, &maximum);
  g_assert_cmpfloat_with_epsilon(minimum, -reach, 1e-9);
  g_assert_cmpfloat_with_epsilon(maximum, reach, 1e-9);
}

/* A new layer takes the limits that are there, and what one is given all of the quantity have; another unit is another
 * quantity. */
static void
test_shared(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  assert_reach(fixture->slices[0], 4.0);
  assert_reach(fixture->slices[1], 4.0);
  debye_layer_set_limits(DEBYE_LAYER(fixture->slices[1]), -7.0, 7.0);
  assert_reach(fixture->slices[0], 7.0);
  debye_layer_reset_limits(DEBYE_LAYER(fixture->slices[1]));
  assert_reach(fixture->slices[1], 40.0);
  assert_reach(fixture->slices[0], 40.0);
  assert_reach(fixture->slices[2], 4.0);
}

/* One that comes with limits of its own, as the electrostatic surface does, brings them. */
static void
test_brought(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeSliceLayer) late = make_slice("kT/e", 1.0f);
  debye_layer_set_limits(DEBYE_LAYER(late), -5.0, 5.0);
  debye_scene_add(fixture->scene, DEBYE_LAYER(late));
  assert_reach(fixture->slices[0], 5.0);
  assert_reach(fixture->slices[1], 5.0);
  debye_scene_remove(fixture->scene, DEBYE_LAYER(late));
  debye_layer_set_limits(DEBYE_LAYER(late), -6.0, 6.0);
  assert_reach(fixture->slices[0], 5.0);
}

/* Its own limits neither come from others nor go to them, until it shares again. */
static void
test_separate(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  debye_layer_set_shares_limits(DEBYE_LAYER(fixture->slices[1]), FALSE);
  debye_layer_set_limits(DEBYE_LAYER(fixture->slices[1]), -9.0, 9.0);
  assert_reach(fixture->slices[0], 4.0);
  debye_layer_set_limits(DEBYE_LAYER(fixture->slices[0]), -3.0, 3.0);
  assert_reach(fixture->slices[1], 9.0);
  debye_layer_set_shares_limits(DEBYE_LAYER(fixture->slices[1]), TRUE);
  assert_reach(fixture->slices[1], 3.0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/color-limits/bulk", test_bulk);
  g_test_add_func("/color-limits/cut-levels", test_cut_levels);
  g_test_add_func("/color-limits/cut-levels-of-box", test_cut_levels_of_box);
  g_test_add_func("/color-limits/levels", test_levels);
  g_test_add_func("/color-limits/round", test_round);
  g_test_add_func("/color-limits/sparse", test_sparse);
  g_test_add("/color-limits/shared", Fixture, NULL, set_up, test_shared, tear_down);
  g_test_add("/color-limits/brought", Fixture, NULL, set_up, test_brought, tear_down);
  g_test_add("/color-limits/separate", Fixture, NULL, set_up, test_separate, tear_down);
  return g_test_run();
}
