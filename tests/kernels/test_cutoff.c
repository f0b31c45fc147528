/* SPDX-License-Identifier: MIT */
/* The cutoff method: one body for every device that there is, the fake one, and each instruction set of the
 * processor. Analytic answers first, then the exact sum over images; frames and capacities are in
 * test_cutoff_frames.c.
 *
 * Tolerances. Float: as for the direct sum, 2e-6 of Σ|q|/d at any one point. Double: a few ulp of the terms;
 * a point far from the origin is itself good to 1e-16 of its distance from it, which an atom 1 Å away sees as
 * 1e-13. */
#include <string.h>

#include "bodies/cutoff_test_support.h"
#include "tests/support/fake_backend.h"

#define POINT_FLOAT 2e-6
#define POINT_DOUBLE 1e-13

/* Analytic. */

static double
expected_value(DebyeSmoothing smoothing, double d, double cutoff)
{
  double t = 1.0 - d * d / (cutoff * cutoff);
  if (!(d < cutoff))
    return 0.0;
  return smoothing == DEBYE_SMOOTHING_SMOOTH  ? t * t / d
         : smoothing == DEBYE_SMOOTHING_SHIFT ? 1.0 / d - 1.0 / cutoff
                                              : 1.0 / d;
}

/* Every point of a line from the atom through the cutoff and beyond, and on the atom itself. */
static void
test_one_charge(const DebyeMapPath *path)
{
  float at[3] = {0.0f, 0.0f, 0.0f}, charge = -0.75f;
  DebyeCharges charges = {&at[0], &at[1], &at[2], &charge, 1};
  for (int smoothing = 0; smoothing < 3; smoothing++) {
    DebyeGrid grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.13, 170, 3, 2);
    DebyePotentialSettings problem = debye_cutoff_problem_new(grid, 12.0, (DebyeSmoothing)smoothing);
    DebyeTestMap map = debye_map_compute(path, &problem, &charges);
    double worst = 0.0;
    for (size_t i = 0; i < map.n; i++) {
      DebyeVec3 p = debye_grid_point(&grid, (double)(i % 170), (double)(i / 170 % 3), (double)(i / 510));
      double d = fmax(debye_vec3_length(p), DEBYE_MAP_CORE);
      double expected = -0.75 * expected_value((DebyeSmoothing)smoothing, d, 12.0);
      worst = fmax(worst, fabs(debye_test_map_value(&map, i) - expected) * d);
    }
    CHECK_AT_MOST(worst, path->exact ? POINT_DOUBLE : POINT_FLOAT);
    debye_test_map_clear(&map);
  }
}

/* On the atom, within the core and outside of it. */
static void
test_core_radius(const DebyeMapPath *path)
{
  float x = 5.0f, y = 3.0f, z = 1.0f, charge = 2.0f;
  DebyeCharges charges = {&x, &y, &z, &charge, 1};
  const double cores[] = {1e-3, 0.3, 1.4};
  for (size_t core = 0; core < 3; core++) {
    DebyeGrid grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.25, 70, 45, 9);
    DebyePotentialSettings problem = debye_cutoff_problem_new(grid, 6.0, DEBYE_SMOOTHING_SMOOTH);
    problem.core_radius = cores[core];
    DebyeTestMap map = debye_map_compute(path, &problem, &charges);
    double worst = 0.0;
    for (size_t i = 0; i < map.n; i++) {
      DebyeVec3 p = debye_grid_point(&grid, (double)(i % 70), (double)(i / 70 % 45), (double)(i / 70 / 45));
      double distance = debye_vec3_length(debye_vec3_subtract(p, debye_vec3(5.0, 3.0, 1.0)));
      double d = fmax(distance, cores[core]);
      worst = fmax(
          worst,
          fabs(debye_test_map_value(&map, i) - 2.0 * expected_value(DEBYE_SMOOTHING_SMOOTH, d, 6.0)) * d);
    }
    CHECK_AT_MOST(worst, 2.0 * (path->exact ? POINT_DOUBLE : POINT_FLOAT));
    debye_test_map_clear(&map);
  }
}

static void
test_no_atoms(const DebyeMapPath *path)
{
  DebyeCharges none = {0};
  DebyePotentialSettings problem = debye_cutoff_problem_new(
      debye_plain_grid(debye_vec3(1.0, 2.0, 3.0), 0.5, 5, 4, 3), 12.0, DEBYE_SMOOTHING_SMOOTH);
  for (int periodic = 0; periodic < 2; periodic++) {
    problem.periodic = periodic == 1 ? DEBYE_PERIODIC_ALL : DEBYE_PERIODIC_NONE;
    problem.cell = (DebyeCell){{9.0, 0.0, 0.0}, {0.0, 9.0, 0.0}, {0.0, 0.0, 9.0}};
    DebyeTestMap map = debye_map_compute(path, &problem, &none);
    for (size_t i = 0; i < map.n; i++)
      CHECK(debye_test_map_value(&map, i) == 0.0);
    debye_test_map_clear(&map);
  }
}

