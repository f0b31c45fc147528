/* SPDX-License-Identifier: MIT */
/* The direct sum: one body for every device that there is, the fake one, and each instruction set of the
 * processor. Analytic answers first, then the exact sum.
 *
 * Tolerances. Float: 1/d by estimate and correction is good to 4e-7, a coordinate difference to 6e-8 of
 * itself, a sum of up to 512 terms to 6e-7 of its terms: 2e-6 of Σ|q|/d at any one point; over a map 5e-6 of
 * its root mean square is what is promised. Double: a few ulp of the terms, 1e-13 over a map. */
#include <string.h>

#include "bodies/map_test_invariance.h"
#include "bodies/map_test_refusals.h"
#include "kernels/potential/potential_rounding.h"
#include "tests/support/oracle_potential.h"

#define POINT_FLOAT 2e-6
#define POINT_DOUBLE 1e-14
#define MAP_FLOAT 5e-6
#define MAP_DOUBLE 1e-13

static DebyeTestMap
compute(const DebyeMapPath *path, const DebyeGrid *grid, double core, const DebyeCharges *charges)
{
  const DebyePotentialSettings settings = {.grid = *grid, .core_radius = core};
  return debye_map_compute(path, &settings, charges);
}

static void
check_against_oracle(const DebyeMapPath *path, const DebyeGrid *grid, double core,
                     const DebyeCharges *charges)
{
  DebyeTestMap map = compute(path, grid, core, charges);
  double error = debye_oracle_error(charges, grid, core, map.floats, path->exact ? map.doubles : NULL, 400);
  CHECK_AT_MOST(error, path->exact ? MAP_DOUBLE : MAP_FLOAT);
  debye_test_map_clear(&map);
}

/* Analytic. */

/* q/r at every point of a line, from a thousandth of an Å to a hundred thousand. */
static void
test_one_charge(const DebyeMapPath *path)
{
  float at[3] = {0.0f, 0.0f, 0.0f}, charge = -0.75f;
  DebyeCharges charges = {&at[0], &at[1], &at[2], &charge, 1};
  for (double step = 1.7e-3; step < 1e4; step *= 10.0) {
    DebyeGrid grid = debye_plain_grid(debye_vec3(step, 0.0, 0.0), step, 100, 2, 1);
    DebyeTestMap map = compute(path, &grid, DEBYE_MAP_CORE, &charges);
    double worst = 0.0;
    for (size_t i = 0; i < map.n; i++) {
      DebyeVec3 point = debye_grid_point(&grid, (double)(i % 100), (double)(i / 100), 0.0);
      double expected = -0.75 / debye_vec3_length(point);
      worst = fmax(worst, fabs(debye_test_map_value(&map, i) / expected - 1.0));
    }
    CHECK_AT_MOST(worst, path->exact ? POINT_DOUBLE : POINT_FLOAT);
    debye_test_map_clear(&map);
  }
}

static void
test_dipole(const DebyeMapPath *path)
{
  float x[2] = {-0.5f, 0.5f}, zero[2] = {0.0f, 0.0f}, charge[2] = {1.0f, -1.0f};
  DebyeCharges charges = {x, zero, zero, charge, 2};
  DebyeGrid grid = debye_plain_grid(debye_vec3(-15.75, -3.0, 1.25), 0.5, 64, 13, 4);
  DebyeTestMap map = compute(path, &grid, DEBYE_MAP_CORE, &charges);
  double worst = 0.0;
  for (size_t i = 0; i < map.n; i++) {
    DebyeVec3 p = debye_grid_point(&grid, (double)(i % 64), (double)(i / 64 % 13), (double)(i / 64 / 13));
    double near = 1.0 / debye_vec3_length(debye_vec3(p.x + 0.5, p.y, p.z));
    double far = 1.0 / debye_vec3_length(debye_vec3(p.x - 0.5, p.y, p.z));
    worst = fmax(worst, fabs(debye_test_map_value(&map, i) - (near - far)) / (near + far));
  }
  CHECK_AT_MOST(worst, path->exact ? POINT_DOUBLE : POINT_FLOAT);
  /* The plane between the charges: points with x = 0 are not on this grid, but mirrored points cancel. */
  for (size_t i = 0; i < 63; i++)
    CHECK_AT_MOST(fabs(debye_test_map_value(&map, i) + debye_test_map_value(&map, 63 - i) - 2.0 * 0.0), 1e-6);
  debye_test_map_clear(&map);
}

