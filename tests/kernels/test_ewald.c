/* SPDX-License-Identifier: MIT */
/* Particle mesh Ewald: one body for every device that there is and each instruction set of the processor.
 * Madelung constants first, then Ewald's own sums by brute force, then what must not change the map.
 *
 * Tolerances are those that the plan was asked for, against the root mean square of the map: meeting them is
 * what is promised. */
#include "kernels/potential/ewald.h"
#include "bodies/map_test_accuracy.h"
#include "bodies/map_test_invariance.h"
#include "bodies/map_test_refusals.h"
#include "tests/support/oracle_ewald.h"

#define SAMPLES 60

/* Of a map over a cell. */
static DebyePotentialSettings
settings_for(const DebyeGrid *grid, const DebyeCell *cell, double tolerance)
{
  return (DebyePotentialSettings){.method = DEBYE_POTENTIAL_EWALD,
                                  .grid = *grid,
                                  .core_radius = DEBYE_MAP_CORE,
                                  .periodic = DEBYE_PERIODIC_ALL,
                                  .cell = *cell,
                                  .tolerance = tolerance};
}

/* Analytic. */

static void
test_madelung(const DebyeMapPath *path)
{
  /* At a site where every wave of the lattice has its crest the error is a dozen times the map's. */
  const double limit = path->exact ? 2e-8 : 5e-5;
  const DebyePotentialSettings ways[] = {
      {.tolerance = path->exact ? 1e-10 : 5e-6},
      {.tolerance = path->exact ? 1e-9 : 5e-6, .cutoff = 9.0},
      {.tolerance = path->exact ? 1e-9 : 5e-6, .cutoff = 14.0, .order = path->exact ? 12 : 6},
      {.tolerance = path->exact ? 1e-10 : 5e-6, .ewald_width = 0.9},
      {.tolerance = path->exact ? 1e-9 : 5e-6, .mesh = {18, 20, 24}},
  };
  for (size_t i = 0; i < DEBYE_LENGTH(ways); i++) {
    DebyePotentialSettings way = ways[i];
    way.method = DEBYE_POTENTIAL_EWALD;
    CHECK_AT_MOST(debye_map_madelung_error(path, &debye_rock_salt, &way), limit);
    CHECK_AT_MOST(debye_map_madelung_error(path, &debye_caesium_chloride, &way), limit);
  }
}

/* On the ion itself and near it: 1/core is all that its own charge gives there, whatever the core. */
static void
test_on_an_ion(const DebyeMapPath *path)
{
  static const double cores[] = {1e-3, 0.2, 1.4};
  float x[2] = {0.5f, 2.5f}, y[2] = {0.0f, 2.0f}, z[2] = {1.0f, 3.0f}, charge[2] = {-1.0f, 1.0f};
  const DebyeCharges charges = {x, y, z, charge, 2};
  const DebyeCell cell = debye_cubic_cell(4.0);
  const DebyeGrid grid = debye_plain_grid(debye_vec3(2.5, 2.0, 3.0), 0.375, 2, 1, 1);
  for (size_t i = 0; i < DEBYE_LENGTH(cores); i++) {
    DebyePotentialSettings settings = settings_for(&grid, &cell, path->exact ? 1e-10 : 5e-6);
    settings.core_radius = cores[i];
    DebyeTestMap map = debye_map_compute(path, &settings, &charges);
    DebyeOracleEwald *oracle = debye_oracle_ewald_new(&charges, &cell, cores[i], 0.0);
    double expected = 1.0 / cores[i] - 1.762674773071 / (2.0 * sqrt(3.0));
    CHECK_AT_MOST(fabs(debye_test_map_value(&map, 0) - expected),
                  path->exact ? 1e-8 : 2e-5 + 2e-7 / cores[i]);
    for (size_t at = 0; at < 2; at++) {
      DebyeVec3 point = debye_grid_point(&grid, (double)at, 0.0, 0.0);
      CHECK_AT_MOST(fabs(debye_test_map_value(&map, at) - debye_oracle_ewald_value(oracle, point)),
                    path->exact ? 1e-8 : 2e-5 + 2e-7 / cores[i]);
    }
    debye_oracle_ewald_free(oracle);
    debye_test_map_clear(&map);
  }
}