/* Charges of one without smoothing, and a core radius near the cutoff: nearly all pairs in range have the
 * same value, so that it counts them. */
static void
test_count_of_pairs(const DebyeMapPath *path)
{
  const double cutoff = 7.3;
  DebyeRandomSystem system =
      debye_random_system_new(400, debye_vec3(0.0, 0.0, 0.0), debye_vec3(17.0, 15.0, 16.0), 21);
  DebyePotentialSettings problem = debye_cutoff_problem_new(
      debye_plain_grid(debye_vec3(-1.0, -2.0, 0.3), 1.9, 11, 10, 9), cutoff, DEBYE_SMOOTHING_NONE);
  const DebyePairFunction function = debye_pair_function_smoothing(DEBYE_SMOOTHING_NONE, cutoff);
  problem.core_radius = 0.99 * cutoff;
  problem.periodic = DEBYE_PERIODIC_ALL;
  problem.cell = (DebyeCell){{17.0, 0.0, 0.0}, {2.0, 15.0, 0.0}, {-3.0, 4.0, 16.0}};
  for (size_t i = 0; i < system.charges.n; i++)
    system.charge[i] = 1.0f;
  const DebyeCutoffProblem oracle = {&function, problem.core_radius, DEBYE_PERIODIC_ALL, &problem.cell};
  DebyeTestMap map = debye_map_compute(path, &problem, &system.charges);
  double found = 0.0;
  uint64_t expected = 0;
  for (size_t i = 0; i < map.n; i++) {
    DebyeVec3 p =
        debye_grid_point(&problem.grid, (double)(i % 11), (double)(i / 11 % 10), (double)(i / 11 / 10));
    found += rint(debye_test_map_value(&map, i) * problem.core_radius);
    debye_oracle_cutoff(&oracle, &system.charges, p, &expected);
  }
  CHECK_THAT((uint64_t)found == expected, "%.0f pairs were summed, %.0f are in range", found,
             (double)expected);
  debye_test_map_clear(&map);
  debye_random_system_clear(&system);
}

/* Against the exact sum. */

static const DebyeCell cells[] = {
    {{20.0, 0.0, 0.0}, {0.0, 21.0, 0.0}, {0.0, 0.0, 22.0}},
    {{20.0, 0.0, 0.0}, {5.0, 21.0, 0.0}, {-7.0, 3.0, 19.0}},
    /* Smaller than the cutoff, turned, and left-handed. */
    {{5.0, 1.0, 0.0}, {-1.0, 0.0, 6.0}, {2.0, 6.0, 1.0}},
};

/* Open, and periodic along each choice of axes; some atoms outside of the cell; a skew grid that reaches
 * beyond the cell. */
static void
test_cells(const DebyeMapPath *path)
{
  for (size_t cell = 0; cell < DEBYE_LENGTH(cells); cell++)
    for (unsigned periodic = 0; periodic < 8; periodic++) {
      DebyeRandomSystem system = debye_random_system_new(cell == 2 ? 30 : 200, debye_vec3(-30.0, -5.0, 1.0),
                                                         debye_vec3(50.0, 22.0, 20.0), 7 + (unsigned)cell);
      DebyeGrid grid = {.origin = {-9.0, -7.0, -3.0},
                        .step = {{0.7, 0.02, 0.0}, {-0.15, 0.8, 0.1}, {0.15, 0.1, 0.6}},
                        .shape = {35, 26, 19}};
      DebyePotentialSettings problem =
          debye_cutoff_problem_new(grid, 8.0, (DebyeSmoothing)((periodic + cell) % 3));
      problem.periodic = periodic;
      problem.cell = cells[cell];
      debye_cutoff_check(path, &problem, &system.charges);
      debye_random_system_clear(&system);
    }
}

/* Turned, mirrored, left-handed and wholly skew steps. */
static void
test_directions(const DebyeMapPath *path)
{
  static const DebyeVec3 steps[][3] = {
      {{-0.5, 0.0, 0.0}, {0.0, 0.6, 0.0}, {0.0, 0.0, 0.7}},
      {{0.5, 0.0, 0.0}, {0.0, -0.6, 0.0}, {0.0, 0.0, -0.7}},
      {{0.0, 0.0, 0.5}, {0.5, 0.0, 0.0}, {0.0, 0.5, 0.0}},
      {{0.5, 0.1, 0.2}, {-0.2, 0.6, 0.1}, {0.3, 0.2, 0.4}},
      {{0.5, 0.0, 0.0}, {0.25, 0.433, 0.0}, {0.25, 0.144, 0.408}},
      {{0.5, 0.0, 0.0}, {-1.9, 0.4, 0.0}, {2.1, -1.3, 0.3}},
  };
  DebyeRandomSystem system =
      debye_random_system_new(300, debye_vec3(-9.0, -9.0, -9.0), debye_vec3(18.0, 18.0, 18.0), 8);
  for (size_t i = 0; i < DEBYE_LENGTH(steps); i++) {
    DebyePotentialSettings problem = debye_cutoff_problem_new(
        (DebyeGrid){.origin = {-5.0, -4.0, -3.0}, .shape = {21, 19, 11}}, 6.0, DEBYE_SMOOTHING_SMOOTH);
    memcpy(problem.grid.step, steps[i], sizeof problem.grid.step);
    debye_cutoff_check(path, &problem, &system.charges);
  }
  debye_random_system_clear(&system);
}