/* On the atom, within the core and outside of it, in the middle of more points than a block has. */
static void
test_core_radius(const DebyeMapPath *path)
{
  float x = 10.0f, y = 5.0f, z = 1.0f, charge = 2.0f;
  DebyeCharges charges = {&x, &y, &z, &charge, 1};
  const double cores[] = {1e-3, 0.3, 1.4};
  for (size_t core = 0; core < 3; core++) {
    DebyeGrid grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.25, 140, 45, 9);
    DebyeTestMap map = compute(path, &grid, cores[core], &charges);
    double worst = 0.0;
    for (size_t i = 0; i < map.n; i++) {
      DebyeVec3 p =
          debye_grid_point(&grid, (double)(i % 140), (double)(i / 140 % 45), (double)(i / 140 / 45));
      double distance = debye_vec3_length(debye_vec3_subtract(p, debye_vec3(10.0, 5.0, 1.0)));
      worst = fmax(worst, fabs(debye_test_map_value(&map, i) * fmax(distance, cores[core]) / 2.0 - 1.0));
    }
    CHECK_AT_MOST(worst, path->exact ? POINT_DOUBLE : POINT_FLOAT);
    CHECK_AT_MOST(fabs(debye_test_map_value(&map, 40 + 140 * (20 + 45 * 4)) * cores[core] / 2.0 - 1.0),
                  POINT_FLOAT);
    debye_test_map_clear(&map);
  }
}

static void
test_no_atoms(const DebyeMapPath *path)
{
  DebyeCharges none = {0};
  DebyeGrid grid = debye_plain_grid(debye_vec3(1.0, 2.0, 3.0), 0.5, 5, 4, 3);
  DebyeTestMap map = compute(path, &grid, DEBYE_MAP_CORE, &none);
  for (size_t i = 0; i < map.n; i++)
    CHECK(debye_test_map_value(&map, i) == 0.0);
  debye_test_map_clear(&map);
}

/* Against each other and the exact sum. */

/* Point (i, j) of the skew grid is point (i + j, j) of the plain one. */
static void
test_skew_as_plain(const DebyeMapPath *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(300, debye_vec3(0.0, 0.0, 0.0), debye_vec3(30.0, 20.0, 5.0), 7);
  DebyeGrid plain = debye_plain_grid(debye_vec3(-1.0, -2.0, 0.3), 0.5, 120, 50, 3), skew = plain;
  skew.step[1].x = 0.5;
  skew.shape[0] = 70;
  DebyeTestMap expected = compute(path, &plain, DEBYE_MAP_CORE, &system.charges),
               found = compute(path, &skew, DEBYE_MAP_CORE, &system.charges);
  double difference = 0.0, square = 0.0;
  for (size_t i = 0; i < found.n; i++) {
    size_t j = i / 70 % 50, in_plain = i % 70 + j + 120 * (i / 70);
    double e = debye_test_map_value(&expected, in_plain), d = debye_test_map_value(&found, i) - e;
    difference += d * d;
    square += e * e;
  }
  CHECK_AT_MOST(sqrt(difference / square), path->exact ? MAP_DOUBLE : MAP_FLOAT);
  debye_test_map_clear(&expected);
  debye_test_map_clear(&found);
  debye_random_system_clear(&system);
}

/* Turned, mirrored, left-handed and wholly skew steps. */
static void
test_directions(const DebyeMapPath *path)
{
  static const DebyeVec3 steps[][3] = {
      {{-0.5, 0.0, 0.0}, {0.0, 0.6, 0.0}, {0.0, 0.0, 0.7}},
      {{0.5, 0.0, 0.0}, {0.0, -0.6, 0.0}, {0.0, 0.0, -0.7}},
      {{0.0, 0.0, 0.5}, {0.5, 0.0, 0.0}, {0.0, 0.5, 0.0}},
      {{0.3, 0.4, 0.0}, {-0.4, 0.3, 0.0}, {0.0, 0.0, 0.5}},
      {{0.5, 0.1, 0.2}, {-0.2, 0.6, 0.1}, {0.3, 0.2, 0.4}},
      {{0.5, 0.0, 0.0}, {0.25, 0.433, 0.0}, {0.25, 0.144, 0.408}},
  };
  DebyeRandomSystem system =
      debye_random_system_new(200, debye_vec3(-9.0, -9.0, -9.0), debye_vec3(18.0, 18.0, 18.0), 8);
  for (size_t i = 0; i < DEBYE_LENGTH(steps); i++) {
    DebyeGrid grid = {.origin = {-5.0, -4.0, -3.0}, .shape = {21, 19, 11}};
    memcpy(grid.step, steps[i], sizeof grid.step);
    check_against_oracle(path, &grid, DEBYE_MAP_CORE, &system.charges);
  }
  debye_random_system_clear(&system);
}

