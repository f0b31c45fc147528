/* SPDX-License-Identifier: MIT */
/* Images, molecules and neighbours in cells of any shape, against plain sums over many images. */
#include "data/molecule/molecules.h"
#include "data/molecule/neighbours.h"
#include "data/molecule/periodic.h"
#include "data/molecule/unwrap.h"
#include "random_cell.h"
#include "small_system.h"

#include <string.h>

static void
assert_near(double value, double expected, double tolerance)
{
  if (!(fabs(value - expected) <= tolerance))
    g_error("expected %.15g, found %.15g", expected, value);
}

static void
assert_vec3_near(DebyeVec3 value, DebyeVec3 expected, double tolerance)
{
  assert_near(debye_vec3_length(debye_vec3_subtract(value, expected)), 0.0, tolerance);
}

static DebyePeriodic
make_periodic(const DebyeVec3 vectors[3])
{
  DebyePeriodic periodic;
  DebyeCell cell = {vectors[0], vectors[1], vectors[2]};
  debye_periodic_init(&periodic, &cell);
  return periodic;
}

static void
test_minimum_image(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(1);
  for (int round = 0; round < 300; round++) {
    DebyeVec3 nice[3], skewed[3];
    random_cell_fill(random, nice, skewed);
    DebyePeriodic periodic = make_periodic(skewed);
    g_assert_true(periodic.is_periodic);
    for (int k = 0; k < 20; k++) {
      DebyeVec3 d = random_position(random, 100);
      DebyeVec3 image = debye_periodic_minimum_image(&periodic, d);
      /* Rounding: the skewed vectors are up to 1e5 Å long. */
      assert_near(debye_vec3_length(image), nearest_image_distance(nice, d), 1e-9);
      DebyeVec3 moved = near_image(nice, debye_vec3_subtract(d, image));
      assert_near(debye_vec3_length(moved), 0.0, 1e-8);
      g_assert_cmpfloat(debye_vec3_length(image), <=, debye_periodic_get_reach(&periodic));
    }
  }
}

static void
test_reduction(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(2);
  for (int round = 0; round < 300; round++) {
    DebyeVec3 nice[3], skewed[3];
    random_cell_fill(random, nice, skewed);
    DebyePeriodic periodic = make_periodic(skewed);
    const DebyeVec3 *r = periodic.reduced;
    double volume = debye_vec3_dot(nice[0], debye_vec3_cross(nice[1], nice[2]));
    double reduced_volume = debye_vec3_dot(r[0], debye_vec3_cross(r[1], r[2]));
    assert_near(fabs(reduced_volume), fabs(volume), 1e-6);
    /* Minkowski: no combination with coefficients −1, 0, 1 is shorter than the longest vector in it. */
    for (int i = -1; i <= 1; i++)
      for (int j = -1; j <= 1; j++) {
        DebyeVec3 sum =
            debye_vec3_add(r[2], debye_vec3_add(debye_vec3_scale(r[0], i), debye_vec3_scale(r[1], j)));
        g_assert_cmpfloat(debye_vec3_length(sum), >=, debye_vec3_length(r[2]) * (1 - 1e-9));
      }
    g_assert_cmpfloat(debye_vec3_length(r[0]), <=, debye_vec3_length(r[1]));
    g_assert_cmpfloat(debye_vec3_length(r[1]), <=, debye_vec3_length(r[2]));
  }
}

static void
test_truncated_octahedron(void)
{
  /* The cell as simulation programs write it; its nearest images lie at the edge length, eight of them. */
  DebyeCell cell;
  const double lengths[] = {40, 40, 40}, angles[] = {109.4712206344907, 109.4712206344907, 109.4712206344907};
  g_assert_true(debye_cell_from_lengths_angles(&cell, lengths, angles));
  DebyePeriodic periodic;
  debye_periodic_init(&periodic, &cell);
  for (int k = 0; k < 3; k++)
    assert_near(debye_vec3_length(periodic.reduced[k]), 40.0, 1e-9);
  DebyeVec3 sum = debye_vec3_add(cell.a, debye_vec3_add(cell.b, cell.c));
  assert_near(debye_vec3_length(sum), 40.0, 1e-9);
  assert_near(debye_periodic_distance(&periodic, debye_vec3_scale(sum, 0.9), debye_vec3(0, 0, 0)), 4.0, 1e-9);
}

