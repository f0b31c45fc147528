/* SPDX-License-Identifier: MIT */
/* How pictures place molecules: two waters in a skewed cell, one cut by its faces, one far outside. */
#include "data/files/error.h"
#include "data/molecule/periodic.h"
#include "data/trajectory/placing.h"
#include "small_system.h"

#define BOND 0.96 /* Å */

static const int bonds[] = {0, 1, 0, 2, 3, 4, 3, 5, -1};
static const SmallAtom atoms[] = {
    {"HOH", 1, 0, "A", "", "O", "", "O", 15.999, 0}, {"HOH", 1, 0, "A", "", "H1", "", "H", 1.008, 0},
    {"HOH", 1, 0, "A", "", "H2", "", "H", 1.008, 0}, {"HOH", 2, 0, "A", "", "O", "", "O", 15.999, 0},
    {"HOH", 2, 0, "A", "", "H1", "", "H", 1.008, 0}, {"HOH", 2, 0, "A", "", "H2", "", "H", 1.008, 0},
};
static const DebyeVec3 edges[3] = {{10, 0, 0}, {4, 9, 0}, {-3, 2, 8}};
static const DebyeVec3 corner = {-5, -4, 20};

/* At corner + fractions of the edges. */
static DebyeVec3
point_at(double a, double b, double c)
{
  DebyeVec3 p = debye_vec3_add(corner, debye_vec3_scale(edges[0], a));
  p = debye_vec3_add(p, debye_vec3_scale(edges[1], b));
  return debye_vec3_add(p, debye_vec3_scale(edges[2], c));
}

static void
put_water(DebyeFrame *frame, gsize first, DebyeVec3 oxygen)
{
  debye_frame_set_position(frame, first, oxygen);
  debye_frame_set_position(frame, first + 1, debye_vec3_add(oxygen, debye_vec3(0.6 * BOND, 0.8 * BOND, 0)));
  debye_frame_set_position(frame, first + 2,
                           debye_vec3_add(oxygen, debye_vec3(0, -0.28 * BOND, 0.96 * BOND)));
}

static void
move(DebyeFrame *frame, gsize atom, DebyeVec3 by)
{
  debye_frame_set_position(frame, atom, debye_vec3_add(debye_frame_get_position(frame, atom), by));
}

static DebyeFrame *
make_frame(void)
{
  double positions[6][3] = {{0}};
  DebyeFrame *frame = small_frame_new(positions, 6);
  small_frame_set_cell(frame, edges[0], edges[1], edges[2]);
  frame->cell_origin = corner;
  put_water(frame, 0, point_at(0.98, 0.5, 0.99));
  move(frame, 1, debye_vec3_scale(edges[0], -1.0));
  move(frame, 2, debye_vec3_scale(edges[2], -1.0));
  put_water(frame, 3, point_at(3.3, -1.6, 0.5));
  return frame;
}

static double
distance(const DebyeFrame *frame, gsize i, gsize j)
{
  return debye_vec3_length(
      debye_vec3_subtract(debye_frame_get_position(frame, j), debye_frame_get_position(frame, i)));
}

static void
assert_whole(const DebyeFrame *frame)
{
  for (gsize first = 0; first < 6; first += 3) {
    g_assert_cmpfloat_with_epsilon(distance(frame, first, first + 1), BOND, 1e-4);
    g_assert_cmpfloat_with_epsilon(distance(frame, first, first + 2), BOND, 1e-4);
  }
}

static DebyeVec3
fraction_of_center(const DebyeFrame *frame, gsize first)
{
  DebyePeriodic periodic;
  DebyeVec3 sum = {0};
  debye_periodic_init_for_frame(&periodic, frame);
  for (gsize i = first; i < first + 3; i++)
    sum = debye_vec3_add(sum, debye_frame_get_position(frame, i));
  return debye_periodic_to_fraction(
      &periodic, debye_vec3_subtract(debye_vec3_scale(sum, 1.0 / 3.0), frame->cell_origin));
}