/* Fewer and more points than a block has, in every direction, and axes of one point without a step. */
static void
test_shapes(const DebyeMapPath *path)
{
  static const size_t shapes[][3] = {{1, 1, 1},   {1, 7, 3},    {65, 1, 2}, {17, 33, 5},
                                     {63, 64, 1}, {130, 67, 3}, {2, 1, 300}};
  DebyeRandomSystem system =
      debye_random_system_new(100, debye_vec3(0.0, 0.0, 0.0), debye_vec3(20.0, 20.0, 20.0), 9);
  for (size_t i = 0; i < DEBYE_LENGTH(shapes); i++) {
    DebyeGrid grid =
        debye_plain_grid(debye_vec3(1.0, 1.0, 1.0), 0.4, shapes[i][0], shapes[i][1], shapes[i][2]);
    for (int axis = 0; axis < 3; axis++)
      if (grid.shape[axis] == 1)
        grid.step[axis] = debye_vec3(0.0, 0.0, 0.0);
    check_against_oracle(path, &grid, DEBYE_MAP_CORE, &system.charges);
  }
  debye_random_system_clear(&system);
}

/* Numbers of atoms around the size of a tile, and more than one launch takes. */
static void
test_tiles(const DebyeMapPath *path)
{
  static const size_t numbers[] = {1, 2, 511, 512, 513, 1024, 3000, 9000};
  for (size_t i = 0; i < DEBYE_LENGTH(numbers); i++) {
    DebyeRandomSystem system =
        debye_random_system_new(numbers[i], debye_vec3(0.0, 0.0, 0.0), debye_vec3(20.0, 20.0, 20.0), 10);
    DebyeGrid grid = debye_plain_grid(debye_vec3(-1.0, -1.0, 5.0), 0.9, 26, 25, 1);
    check_against_oracle(path, &grid, DEBYE_MAP_CORE, &system.charges);
    /* A core that most points are in. */
    check_against_oracle(path, &grid, 3.0, &system.charges);
    debye_random_system_clear(&system);
  }
}

/* Points far apart among crowded atoms: the longer a block of points is, the coarser are places from its
 * middle in float. A few points, and more rows than a block has. */
static void
test_coarse_grid(const DebyeMapPath *path)
{
  static const size_t shapes[2][2] = {{12, 11}, {9, 150}};
  DebyeRandomSystem system =
      debye_random_system_new(9000, debye_vec3(0.0, 0.0, 0.0), debye_vec3(20.0, 20.0, 20.0), 13);
  for (int i = 0; i < 2; i++)
    for (double step = 1.9; step < 5.0; step += 2.6) {
      const double start = 10.0 - 0.5 * step * (double)shapes[i][1];
      DebyeGrid grid = debye_plain_grid(debye_vec3(-1.0, start, 9.0), step, shapes[i][0], shapes[i][1], 1);
      check_against_oracle(path, &grid, DEBYE_MAP_CORE, &system.charges);
    }
  debye_random_system_clear(&system);
}

/* Far from the origin the positions are what their floats say, and nothing more is lost. */
static void
test_far_from_origin(const DebyeMapPath *path)
{
  DebyeVec3 corner = debye_vec3(1e6, -1e6, 5e5);
  DebyeRandomSystem system = debye_random_system_new(500, corner, debye_vec3(30.0, 30.0, 30.0), 11);
  DebyeGrid grid = debye_plain_grid(debye_vec3_add(corner, debye_vec3(0.1, 0.2, 0.3)), 0.7, 40, 40, 4);
  check_against_oracle(path, &grid, DEBYE_MAP_CORE, &system.charges);
  debye_random_system_clear(&system);
}

static void
test_slabs(const DebyeMapPath *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(700, debye_vec3(0.0, 0.0, 0.0), debye_vec3(20.0, 20.0, 20.0), 12);
  const DebyePotentialSettings settings = {
      .grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, 37, 29, 20), .core_radius = DEBYE_MAP_CORE};
  debye_map_check_slabs(path, &settings, &system.charges);
  debye_random_system_clear(&system);
}

/* What is foretold of float's error is what comes, within a factor of three. */
static void
check_rounding(const DebyeMapPath *path, const DebyeGrid *grid, const DebyeCharges *charges, bool is_small)
{
  const DebyePotentialSettings settings = {.grid = *grid, .core_radius = DEBYE_MAP_CORE};
  const double foretold = debye_potential_rounding(&settings, charges, NULL, 64);
  CHECK(is_small == (foretold < MAP_FLOAT));
  DebyeTestMap map = compute(path, grid, DEBYE_MAP_CORE, charges);
  const double error =
      debye_oracle_error(charges, grid, DEBYE_MAP_CORE, map.floats, path->exact ? map.doubles : NULL, 400);
  CHECK_AT_MOST(error, path->exact ? 1e-6 * foretold : 3.0 * foretold);
  debye_test_map_clear(&map);
}