static void
test_no_atoms(const DebyeMapPath *path)
{
  const DebyeCell cell = debye_cubic_cell(12.0);
  const DebyeGrid grid = debye_cell_grid(&cell, 7, 0.3);
  DebyePotentialSettings settings = settings_for(&grid, &cell, 0.0);
  DebyeTestMap map = debye_map_compute(path, &settings, &(DebyeCharges){0});
  for (size_t i = 0; i < map.n; i++)
    CHECK(debye_test_map_value(&map, i) == 0.0);
  debye_test_map_clear(&map);
}

/* Against each other and Ewald's sums. */

static const DebyeCell cells[] = {
    {{14.0, 0.0, 0.0}, {0.0, 14.0, 0.0}, {0.0, 0.0, 14.0}},
    {{9.0, 0.0, 0.0}, {0.0, 21.0, 0.0}, {0.0, 0.0, 13.0}},
    /* As programs write them; turned; strongly skew; left-handed; smaller than any cutoff. */
    {{16.0, 0.0, 0.0}, {5.0, 13.0, 0.0}, {-4.0, 6.0, 12.0}},
    {{9.0, 8.0, 2.0}, {-7.0, 10.0, 3.0}, {1.0, -5.0, 14.0}},
    {{15.0, 0.0, 0.0}, {14.0, 12.0, 0.0}, {-13.0, 11.0, 11.0}},
    {{0.0, 13.0, 0.0}, {12.0, 1.0, 2.0}, {0.0, 3.0, 14.0}},
    {{3.0, 0.0, 0.0}, {1.0, 2.5, 0.0}, {0.0, 0.5, 4.0}},
};

static const double float_tolerances[] = {1e-2, 1e-3, 1e-4, 1e-5}, double_tolerances[] = {1e-4, 1e-7, 1e-10};

static size_t
n_tolerances(const DebyeMapPath *path)
{
  return path->exact ? DEBYE_LENGTH(double_tolerances) : DEBYE_LENGTH(float_tolerances);
}

static double
tolerance_number(const DebyeMapPath *path, size_t i)
{
  return path->exact ? double_tolerances[i] : float_tolerances[i];
}

/* Random charges have a net charge. */
static void
test_cells(const DebyeMapPath *path)
{
  for (size_t i = 0; i < DEBYE_LENGTH(cells); i++) {
    DebyeRandomSystem system =
        debye_random_in_cell(&cells[i], i == DEBYE_LENGTH(cells) - 1 ? 5 : 60, 31 + (unsigned)i);
    const DebyeGrid grid = debye_cell_grid(&cells[i], 20, 0.37);
    for (size_t j = 0; j < n_tolerances(path); j++) {
      DebyePotentialSettings settings = settings_for(&grid, &cells[i], tolerance_number(path, j));
      debye_map_check_tolerance(path, "a cell", &settings, &system.charges, SAMPLES);
    }
    debye_random_system_clear(&system);
  }
}

static void
test_reciprocal_part(const DebyeMapPath *path)
{
  static const double widths[] = {0.8, 1.2, 2.5};
  for (size_t i = 0; i < DEBYE_LENGTH(cells) - 1; i++) {
    DebyeRandomSystem system = debye_random_in_cell(&cells[i], 60, 51 + (unsigned)i);
    const DebyeGrid grid = debye_cell_grid(&cells[i], 20, 0.37);
    for (size_t j = 0; j < n_tolerances(path); j++) {
      DebyePotentialSettings settings = settings_for(&grid, &cells[i], tolerance_number(path, j));
      settings.reciprocal_only = true;
      settings.ewald_width = widths[i % DEBYE_LENGTH(widths)];
      debye_map_check_tolerance(path, "reciprocal part", &settings, &system.charges, SAMPLES);
    }
    debye_random_system_clear(&system);
  }
}