/* Fewer and more points than a block has, in every direction, and axes of one point without a step. */
static void
test_shapes(const DebyeMapPath *path)
{
  static const size_t shapes[][3] = {{1, 1, 1}, {1, 7, 3}, {65, 1, 2}, {17, 33, 5}, {31, 9, 1}, {2, 1, 100}};
  DebyeRandomSystem system =
      debye_random_system_new(400, debye_vec3(-5.0, -5.0, -5.0), debye_vec3(20.0, 20.0, 20.0), 9);
  for (size_t i = 0; i < DEBYE_LENGTH(shapes); i++) {
    DebyePotentialSettings problem = debye_cutoff_problem_new(
        debye_plain_grid(debye_vec3(1.0, 1.0, 1.0), 0.4, shapes[i][0], shapes[i][1], shapes[i][2]), 5.0,
        DEBYE_SMOOTHING_SMOOTH);
    for (int axis = 0; axis < 3; axis++)
      if (problem.grid.shape[axis] == 1)
        problem.grid.step[axis] = debye_vec3(0.0, 0.0, 0.0);
    debye_cutoff_check(path, &problem, &system.charges);
  }
  debye_random_system_clear(&system);
}

/* Steps from a fraction of a bin to several cutoffs, and bins of several sizes. */
static void
test_steps_and_bins(const DebyeMapPath *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(500, debye_vec3(0.0, 0.0, 0.0), debye_vec3(40.0, 40.0, 40.0), 10);
  for (double step = 0.03; step < 50.0; step *= 12.0)
    for (double bin = 0.0; bin < 30.0; bin = bin * 4.0 + 1.1) {
      DebyePotentialSettings problem = debye_cutoff_problem_new(
          debye_plain_grid(debye_vec3(3.0, 5.0, 7.0), step, 19, 18, 9), 9.0, DEBYE_SMOOTHING_SMOOTH);
      problem.bin_size = bin;
      problem.periodic = DEBYE_PERIODIC_ALL;
      problem.cell = (DebyeCell){{40.0, 0.0, 0.0}, {0.0, 40.0, 0.0}, {0.0, 0.0, 40.0}};
      debye_cutoff_check(path, &problem, &system.charges);
    }
  debye_random_system_clear(&system);
}

/* Far from the origin the positions are what their floats say, and nothing more is lost. The oracle's points
 * are doubles there, good to 1e-10 Å. */
static void
test_far_from_origin(const DebyeMapPath *path)
{
  DebyeVec3 corner = debye_vec3(1e6, -1e6, 5e5);
  DebyeRandomSystem system = debye_random_system_new(500, corner, debye_vec3(30.0, 30.0, 30.0), 11);
  DebyePotentialSettings problem = debye_cutoff_problem_new(
      debye_plain_grid(debye_vec3_add(corner, debye_vec3(0.1, 0.2, 0.3)), 0.7, 40, 40, 4), 9.0,
      DEBYE_SMOOTHING_SHIFT);
  DebyeTestMap map = debye_map_compute(path, &problem, &system.charges);
  CHECK_AT_MOST(debye_cutoff_map_error(&problem, &system.charges, &map),
                path->exact ? 1e-10 : DEBYE_CUTOFF_MAP_FLOAT);
  debye_test_map_clear(&map);
  debye_random_system_clear(&system);
}

/* Every grid point has an atom: the core decides. */
static void
test_atoms_on_points(const DebyeMapPath *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(8 * 8 * 8, debye_vec3(0.0, 0.0, 0.0), debye_vec3(1.0, 1.0, 1.0), 12);
  for (size_t i = 0; i < system.charges.n; i++) {
    system.x[i] = (float)(i % 8);
    system.y[i] = (float)(i / 8 % 8);
    system.z[i] = (float)(i / 64);
  }
  for (int smoothing = 0; smoothing < 3; smoothing++) {
    DebyePotentialSettings problem = debye_cutoff_problem_new(
        debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 1.0, 8, 8, 8), 3.3, (DebyeSmoothing)smoothing);
    problem.periodic = DEBYE_PERIODIC_ALL;
    problem.cell = (DebyeCell){{8.0, 0.0, 0.0}, {0.0, 8.0, 0.0}, {0.0, 0.0, 8.0}};
    debye_cutoff_check(path, &problem, &system.charges);
  }
  debye_random_system_clear(&system);
}