/* All cations before all anions, these in the same order or from the other end. */
static DebyeRandomSystem
make_crystal(bool is_reversed)
{
  enum { EDGE = 18, N = EDGE * EDGE * EDGE };
  DebyeRandomSystem system =
      debye_random_system_new(N, debye_vec3(0.0, 0.0, 0.0), debye_vec3(1.0, 1.0, 1.0), 14);
  for (size_t site = 0, n[2] = {0, N / 2}; site < N; site++) {
    const size_t x = site % EDGE, y = site / EDGE % EDGE, z = site / EDGE / EDGE, anion = (x + y + z) % 2;
    const size_t i = anion && is_reversed ? 3 * N / 2 - 1 - n[anion]++ : n[anion]++;
    system.x[i] = 2.82f * (float)x + 0.2f * system.x[i];
    system.y[i] = 2.82f * (float)y + 0.2f * system.y[i];
    system.z[i] = 2.82f * (float)z + 0.2f * system.z[i];
    system.charge[i] = anion ? -1.0f : 1.0f;
  }
  return system;
}

/* A crystal as files have it: half of it alone has hundreds of times the potential of the whole. In the
 * middle, and outside, where hardly anything is left of it. */
static void
test_cations_before_anions(const DebyeMapPath *path)
{
  DebyeRandomSystem system = make_crystal(false);
  const double corners[2] = {20.0, -9.0};
  for (int i = 0; i < 2; i++) {
    DebyeGrid grid = debye_plain_grid(debye_vec3(corners[i], corners[i], corners[i]), 0.4, 20, 20, 4);
    if (i == 0)
      check_against_oracle(path, &grid, DEBYE_MAP_CORE, &system.charges);
    check_rounding(path, &grid, &system.charges, i == 0);
  }
  debye_random_system_clear(&system);
}

/* Cations from one end and anions from the other: half of each is a dipole as large as the crystal. */
static void
test_anions_from_the_other_end(const DebyeMapPath *path)
{
  DebyeRandomSystem system = make_crystal(true);
  DebyeGrid grid = debye_plain_grid(debye_vec3(-9.0, -9.0, -9.0), 0.4, 20, 20, 4);
  check_rounding(path, &grid, &system.charges, false);
  debye_random_system_clear(&system);
}

/* Refusals. */

static void
test_wrong_settings(const DebyeMapPath *path)
{
  const DebyePotentialSettings good =
      debye_small_map_settings(path, DEBYE_POTENTIAL_DIRECT, DEBYE_PERIODIC_NONE);
  DebyePotentialSettings wrong = good;
  wrong.grid.shape[1] = 0;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.grid.shape[0] = wrong.grid.shape[1] = wrong.grid.shape[2] = (size_t)1 << 22;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.grid.step[2] = debye_vec3_add(wrong.grid.step[0], wrong.grid.step[1]);
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.grid.step[0].x = (double)NAN;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.grid.origin.z = (double)INFINITY;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.core_radius = 0.0;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.core_radius = (double)NAN;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.max_planes = 0;
  debye_map_check_refused(path, &wrong);
}

static void
test_wrong_arguments(const DebyeMapPath *path)
{
  for (unsigned periodic = 0; periodic <= DEBYE_PERIODIC_ALL; periodic += DEBYE_PERIODIC_ALL) {
    const DebyePotentialSettings settings = debye_small_map_settings(path, DEBYE_POTENTIAL_DIRECT, periodic);
    debye_map_check_arguments(path, &settings);
  }
}

static const DebyeMapBody bodies[] = {
    {"one charge", test_one_charge},
    {"dipole", test_dipole},
    {"core radius", test_core_radius},
    {"no atoms", test_no_atoms},
    {"skew as plain", test_skew_as_plain},
    {"directions", test_directions},
    {"shapes", test_shapes},
    {"tiles", test_tiles},
    {"coarse grid", test_coarse_grid},
    {"far from the origin", test_far_from_origin},
    {"slabs", test_slabs},
    {"cations before anions", test_cations_before_anions},
    {"anions from the other end", test_anions_from_the_other_end},
    {"wrong settings", test_wrong_settings},
    {"wrong arguments", test_wrong_arguments},
};

/* The arguments: only devices whose id begins so ("cuda"), only bodies whose name has it. */
int
main(int argc, char **argv)
{
  return debye_map_test_main(argc, argv, DEBYE_POTENTIAL_DIRECT, true, bodies, DEBYE_LENGTH(bodies));
}