/* Grids that lie across the cell in every way, beyond it, with few points and many. */
static void
test_grids(const DebyeMapPath *path)
{
  static const DebyeGrid grids[] = {
      {{-3.0, 2.0, 1.0}, {{0.7, 0.0, 0.0}, {0.0, 0.7, 0.0}, {0.0, 0.0, 0.7}}, {40, 9, 8}},
      {{5.0, 5.0, 5.0}, {{0.0, 0.5, 0.0}, {0.0, 0.0, -0.6}, {0.7, 0.0, 0.0}}, {13, 17, 6}},
      {{-30.0, 70.0, 11.0}, {{0.5, 0.1, 0.2}, {-0.2, 0.6, 0.1}, {0.3, 0.2, 0.4}}, {19, 5, 9}},
      {{1.0, 1.0, 1.0}, {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.3, 0.3, 0.3}}, {1, 1, 150}},
      {{1.0, 1.0, 1.0}, {{0.02, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, {700, 1, 1}},
  };
  const double tolerance = path->exact ? 1e-9 : 1e-5;
  for (size_t i = 0; i < DEBYE_LENGTH(grids); i++) {
    const DebyeCell *cell = &cells[2 + i % 2];
    DebyeRandomSystem system = debye_random_in_cell(cell, 60, 71);
    DebyePotentialSettings settings = settings_for(&grids[i], cell, tolerance);
    debye_map_check_tolerance(path, "a grid", &settings, &system.charges, SAMPLES);
    debye_random_system_clear(&system);
  }
}

/* Every order, on meshes of odd and even lengths. */
static void
test_orders(const DebyeMapPath *path)
{
  const DebyeCell cell = cells[2];
  const DebyeGrid grid = debye_cell_grid(&cell, 15, 0.21);
  DebyeRandomSystem system = debye_random_in_cell(&cell, 60, 81);
  for (unsigned order = DEBYE_EWALD_LEAST_ORDER; order <= DEBYE_EWALD_LARGEST_ORDER; order++) {
    DebyePotentialSettings settings = settings_for(&grid, &cell, 0.05);
    settings.order = order;
    settings.mesh[0] = 16 + order;
    settings.mesh[1] = 21;
    settings.mesh[2] = 16;
    debye_map_check_tolerance(path, "an order", &settings, &system.charges, SAMPLES);
  }
  debye_random_system_clear(&system);
}

/* Corners of a small cube with charges of alternating sign: no charge, dipole, quadrupole or second moment,
 * so that the plain sum over images converges, and to a mean of zero. */
static void
test_direct_images(const DebyeMapPath *path)
{
  enum { IMAGES = 14 };
  float x[8], y[8], z[8], charge[8];
  for (int i = 0; i < 8; i++) {
    x[i] = (float)(i & 1) + 3.0f;
    y[i] = (float)(i >> 1 & 1) + 4.0f;
    z[i] = (float)(i >> 2) + 1.5f;
    charge[i] = ((i & 1) + (i >> 1 & 1) + (i >> 2)) % 2 == 0 ? 0.75f : -0.75f;
  }
  const DebyeCharges charges = {x, y, z, charge, 8};
  const DebyeCell cell = debye_cubic_cell(8.0);
  const DebyeGrid grid = {{2.1, 3.3, 0.4}, {{1.3, 0.2, 0.1}, {0.0, 1.1, 0.3}, {0.4, 0.0, 1.7}}, {2, 3, 3}};
  DebyePotentialSettings settings = settings_for(&grid, &cell, path->exact ? 1e-9 : 5e-6);
  DebyeTestMap map = debye_map_compute(path, &settings, &charges);
  double square_error = 0.0, square = 0.0;
  for (size_t at = 0; at < map.n; at++) {
    DebyeVec3 p = debye_grid_point(&grid, (double)(at % 2), (double)(at / 2 % 3), (double)(at / 6));
    double sum = 0.0;
    for (int image = 0; image < (2 * IMAGES + 1) * (2 * IMAGES + 1) * (2 * IMAGES + 1); image++) {
      const int width = 2 * IMAGES + 1;
      double sx = 8.0 * (image % width - IMAGES) - p.x, sy = 8.0 * (image / width % width - IMAGES) - p.y;
      double sz = 8.0 * (image / width / width - IMAGES) - p.z, cluster = 0.0;
      for (int i = 0; i < 8; i++) {
        double dx = (double)x[i] + sx, dy = (double)y[i] + sy, dz = (double)z[i] + sz;
        cluster += (double)charge[i] / sqrt(dx * dx + dy * dy + dz * dz);
      }
      sum += cluster;
    }
    square_error += (sum - debye_test_map_value(&map, at)) * (sum - debye_test_map_value(&map, at));
    square += sum * sum;
  }
  /* The sum over 24,389 images is itself good to 1e-6. */
  CHECK_AT_MOST(sqrt(square_error / square), path->exact ? 2e-6 : 6e-6);
  debye_test_map_clear(&map);
}

/* What must not change the map. */

static void
test_translation(const DebyeMapPath *path)
{
  debye_map_check_translation(path, DEBYE_POTENTIAL_EWALD, path->exact ? 1e-10 : 1e-5);
}

/* Where the map is smooth its mean is zero. */
static void
test_periodicity(const DebyeMapPath *path)
{
  DebyePotentialSettings settings = settings_for(&(DebyeGrid){0}, &cells[3], path->exact ? 1e-8 : 1e-5);
  debye_map_check_periodicity(path, &settings, &cells[3]);
  settings.reciprocal_only = true;
  settings.ewald_width = 1.5;
  CHECK_AT_MOST(debye_map_check_periodicity(path, &settings, &cells[3]), path->exact ? 1e-8 : 1e-5);
}

static void
test_slabs(const DebyeMapPath *path)
{
  const DebyeGrid grid = debye_cell_grid(&cells[2], 18, 0.1);
  const DebyePotentialSettings settings = settings_for(&grid, &cells[2], 1e-4);
  DebyeRandomSystem system = debye_random_in_cell(&cells[2], 90, 97);
  debye_map_check_slabs(path, &settings, &system.charges);
  debye_random_system_clear(&system);
}

static void
test_repeats(const DebyeMapPath *path)
{
  const DebyeCell cell = debye_cubic_cell(30.0);
  const DebyeGrid grid = debye_cell_grid(&cell, 24, 0.1);
  const DebyePotentialSettings settings = settings_for(&grid, &cell, 1e-4);
  DebyeRandomSystem system = debye_random_in_cell(&cell, 3000, 99);
  debye_map_check_repeats(path, &settings, &system.charges);
  debye_random_system_clear(&system);
}

static void
test_frames(const DebyeMapPath *path)
{
  const DebyeGrid grid = debye_cell_grid(&cells[2], 14, 0.3);
  const DebyePotentialSettings settings = settings_for(&grid, &cells[2], path->exact ? 1e-8 : 1e-4);
  debye_map_check_frames(path, &settings, SAMPLES);
}

/* Refusals. */

static void
test_wrong_settings(const DebyeMapPath *path)
{
  DebyePotentialSettings good = debye_small_map_settings(path, DEBYE_POTENTIAL_EWALD, DEBYE_PERIODIC_ALL);
  good.tolerance = 1e-4;
  DebyePotentialSettings wrong = good;
  wrong.cell = (DebyeCell){0};
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.cell.c = wrong.cell.b;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.periodic = DEBYE_PERIODIC_A | DEBYE_PERIODIC_B;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.tolerance = path->exact ? 1e-13 : 1e-7;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.tolerance = (double)NAN;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.order = 17;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.order = 6;
  wrong.mesh[1] = 5;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.mesh[0] = 100000;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.reciprocal_only = true;
  debye_map_check_refused(path, &wrong);
  /* These would miss the tolerance. */
  wrong = good;
  wrong.mesh[0] = wrong.mesh[1] = wrong.mesh[2] = 8;
  wrong.cutoff = 3.0;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.cutoff = 2.0;
  wrong.ewald_width = 2.0;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.cell = debye_cubic_cell(1e5);
  wrong.cutoff = 10.0;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.grid.shape[1] = 0;
  debye_map_check_refused(path, &wrong);
}

static void
test_wrong_arguments(const DebyeMapPath *path)
{
  const DebyePotentialSettings settings =
      debye_small_map_settings(path, DEBYE_POTENTIAL_EWALD, DEBYE_PERIODIC_ALL);
  debye_map_check_arguments(path, &settings);
}

static void
test_lanes(void)
{
  const DebyeGrid grid = debye_cell_grid(&cells[2], 18, 0.3);
  const DebyePotentialSettings settings = settings_for(&grid, &cells[2], 1e-4);
  debye_map_check_lanes(&settings);
}

static const DebyeMapBody bodies[] = {
    {"Madelung constants", test_madelung},
    {"on an ion", test_on_an_ion},
    {"no atoms", test_no_atoms},
    {"cells", test_cells},
    {"reciprocal part", test_reciprocal_part},
    {"grids", test_grids},
    {"orders", test_orders},
    {"images one by one", test_direct_images},
    {"translation", test_translation},
    {"periodicity", test_periodicity},
    {"slabs", test_slabs},
    {"repeats", test_repeats},
    {"frames", test_frames},
    {"wrong settings", test_wrong_settings},
    {"wrong arguments", test_wrong_arguments},
};

/* The arguments: only devices whose id begins so ("cuda"), only bodies whose name has it. */
int
main(int argc, char **argv)
{
  if (argc == 1)
    test_lanes();
  return debye_map_test_main(argc, argv, DEBYE_POTENTIAL_EWALD, false, bodies, DEBYE_LENGTH(bodies));
}