static void
test_no_cell(void)
{
  const DebyeCell cells[] = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
                             {{10, 0, 0}, {20, 0, 0}, {0, 0, 10}},
                             {{NAN, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (gsize k = 0; k < G_N_ELEMENTS(cells); k++) {
    DebyePeriodic periodic;
    debye_periodic_init(&periodic, &cells[k]);
    g_assert_false(periodic.is_periodic);
    DebyeVec3 d = debye_vec3(123, -456, 789);
    assert_vec3_near(debye_periodic_minimum_image(&periodic, d), d, 0.0);
    assert_vec3_near(debye_periodic_wrap_shift(&periodic, d, debye_vec3(0, 0, 0)), debye_vec3(0, 0, 0), 0.0);
  }
}

static void
test_fractions(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(3);
  for (int round = 0; round < 200; round++) {
    DebyeVec3 nice[3], skewed[3];
    random_cell_fill(random, nice, skewed);
    DebyePeriodic periodic = make_periodic(nice);
    DebyeVec3 position = random_position(random, 50), center = random_position(random, 50);
    DebyeVec3 fraction = debye_periodic_to_fraction(&periodic, position);
    assert_vec3_near(debye_periodic_from_fraction(&periodic, fraction), position, 1e-11);
    DebyeVec3 shift = debye_periodic_wrap_shift(&periodic, position, center);
    DebyeVec3 wrapped = debye_vec3_subtract(debye_vec3_add(position, shift), center);
    DebyeVec3 f = debye_periodic_to_fraction(&periodic, wrapped);
    g_assert_true(fabs(f.x) <= 0.5 + 1e-9 && fabs(f.y) <= 0.5 + 1e-9 && fabs(f.z) <= 0.5 + 1e-9);
    assert_near(debye_vec3_length(near_image(nice, shift)), 0.0, 1e-9);
  }
}

static void
test_wrap_atoms(void)
{
  double positions[][3] = {{1, 1, 1}, {11, -1, 25}, {-0.5, 5, 5}, {NAN, 1, 1}};
  g_autoptr(DebyeFrame) frame = small_frame_new(positions, 4);
  small_frame_set_cell(frame, debye_vec3(10, 0, 0), debye_vec3(0, 10, 0), debye_vec3(0, 0, 10));
  debye_frame_wrap_atoms(frame, debye_vec3(5, 5, 5));
  assert_vec3_near(debye_frame_get_position(frame, 0), debye_vec3(1, 1, 1), 0.0);
  assert_vec3_near(debye_frame_get_position(frame, 1), debye_vec3(1, 9, 5), 1e-5);
  assert_vec3_near(debye_frame_get_position(frame, 2), debye_vec3(9.5, 5, 5), 1e-5);
  g_assert_true(isnan(frame->x[3]));
}

/* --- Molecules --- */

/* Chains of `length` atoms, one after the other. */
static DebyeTopology *
make_chains(gsize n_chains, gsize length)
{
  gsize n_atoms = n_chains * length;
  g_autofree const char **elements = g_new(const char *, n_atoms);
  for (gsize i = 0; i < n_atoms; i++)
    elements[i] = "C";
  g_autoptr(DebyeTopology) bare = small_topology_of_elements(elements, n_atoms, FALSE);
  g_autoptr(GArray) bonds = g_array_new(FALSE, FALSE, sizeof(DebyeBond));
  for (guint32 i = 0; i + 1 < n_atoms; i++)
    if ((i + 1) % length != 0) {
      DebyeBond bond = {i, i + 1};
      g_array_append_val(bonds, bond);
    }
  return debye_topology_with_bonds(bare, (const DebyeBond *)(const void *)bonds->data, bonds->len);
}

/* Straight chains with steps of 1.5 Å in random directions, from random places on. */
static void
lay_chains(GRand *random, DebyeFrame *frame, gsize length)
{
  DebyeVec3 position = {0}, step = {0};
  for (gsize i = 0; i < frame->n_atoms; i++) {
    if (i % length == 0) {
      position = random_position(random, 40);
      step = random_position(random, 1);
      step = debye_vec3_scale(step, 1.5 / debye_vec3_length(step));
    }
    debye_frame_set_position(frame, i, position);
    position = debye_vec3_add(position, step);
  }
}

static void
assert_same_shape(const DebyeFrame *frame, const DebyeFrame *original, gsize length)
{
  for (gsize i = 0; i < frame->n_atoms; i++) {
    gsize first = i - i % length;
    DebyeVec3 d =
        debye_vec3_subtract(debye_frame_get_position(frame, i), debye_frame_get_position(frame, first));
    DebyeVec3 expected =
        debye_vec3_subtract(debye_frame_get_position(original, i), debye_frame_get_position(original, first));
    /* Float coordinates of up to 100 Å, a chain's rounding added up. */
    assert_vec3_near(d, expected, 2e-4);
  }
}

static void
test_make_whole(void)
{
  const gsize length = 12;
  g_autoptr(GRand) random = g_rand_new_with_seed(4);
  g_autoptr(DebyeTopology) topology = make_chains(10, length);
  g_autoptr(DebyeMolecules) molecules = debye_molecules_new(topology);
  g_assert_cmpuint(debye_molecules_get_count(molecules), ==, 10);
  g_autoptr(DebyeFrame) original = debye_frame_new(10 * length);
  for (int round = 0; round < 50; round++) {
    DebyeVec3 nice[3], skewed[3];
    random_cell_fill(random, nice, skewed);
    lay_chains(random, original, length);
    small_frame_set_cell(original, nice[0], nice[1], nice[2]);
    g_autoptr(DebyeFrame) frame = debye_frame_copy(original);
    debye_frame_wrap_atoms(frame, random_position(random, 20));
    debye_molecules_make_whole(molecules, frame);
    assert_same_shape(frame, original, length);
    debye_molecules_wrap(molecules, frame, debye_vec3(1, 2, 3));
    assert_same_shape(frame, original, length);
    DebyePeriodic periodic = make_periodic(nice);
    for (gsize m = 0; m < 10; m++) {
      DebyeVec3 center;
      g_assert_true(debye_molecules_get_center(molecules, m, frame, &center));
      DebyeVec3 f = debye_periodic_to_fraction(&periodic, debye_vec3_subtract(center, debye_vec3(1, 2, 3)));
      g_assert_true(fabs(f.x) < 0.50001 && fabs(f.y) < 0.50001 && fabs(f.z) < 0.50001);
    }
  }
}

static void
test_whole_keeps_bits(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(5);
  g_autoptr(DebyeTopology) topology = make_chains(3, 4);
  g_autoptr(DebyeMolecules) molecules = debye_molecules_new(topology);
  g_autoptr(DebyeFrame) original = debye_frame_new(12);
  lay_chains(random, original, 4);
  small_frame_set_cell(original, debye_vec3(30, 0, 0), debye_vec3(0, 30, 0), debye_vec3(0, 0, 30));
  g_autoptr(DebyeFrame) frame = debye_frame_copy(original);
  debye_molecules_make_whole(molecules, frame);
  g_assert_cmpmem(frame->x, 12 * sizeof(float), original->x, 12 * sizeof(float));
  frame->x[1] = NAN;
  debye_molecules_make_whole(molecules, frame);
  g_assert_true(isnan(frame->x[1]));
  g_assert_cmpmem(frame->y, 12 * sizeof(float), original->y, 12 * sizeof(float));
}

/* A walk that is wrapped and unwrapped again is the walk. */
static void
test_unwrap(void)
{
  const gsize length = 3, n_atoms = 30;
  g_autoptr(GRand) random = g_rand_new_with_seed(6);
  g_autoptr(DebyeTopology) topology = make_chains(n_atoms / length, length);
  g_autoptr(DebyeMolecules) molecules = debye_molecules_new(topology);
  DebyeVec3 nice[3], skewed[3];
  random_cell_fill(random, nice, skewed);
  g_autoptr(DebyeFrame) walk = debye_frame_new(n_atoms);
  lay_chains(random, walk, length);
  small_frame_set_cell(walk, nice[0], nice[1], nice[2]);
  debye_molecules_wrap(molecules, walk, debye_vec3(0, 0, 0));
  g_autoptr(DebyeUnwrap) unwrap = debye_unwrap_new(molecules);
  for (int step = 0; step < 200; step++) {
    g_autoptr(DebyeFrame) frame = debye_frame_copy(walk);
    if (step > 0)
      debye_frame_wrap_atoms(frame, debye_vec3(0, 0, 0));
    debye_unwrap_apply(unwrap, frame);
    for (gsize i = 0; i < n_atoms; i++)
      /* 200 steps of float rounding at up to 100 Å. */
      assert_vec3_near(debye_frame_get_position(frame, i), debye_frame_get_position(walk, i), 2e-3);
    for (gsize m = 0; m < n_atoms / length; m++)
      debye_molecules_move(molecules, m, walk, random_position(random, 1.5));
  }
}

/* An atom that rests in a cell that breathes is not moved by more than the breathing; one that goes 1 Å a
 * frame through the walls has come as far as it went, however the cell changes. */
static void
test_unwrap_with_changing_cell(void)
{
  g_autoptr(DebyeTopology) topology = make_chains(2, 1);
  g_autoptr(DebyeMolecules) molecules = debye_molecules_new(topology);
  g_autoptr(DebyeUnwrap) unwrap = debye_unwrap_new(molecules);
  double wrapped = 0.0;
  for (int step = 0; step < 400; step++) {
    double edge = 20.0 + 2.0 * sin(0.3 * step);
    double positions[][3] = {{0.98 * edge, 0.5 * edge, 0.5 * edge}, {wrapped, 0, 0}};
    g_autoptr(DebyeFrame) frame = small_frame_new(positions, 2);
    small_frame_set_cell(frame, debye_vec3(edge, 0, 0), debye_vec3(0, edge, 0), debye_vec3(0, 0, edge));
    debye_unwrap_apply(unwrap, frame);
    assert_near((double)frame->x[0], 0.98 * edge, 1e-4);
    assert_near((double)frame->x[1], step, 1e-3);
    double next_edge = 20.0 + 2.0 * sin(0.3 * (step + 1));
    wrapped += wrapped + 1.0 >= next_edge ? 1.0 - next_edge : 1.0;
  }
}

static void
test_unwrap_counts_no_image_twice(void)
{
  /* Wrapped positions: after the jump the path goes on from 21, and a change of the cell does not scale what
   * lies behind. */
  g_autoptr(DebyeTopology) topology = make_chains(1, 1);
  g_autoptr(DebyeMolecules) molecules = debye_molecules_new(topology);
  g_autoptr(DebyeUnwrap) unwrap = debye_unwrap_new(molecules);
  const double edges[] = {20, 20, 22, 18, 20}, wrapped[] = {19, 1, 1.1, 0.9, 1};
  const double expected[] = {19, 21, 21.1, 20.9, 21};
  for (gsize k = 0; k < G_N_ELEMENTS(edges); k++) {
    double positions[][3] = {{wrapped[k], 0, 0}};
    g_autoptr(DebyeFrame) frame = small_frame_new(positions, 1);
    small_frame_set_cell(frame, debye_vec3(edges[k], 0, 0), debye_vec3(0, 30, 0), debye_vec3(0, 0, 30));
    debye_unwrap_apply(unwrap, frame);
    assert_near((double)frame->x[0], expected[k], 1e-5);
  }
}

/* --- Neighbours --- */

typedef struct {
  gsize *counts;
  double radius;
} Counter;

static gboolean
count_visit(guint32 atom, double squared_distance, gpointer data)
{
  Counter *counter = data;
  g_assert_cmpfloat(squared_distance, <=, counter->radius * counter->radius);
  counter->counts[atom]++;
  return TRUE;
}

static gsize
count_images(const DebyeVec3 nice[3], DebyeVec3 d, double radius)
{
  gsize count = 0;
  d = near_image(nice, d);
  for (int i = -6; i <= 6; i++)
    for (int j = -6; j <= 6; j++)
      for (int k = -6; k <= 6; k++) {
        DebyeVec3 image = debye_vec3_add(d, debye_vec3_scale(nice[0], i));
        image = debye_vec3_add(image, debye_vec3_scale(nice[1], j));
        image = debye_vec3_add(image, debye_vec3_scale(nice[2], k));
        count += debye_vec3_length(image) <= radius;
      }
  return count;
}

static void
check_neighbours(GRand *random, const DebyeFrame *frame, const DebyeVec3 nice[3], double radius)
{
  g_autoptr(DebyeNeighbours) neighbours = debye_neighbours_new(frame, NULL, 0, radius);
  for (int query = 0; query < 5; query++) {
    DebyeVec3 point = random_position(random, 60);
    gsize counts[40] = {0}, total = 0;
    Counter counter = {counts, radius};
    debye_neighbours_visit(neighbours, point, count_visit, &counter);
    for (gsize i = 0; i < frame->n_atoms; i++) {
      DebyeVec3 d = debye_vec3_subtract(debye_frame_get_position(frame, i), point);
      gsize expected = nice ? count_images(nice, d, radius) : debye_vec3_length(d) <= radius;
      g_assert_cmpuint(counts[i], ==, expected);
      total += expected;
    }
    g_assert_cmpint(debye_neighbours_any(neighbours, point), ==, total > 0);
  }
}

static void
test_neighbours(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(7);
  g_autoptr(DebyeFrame) frame = debye_frame_new(40);
  for (int round = 0; round < 60; round++) {
    DebyeVec3 nice[3], skewed[3];
    random_cell_fill(random, nice, skewed);
    for (gsize i = 0; i < 40; i++)
      debye_frame_set_position(frame, i, random_position(random, 40));
    double radius = round % 3 == 0 ? g_rand_double_range(random, 8, 25) : g_rand_double_range(random, 0.5, 5);
    frame->has_cell = FALSE;
    check_neighbours(random, frame, NULL, 2 * radius);
    small_frame_set_cell(frame, skewed[0], skewed[1], skewed[2]);
    check_neighbours(random, frame, nice, radius);
  }
}

static gboolean
stop_at_once(guint32 atom, double squared_distance, gpointer data)
{
  (void)atom;
  (void)squared_distance;
  return ++*(int *)data < 1;
}

static void
test_neighbours_edges(void)
{
  double positions[][3] = {{0, 0, 0}, {0, 0, 0}, {5, 0, 0}, {NAN, 0, 0}, {0, INFINITY, 0}};
  g_autoptr(DebyeFrame) frame = small_frame_new(positions, 5);
  const guint32 atoms[] = {2, 3, 4};
  int n_visited = 0;
  for (int periodic = 0; periodic < 2; periodic++) {
    if (periodic)
      small_frame_set_cell(frame, debye_vec3(20, 0, 0), debye_vec3(0, 20, 0), debye_vec3(0, 0, 20));
    g_autoptr(DebyeNeighbours) all = debye_neighbours_new(frame, NULL, 0, 5.0);
    g_autoptr(DebyeNeighbours) few = debye_neighbours_new(frame, atoms, 3, 4.0);
    g_autoptr(DebyeNeighbours) none = debye_neighbours_new(frame, atoms, 0, 4.0);
    g_autoptr(DebyeNeighbours) exact = debye_neighbours_new(frame, NULL, 0, 0.0);
    gsize counts[5] = {0};
    Counter counter = {counts, 5.0};
    debye_neighbours_visit(all, debye_vec3(0, 0, 0), count_visit, &counter);
    g_assert_cmpuint(counts[0] + counts[1] + counts[2], ==, 3);
    g_assert_cmpuint(counts[3] + counts[4], ==, 0);
    g_assert_false(debye_neighbours_any(few, debye_vec3(0, 0, 0)));
    g_assert_true(debye_neighbours_any(few, debye_vec3(1, 0, 0)));
    g_assert_false(debye_neighbours_any(few, debye_vec3(1, NAN, 0)));
    g_assert_false(debye_neighbours_any(none, debye_vec3(1, 0, 0)));
    g_assert_true(debye_neighbours_any(exact, debye_vec3(5, 0, 0)));
    g_assert_false(debye_neighbours_any(exact, debye_vec3(5, 0, 1e-3)));
    n_visited = 0;
    debye_neighbours_visit(all, debye_vec3(0, 0, 0), stop_at_once, &n_visited);
    g_assert_cmpint(n_visited, ==, 1);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/periodic/minimum-image", test_minimum_image);
  g_test_add_func("/periodic/reduction", test_reduction);
  g_test_add_func("/periodic/truncated-octahedron", test_truncated_octahedron);
  g_test_add_func("/periodic/no-cell", test_no_cell);
  g_test_add_func("/periodic/fractions", test_fractions);
  g_test_add_func("/periodic/wrap-atoms", test_wrap_atoms);
  g_test_add_func("/periodic/make-whole", test_make_whole);
  g_test_add_func("/periodic/whole-keeps-bits", test_whole_keeps_bits);
  g_test_add_func("/periodic/unwrap", test_unwrap);
  g_test_add_func("/periodic/unwrap-with-changing-cell", test_unwrap_with_changing_cell);
  g_test_add_func("/periodic/unwrap-counts-no-image-twice", test_unwrap_counts_no_image_twice);
  g_test_add_func("/periodic/neighbours", test_neighbours);
  g_test_add_func("/periodic/neighbours/edges", test_neighbours_edges);
  return g_test_run();
}