static gboolean
is_inside(DebyeVec3 f)
{
  return f.x >= 0 && f.x < 1 && f.y >= 0 && f.y < 1 && f.z >= 0 && f.z < 1;
}

static void
assert_same(const DebyeFrame *frame, const DebyeFrame *other)
{
  g_assert_cmpmem(frame->x, 6 * sizeof(float), other->x, 6 * sizeof(float));
  g_assert_cmpmem(frame->y, 6 * sizeof(float), other->y, 6 * sizeof(float));
  g_assert_cmpmem(frame->z, 6 * sizeof(float), other->z, 6 * sizeof(float));
}

/* With bonds of the file and with guessed ones. */
static void
test_placings(gconstpointer data)
{
  g_autoptr(DebyeTopology) topology = small_topology_new(atoms, G_N_ELEMENTS(atoms), data);
  g_autoptr(DebyePlacer) placer = debye_placer_new(topology);
  g_autoptr(DebyeFrame) frame = make_frame(), untouched = make_frame();
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeFrame) filed = debye_placer_place(placer, DEBYE_PLACING_FILE, frame, &error);
  g_assert_true(filed == frame);

  g_assert_cmpfloat(distance(frame, 0, 1), >, 5.0);
  g_autoptr(DebyeFrame) whole = debye_placer_place(placer, DEBYE_PLACING_WHOLE, frame, &error);
  g_assert_no_error(error);
  assert_whole(whole);
  /* First atoms stay, and so does what was whole. */
  g_assert_cmpfloat(whole->x[0], ==, frame->x[0]);
  for (gsize i = 3; i < 6; i++)
    g_assert_cmpfloat(whole->x[i], ==, frame->x[i]);
  g_assert_false(is_inside(fraction_of_center(whole, 3)));

  g_autoptr(DebyeFrame) inside = debye_placer_place(placer, DEBYE_PLACING_CELL, frame, &error);
  g_assert_no_error(error);
  assert_whole(inside);
  g_assert_true(is_inside(fraction_of_center(inside, 0)));
  g_assert_true(is_inside(fraction_of_center(inside, 3)));
  /* The box is drawn where it was. */
  g_assert_cmpmem(&inside->cell_origin, sizeof corner, &corner, sizeof corner);
  assert_same(frame, untouched);
}

static void
test_without_a_cell(void)
{
  g_autoptr(DebyeTopology) topology = small_topology_new(atoms, G_N_ELEMENTS(atoms), bonds);
  g_autoptr(DebyePlacer) placer = debye_placer_new(topology);
  g_autoptr(DebyeFrame) frame = make_frame();
  frame->has_cell = FALSE;
  g_autoptr(DebyeFrame) placed = debye_placer_place(placer, DEBYE_PLACING_CELL, frame, NULL);
  g_assert_true(placed == frame);
}

static void
test_other_atoms(void)
{
  g_autoptr(DebyeTopology) topology = small_topology_new(atoms, 3, NULL);
  g_autoptr(DebyePlacer) placer = debye_placer_new(topology);
  g_autoptr(DebyeFrame) frame = make_frame();
  g_autoptr(GError) error = NULL;
  g_assert_null(debye_placer_place(placer, DEBYE_PLACING_WHOLE, frame, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISMATCH);
}

static void
test_words(void)
{
  for (guint k = 0; k <= DEBYE_LAST_PLACING; k++)
    g_assert_nonnull(debye_placing_choices[k].value);
  g_assert_null(debye_placing_choices[DEBYE_LAST_PLACING + 1].value);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_data_func("/placing/bonds-of-the-file", bonds, test_placings);
  g_test_add_data_func("/placing/guessed-bonds", NULL, test_placings);
  g_test_add_func("/placing/without-a-cell", test_without_a_cell);
  g_test_add_func("/placing/other-atoms", test_other_atoms);
  g_test_add_func("/placing/words", test_words);
  return g_test_run();
}