/* Atoms of one sign: what a step at the cutoff gives is then largest. */
static void
test_net_charge(const DebyeMapPath *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(1500, debye_vec3(0.0, 0.0, 0.0), debye_vec3(25.0, 25.0, 25.0), 13);
  for (size_t i = 0; i < system.charges.n; i++)
    system.charge[i] = 1.0f;
  for (int smoothing = 0; smoothing < 3; smoothing++) {
    DebyePotentialSettings problem = debye_cutoff_problem_new(
        debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, 50, 50, 9), 12.0, (DebyeSmoothing)smoothing);
    problem.periodic = DEBYE_PERIODIC_ALL;
    problem.cell = (DebyeCell){{25.0, 0.0, 0.0}, {0.0, 25.0, 0.0}, {0.0, 0.0, 25.0}};
    debye_cutoff_check(path, &problem, &system.charges);
  }
  debye_random_system_clear(&system);
}

/* Charges far smaller and larger than a molecule's, and none. */
static void
test_sizes_of_charges(const DebyeMapPath *path)
{
  static const double sizes[] = {1e-26, 1e-20, 1e-3, 1.1e6, 1e12};
  for (size_t size = 0; size < DEBYE_LENGTH(sizes); size++)
    for (int smoothing = 0; smoothing < 3; smoothing++) {
      DebyeRandomSystem system =
          debye_random_system_new(700, debye_vec3(0.0, 0.0, 0.0), debye_vec3(22.0, 22.0, 22.0), 14);
      for (size_t i = 0; i < system.charges.n; i++)
        system.charge[i] = i % 5 == 0 ? 0.0f : (float)(sizes[size] * system.charge[i]);
      DebyePotentialSettings problem = debye_cutoff_problem_new(
          debye_plain_grid(debye_vec3(1.0, 1.0, 1.0), 0.6, 34, 33, 11), 8.0, (DebyeSmoothing)smoothing);
      debye_cutoff_check(path, &problem, &system.charges);
      debye_random_system_clear(&system);
    }
}

/* Two molecules far from each other, of which the map has one: whole stretches of the atoms are out of its
 * reach, at the end, at the beginning and between. */
static void
test_out_of_reach(const DebyeMapPath *path)
{
  const size_t n = 25000, places[][2] = {{8500, n}, {0, 16500}, {8200, 16500}};
  DebyeRandomSystem system =
      debye_random_system_new(n, debye_vec3(-10.0, -10.0, -10.0), debye_vec3(20.0, 20.0, 20.0), 31);
  DebyePotentialSettings problem = debye_cutoff_problem_new(
      debye_plain_grid(debye_vec3(-8.0, -8.0, -8.0), 8.0, 3, 2, 2), 12.0, DEBYE_SMOOTHING_SMOOTH);
  problem.cell = (DebyeCell){{300.0, 0.0, 0.0}, {0.0, 300.0, 0.0}, {0.0, 0.0, 300.0}};
  for (size_t i = 0; i < DEBYE_LENGTH(places); i++) {
    for (size_t atom = 0; atom < n; atom++)
      if (atom >= places[i][0] && atom < places[i][1])
        system.x[atom] += 110.0f;
    for (int periodic = 0; periodic < 2; periodic++) {
      problem.periodic = periodic == 1 ? DEBYE_PERIODIC_ALL : DEBYE_PERIODIC_NONE;
      debye_cutoff_check(path, &problem, &system.charges);
    }
    for (size_t atom = 0; atom < n; atom++)
      if (atom >= places[i][0] && atom < places[i][1])
        system.x[atom] -= 110.0f;
  }
  debye_random_system_clear(&system);
}

static const DebyeMapBody bodies[] = {
    {"one charge", test_one_charge},
    {"core radius", test_core_radius},
    {"no atoms", test_no_atoms},
    {"count of pairs", test_count_of_pairs},
    {"cells", test_cells},
    {"directions", test_directions},
    {"shapes", test_shapes},
    {"steps and bins", test_steps_and_bins},
    {"far from the origin", test_far_from_origin},
    {"atoms on points", test_atoms_on_points},
    {"net charge", test_net_charge},
    {"sizes of charges", test_sizes_of_charges},
    {"out of reach", test_out_of_reach},
};

/* The arguments: only devices whose id begins so ("cuda"), only bodies whose name has it. */
int
main(int argc, char **argv)
{
  return debye_map_test_main(argc, argv, DEBYE_POTENTIAL_CUTOFF, true, bodies, DEBYE_LENGTH(bodies));
}
