/* SPDX-License-Identifier: MIT */
/* Particle mesh Ewald: one body for every device that there is and each instruction set of the processor.
 * Madelung constants first, then Ewald's own sums by brute force, then what must not change the map.
 *
 * Tolerances are those that the plan was asked for, against the root mean square of the map: meeting them is
 * what is promised. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/cpu/direct_block.h"
#include "kernels/cpu/potential_direct.h"
#include "kernels/ewald.h"
#include "kernels/potential_map.h"
#include "kernels/registry.h"
#include "tests/support/check.h"
#include "tests/support/fake_backend.h"
#include "tests/support/oracle_ewald.h"
#include "tests/support/oracle_potential.h"

#define CORE 1e-3
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* What a body runs on. */
typedef struct {
  const DebyePotentialKernel *kernel;
  int device;
  bool exact; /* in double */
} Path;

typedef struct {
  size_t n;
  float *floats;
  double *doubles;
} Map;

static Map
map_new(const Path *path, size_t n)
{
  Map map = {.n = n, .floats = calloc(n, sizeof(float)), .doubles = calloc(n, sizeof(double))};
  for (size_t i = 0; i < n; i++) {
    map.floats[i] = path->exact ? 0.0f : NAN;
    map.doubles[i] = path->exact ? (double)NAN : 0.0;
  }
  return map;
}

static void
map_clear(Map *map)
{
  free(map->floats);
  free(map->doubles);
}

static double
value(const Path *path, const Map *map, size_t i)
{
  return path->exact ? map->doubles[i] : (double)map->floats[i];
}

static DebyePotentialSettings
settings_for(const Path *path, const DebyeGrid *grid, const DebyeCell *cell, size_t n_charges,
             double tolerance)
{
  return (DebyePotentialSettings){.method = DEBYE_POTENTIAL_EWALD,
                                  .grid = *grid,
                                  .core_radius = CORE,
                                  .double_precision = path->exact,
                                  .max_charges = n_charges,
                                  .max_planes = grid->shape[2],
                                  .periodic = DEBYE_PERIODIC_ALL,
                                  .cell = *cell,
                                  .tolerance = tolerance};
}

static DebyePotentialPlan *
plan_new(const Path *path, const DebyePotentialSettings *settings)
{
  DebyePotentialPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->bytes_needed(path->device, settings) < SIZE_MAX);
  path->kernel->create(path->device, settings, &plan, &status);
  CHECK_THAT(plan != NULL && status.code == DEBYE_STATUS_OK, "%s", status.text);
  return plan;
}

/* A frame with a plan: the whole map, in slabs of `max_planes`. */
static Map
execute(const Path *path, DebyePotentialPlan *plan, const DebyePotentialSettings *settings,
        const DebyeCharges *charges, const DebyeCell *cell)
{
  const DebyeGrid *grid = &settings->grid;
  const size_t plane = grid->shape[0] * grid->shape[1];
  DebyeStatus status = {0};
  Map map = map_new(path, plane * grid->shape[2]);
  if (plan == NULL)
    return map;
  path->kernel->set_charges(plan, charges, cell, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK, "%s", status.text);
  for (size_t first = 0; first < grid->shape[2]; first += settings->max_planes) {
    size_t left = grid->shape[2] - first;
    DebyeSlab slab = {first, left < settings->max_planes ? left : settings->max_planes};
    path->kernel->execute(plan, slab, path->exact ? NULL : map.floats + first * plane,
                          path->exact ? map.doubles + first * plane : NULL, NULL, NULL, &status);
    CHECK_THAT(status.code == DEBYE_STATUS_OK && status.text[0] == '\0', "%s", status.text);
  }
  size_t n_missing = 0;
  for (size_t i = 0; i < map.n; i++)
    n_missing += !isfinite(value(path, &map, i));
  CHECK_THAT(n_missing == 0, "%zu of %zu values were not written or are not finite", n_missing, map.n);
  return map;
}

static Map
compute(const Path *path, const DebyePotentialSettings *settings, const DebyeCharges *charges)
{
  DebyePotentialPlan *plan = plan_new(path, settings);
  Map map = execute(path, plan, settings, charges, &settings->cell);
  if (plan != NULL)
    path->kernel->destroy(plan);
  return map;
}

static double
difference(const Path *path, const Map *a, const Map *b)
{
  double square_error = 0.0, square = 0.0;
  for (size_t i = 0; i < a->n; i++) {
    double error = value(path, a, i) - value(path, b, i);
    square_error += error * error;
    square += value(path, b, i) * value(path, b, i);
  }
  return sqrt(square_error / square);
}

/* A grid of n³ points over the cell, `shift` of a step from its corner. */
static DebyeGrid
cell_grid(const DebyeCell *cell, size_t n, double shift)
{
  DebyeGrid grid = {.step = {debye_vec3_scale(cell->a, 1.0 / (double)n),
                             debye_vec3_scale(cell->b, 1.0 / (double)n),
                             debye_vec3_scale(cell->c, 1.0 / (double)n)},
                    .shape = {n, n, n}};
  grid.origin = debye_grid_point(&grid, shift, shift, shift);
  return grid;
}

static DebyeCell
cubic(double edge)
{
  return (DebyeCell){{edge, 0.0, 0.0}, {0.0, edge, 0.0}, {0.0, 0.0, edge}};
}

/* Atoms at random in a cell. */
static DebyeRandomSystem
random_in_cell(const DebyeCell *cell, size_t n, unsigned seed)
{
  DebyeRandomSystem system =
      debye_random_system_new(n, debye_vec3(0.0, 0.0, 0.0), debye_vec3(1.0, 1.0, 1.0), seed);
  for (size_t i = 0; i < n; i++) {
    double f[3] = {(double)system.x[i], (double)system.y[i], (double)system.z[i]};
    system.x[i] = (float)(f[0] * cell->a.x + f[1] * cell->b.x + f[2] * cell->c.x);
    system.y[i] = (float)(f[0] * cell->a.y + f[1] * cell->b.y + f[2] * cell->c.y);
    system.z[i] = (float)(f[0] * cell->a.z + f[1] * cell->b.z + f[2] * cell->c.z);
  }
  return system;
}

/* Analytic. */

/* The potential of the other ions at an ion, times the nearest distance: −α. The ion is left out of the cell,
 * and with it its images, whose potential with their background is −2.837297…/L (Wigner's lattice). */
#define SIMPLE_CUBIC_SELF -2.8372974794806

static void
check_madelung(const Path *path, DebyeCharges charges, double edge, double nearest, double alpha,
               const DebyePotentialSettings *like, double limit)
{
  const DebyeCell cell = cubic(edge);
  DebyeGrid grid = debye_plain_grid(
      debye_vec3((double)charges.x[0], (double)charges.y[0], (double)charges.z[0]), 1.0, 1, 1, 1);
  const double own = (double)charges.charge[0];
  DebyeCharges others = {charges.x + 1, charges.y + 1, charges.z + 1, charges.charge + 1, charges.n - 1};
  DebyePotentialSettings settings = settings_for(path, &grid, &cell, others.n, like->tolerance);
  settings.cutoff = like->cutoff;
  settings.order = like->order;
  settings.ewald_width = like->ewald_width;
  for (int axis = 0; axis < 3; axis++)
    settings.mesh[axis] = like->mesh[axis];
  Map map = compute(path, &settings, &others);
  double found = value(path, &map, 0) + own * SIMPLE_CUBIC_SELF / edge;
  CHECK_AT_MOST(fabs(found * nearest / own + alpha), limit);
  map_clear(&map);
}

/* An eighth, a quarter and so on are exact in float. */
static void
test_madelung(const Path *path)
{
  float x[8], y[8], z[8], charge[8];
  for (int i = 0; i < 8; i++) {
    x[i] = 2.75f * (float)(i & 1) + 0.25f;
    y[i] = 2.75f * (float)(i >> 1 & 1) + 1.125f;
    z[i] = 2.75f * (float)(i >> 2) - 3.0f;
    charge[i] = ((i & 1) + (i >> 1 & 1) + (i >> 2)) % 2 == 0 ? 1.0f : -1.0f;
  }
  DebyeCharges rock_salt = {x, y, z, charge, 8};
  /* At a site where every wave of the lattice has its crest the error is a dozen times the map's. */
  const double limit = path->exact ? 2e-8 : 5e-5;
  const DebyePotentialSettings ways[] = {
      {.tolerance = path->exact ? 1e-10 : 5e-6},
      {.tolerance = path->exact ? 1e-9 : 5e-6, .cutoff = 9.0},
      {.tolerance = path->exact ? 1e-9 : 5e-6, .cutoff = 14.0, .order = path->exact ? 12 : 6},
      {.tolerance = path->exact ? 1e-10 : 5e-6, .ewald_width = 0.9},
      {.tolerance = path->exact ? 1e-9 : 5e-6, .mesh = {18, 20, 24}},
  };
  for (size_t i = 0; i < LENGTH(ways); i++)
    check_madelung(path, rock_salt, 5.5, 2.75, 1.747564594633, &ways[i], limit);

  float cx[2] = {0.5f, 2.5f}, cy[2] = {0.0f, 2.0f}, cz[2] = {1.0f, 3.0f}, cq[2] = {-1.0f, 1.0f};
  DebyeCharges caesium_chloride = {cx, cy, cz, cq, 2};
  for (size_t i = 0; i < LENGTH(ways); i++)
    check_madelung(path, caesium_chloride, 4.0, 2.0 * sqrt(3.0), 1.762674773071, &ways[i], limit);
}

/* On the ion itself and near it: 1/core is all that its own charge gives there, whatever the core. */
static void
test_on_an_ion(const Path *path)
{
  static const double cores[] = {1e-3, 0.2, 1.4};
  float x[2] = {0.5f, 2.5f}, y[2] = {0.0f, 2.0f}, z[2] = {1.0f, 3.0f}, charge[2] = {-1.0f, 1.0f};
  const DebyeCharges charges = {x, y, z, charge, 2};
  const DebyeCell cell = cubic(4.0);
  const DebyeGrid grid = debye_plain_grid(debye_vec3(2.5, 2.0, 3.0), 0.375, 2, 1, 1);
  for (size_t i = 0; i < LENGTH(cores); i++) {
    DebyePotentialSettings settings = settings_for(path, &grid, &cell, 2, path->exact ? 1e-10 : 5e-6);
    settings.core_radius = cores[i];
    Map map = compute(path, &settings, &charges);
    DebyeOracleEwald *oracle = debye_oracle_ewald_new(&charges, &cell, cores[i], 0.0);
    double expected = 1.0 / cores[i] - 1.762674773071 / (2.0 * sqrt(3.0));
    CHECK_AT_MOST(fabs(value(path, &map, 0) - expected), path->exact ? 1e-8 : 2e-5 + 2e-7 / cores[i]);
    for (size_t at = 0; at < 2; at++) {
      DebyeVec3 point = debye_grid_point(&grid, (double)at, 0.0, 0.0);
      CHECK_AT_MOST(fabs(value(path, &map, at) - debye_oracle_ewald_value(oracle, point)),
                    path->exact ? 1e-8 : 2e-5 + 2e-7 / cores[i]);
    }
    debye_oracle_ewald_free(oracle);
    map_clear(&map);
  }
}

static void
test_no_atoms(const Path *path)
{
  const DebyeCell cell = cubic(12.0);
  const DebyeGrid grid = cell_grid(&cell, 7, 0.3);
  DebyePotentialSettings settings = settings_for(path, &grid, &cell, 0, 0.0);
  Map map = compute(path, &settings, &(DebyeCharges){0});
  for (size_t i = 0; i < map.n; i++)
    CHECK(value(path, &map, i) == 0.0);
  map_clear(&map);
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

/* The sums by brute force take far longer than what is tested, which is the same for every device, precision,
 * instruction set and tolerance: they are kept. */
#define SAMPLES 60

typedef struct {
  DebyeCell cell;
  DebyeGrid grid;
  double width, total; /* of Gaussians; of the charges, to tell systems apart */
  size_t at[SAMPLES];
  double exact[SAMPLES];
} Samples;

static Samples kept[64];
static size_t n_kept;

static void
fill_samples(Samples *samples, const DebyeCharges *charges)
{
  const DebyeGrid *grid = &samples->grid;
  DebyeOracleEwald *oracle = debye_oracle_ewald_new(charges, &samples->cell, CORE, samples->width);
  unsigned state = 20240229;
  for (size_t i = 0; i < SAMPLES; i++) {
    size_t at = (size_t)(debye_random(&state) * (double)debye_grid_n_points(grid));
    DebyeVec3 point =
        debye_grid_point(grid, (double)(at % grid->shape[0]), (double)(at / grid->shape[0] % grid->shape[1]),
                         (double)(at / grid->shape[0] / grid->shape[1]));
    samples->at[i] = at;
    samples->exact[i] = debye_oracle_ewald_value(oracle, point);
  }
  debye_oracle_ewald_free(oracle);
}

static const Samples *
get_samples(const DebyeCharges *charges, const DebyeCell *cell, const DebyeGrid *grid, double width)
{
  double total = 0.0;
  for (size_t i = 0; i < charges->n; i++)
    total += (double)charges->charge[i];
  for (size_t i = 0; i < n_kept; i++)
    if (kept[i].width == width && kept[i].total == total && memcmp(&kept[i].cell, cell, sizeof *cell) == 0 &&
        memcmp(&kept[i].grid, grid, sizeof *grid) == 0)
      return &kept[i];
  Samples *samples = &kept[n_kept++];
  CHECK(n_kept <= LENGTH(kept));
  *samples = (Samples){.cell = *cell, .grid = *grid, .width = width, .total = total};
  fill_samples(samples, charges);
  return samples;
}

/* Root mean square of the error at the samples, over that of the map there. */
static double
map_error(const Path *path, const Map *map, const Samples *samples)
{
  double square_error = 0.0, square = 0.0;
  for (size_t i = 0; i < SAMPLES; i++) {
    double error = value(path, map, samples->at[i]) - samples->exact[i];
    square_error += error * error;
    square += samples->exact[i] * samples->exact[i];
  }
  return sqrt(square_error / square);
}

static void
check_against_oracle(const Path *path, const DebyePotentialSettings *settings, const DebyeCharges *charges)
{
  const double width = settings->reciprocal_only ? settings->ewald_width : 0.0;
  const Samples *samples = get_samples(charges, &settings->cell, &settings->grid, width);
  Map map = compute(path, settings, charges);
  double error = map_error(path, &map, samples);
  CHECK_AT_MOST(error, settings->tolerance);
  map_clear(&map);
}

static const double float_tolerances[] = {1e-2, 1e-3, 1e-4, 1e-5}, double_tolerances[] = {1e-4, 1e-7, 1e-10};

static size_t
n_tolerances(const Path *path)
{
  return path->exact ? LENGTH(double_tolerances) : LENGTH(float_tolerances);
}

static double
tolerance_number(const Path *path, size_t i)
{
  return path->exact ? double_tolerances[i] : float_tolerances[i];
}

/* Random charges have a net charge. */
static void
test_cells(const Path *path)
{
  for (size_t i = 0; i < LENGTH(cells); i++) {
    DebyeRandomSystem system = random_in_cell(&cells[i], i == LENGTH(cells) - 1 ? 5 : 60, 31 + (unsigned)i);
    const DebyeGrid grid = cell_grid(&cells[i], 20, 0.37);
    for (size_t j = 0; j < n_tolerances(path); j++) {
      DebyePotentialSettings settings =
          settings_for(path, &grid, &cells[i], system.charges.n, tolerance_number(path, j));
      check_against_oracle(path, &settings, &system.charges);
    }
    debye_random_system_clear(&system);
  }
}

static void
test_reciprocal_part(const Path *path)
{
  static const double widths[] = {0.8, 1.2, 2.5};
  for (size_t i = 0; i < LENGTH(cells) - 1; i++) {
    DebyeRandomSystem system = random_in_cell(&cells[i], 60, 51 + (unsigned)i);
    const DebyeGrid grid = cell_grid(&cells[i], 20, 0.37);
    for (size_t j = 0; j < n_tolerances(path); j++) {
      DebyePotentialSettings settings =
          settings_for(path, &grid, &cells[i], system.charges.n, tolerance_number(path, j));
      settings.reciprocal_only = true;
      settings.ewald_width = widths[i % LENGTH(widths)];
      check_against_oracle(path, &settings, &system.charges);
    }
    debye_random_system_clear(&system);
  }
}

/* Grids that lie across the cell in every way, beyond it, with few points and many. */
static void
test_grids(const Path *path)
{
  static const DebyeGrid grids[] = {
      {{-3.0, 2.0, 1.0}, {{0.7, 0.0, 0.0}, {0.0, 0.7, 0.0}, {0.0, 0.0, 0.7}}, {40, 9, 8}},
      {{5.0, 5.0, 5.0}, {{0.0, 0.5, 0.0}, {0.0, 0.0, -0.6}, {0.7, 0.0, 0.0}}, {13, 17, 6}},
      {{-30.0, 70.0, 11.0}, {{0.5, 0.1, 0.2}, {-0.2, 0.6, 0.1}, {0.3, 0.2, 0.4}}, {19, 5, 9}},
      {{1.0, 1.0, 1.0}, {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.3, 0.3, 0.3}}, {1, 1, 150}},
      {{1.0, 1.0, 1.0}, {{0.02, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, {700, 1, 1}},
  };
  const double tolerance = path->exact ? 1e-9 : 1e-5;
  for (size_t i = 0; i < LENGTH(grids); i++) {
    const DebyeCell *cell = &cells[2 + i % 2];
    DebyeRandomSystem system = random_in_cell(cell, 60, 71);
    DebyePotentialSettings settings = settings_for(path, &grids[i], cell, system.charges.n, tolerance);
    check_against_oracle(path, &settings, &system.charges);
    debye_random_system_clear(&system);
  }
}

/* Every order, on meshes of odd and even lengths. */
static void
test_orders(const Path *path)
{
  const DebyeCell cell = cells[2];
  const DebyeGrid grid = cell_grid(&cell, 15, 0.21);
  DebyeRandomSystem system = random_in_cell(&cell, 60, 81);
  for (unsigned order = DEBYE_EWALD_LEAST_ORDER; order <= DEBYE_EWALD_LARGEST_ORDER; order++) {
    DebyePotentialSettings settings = settings_for(path, &grid, &cell, system.charges.n, 0.05);
    settings.order = order;
    settings.mesh[0] = 16 + order;
    settings.mesh[1] = 21;
    settings.mesh[2] = 16;
    check_against_oracle(path, &settings, &system.charges);
  }
  debye_random_system_clear(&system);
}

/* Corners of a small cube with charges of alternating sign: no charge, dipole, quadrupole or second moment,
 * so that the plain sum over images converges, and to a mean of zero. */
static void
test_direct_images(const Path *path)
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
  const DebyeCell cell = cubic(8.0);
  const DebyeGrid grid = {{2.1, 3.3, 0.4}, {{1.3, 0.2, 0.1}, {0.0, 1.1, 0.3}, {0.4, 0.0, 1.7}}, {2, 3, 3}};
  DebyePotentialSettings settings = settings_for(path, &grid, &cell, 8, path->exact ? 1e-9 : 5e-6);
  Map map = compute(path, &settings, &charges);
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
    square_error += (sum - value(path, &map, at)) * (sum - value(path, &map, at));
    square += sum * sum;
  }
  /* The sum over 24,389 images is itself good to 1e-6. */
  CHECK_AT_MOST(sqrt(square_error / square), path->exact ? 2e-6 : 6e-6);
  map_clear(&map);
}

/* What must not change the map. */

/* Whole edges and the shift are exact in float, so nothing is lost by moving. */
static void
test_translation(const Path *path)
{
  const DebyeCell cell = {{16.0, 0.0, 0.0}, {4.0, 12.0, 0.0}, {-4.0, 2.0, 14.0}};
  const double tolerance = path->exact ? 1e-10 : 1e-5;
  DebyeRandomSystem system = random_in_cell(&cell, 80, 91);
  for (size_t i = 0; i < 80; i++) {
    system.x[i] = roundf(1024.0f * system.x[i]) / 1024.0f;
    system.y[i] = roundf(1024.0f * system.y[i]) / 1024.0f;
    system.z[i] = roundf(1024.0f * system.z[i]) / 1024.0f;
  }
  DebyeGrid grid = cell_grid(&cell, 16, 0.43);
  DebyePotentialSettings settings = settings_for(path, &grid, &cell, 80, tolerance);
  Map first = compute(path, &settings, &system.charges);
  for (size_t i = 0; i < 80; i++) {
    int image[3] = {(int)(i % 5) - 2, (int)(i % 3) - 1, (int)(i % 7) - 3};
    system.x[i] += (float)(16 * image[0] + 4 * image[1] - 4 * image[2]);
    system.y[i] += (float)(12 * image[1] + 2 * image[2]);
    system.z[i] += (float)(14 * image[2]);
  }
  Map wrapped = compute(path, &settings, &system.charges);
  CHECK_AT_MOST(difference(path, &wrapped, &first), path->exact ? 1e-12 : 2e-6);
  for (size_t i = 0; i < 80; i++) {
    system.x[i] += 5.25f;
    system.y[i] += -7.75f;
    system.z[i] += 33.5f;
  }
  settings.grid.origin = debye_vec3_add(grid.origin, debye_vec3(5.25, -7.75, 33.5));
  Map moved = compute(path, &settings, &system.charges);
  CHECK_AT_MOST(difference(path, &moved, &first), 2.0 * tolerance);
  map_clear(&first);
  map_clear(&wrapped);
  map_clear(&moved);
  debye_random_system_clear(&system);
}

/* A grid over two cells along each axis holds the cell eight times; its mean is zero where the map is smooth.
 */
static void
test_periodicity(const Path *path)
{
  const DebyeCell cell = cells[3];
  DebyeRandomSystem system = random_in_cell(&cell, 60, 95);
  DebyeGrid grid = cell_grid(&cell, 12, 0.2);
  grid.shape[0] = grid.shape[1] = grid.shape[2] = 24;
  for (int smooth = 0; smooth < 2; smooth++) {
    DebyePotentialSettings settings = settings_for(path, &grid, &cell, 60, path->exact ? 1e-8 : 1e-5);
    settings.reciprocal_only = smooth == 1;
    settings.ewald_width = smooth == 1 ? 1.5 : 0.0;
    Map map = compute(path, &settings, &system.charges);
    double square_error = 0.0, square = 0.0, sum = 0.0;
    for (size_t i = 0; i < map.n; i++) {
      size_t x = i % 24 % 12, y = i / 24 % 24 % 12, z = i / 576 % 12;
      double error = value(path, &map, i) - value(path, &map, x + 24 * (y + 24 * z));
      square_error += error * error;
      square += value(path, &map, i) * value(path, &map, i);
      sum += value(path, &map, i);
    }
    CHECK_AT_MOST(sqrt(square_error / square), path->exact ? 1e-12 : 2e-6);
    if (smooth == 1)
      CHECK_AT_MOST(fabs(sum / (double)map.n) / sqrt(square / (double)map.n), path->exact ? 1e-8 : 1e-5);
    map_clear(&map);
  }
  debye_random_system_clear(&system);
}

static void
test_slabs(const Path *path)
{
  const DebyeCell cell = cells[2];
  const DebyeGrid grid = cell_grid(&cell, 18, 0.1);
  DebyeRandomSystem system = random_in_cell(&cell, 90, 97);
  DebyePotentialSettings settings = settings_for(path, &grid, &cell, 90, 1e-4);
  Map whole = compute(path, &settings, &system.charges);
  for (settings.max_planes = 1; settings.max_planes < 18; settings.max_planes += 4) {
    Map slabs = compute(path, &settings, &system.charges);
    CHECK(memcmp(slabs.floats, whole.floats, whole.n * sizeof(float)) == 0);
    CHECK(memcmp(slabs.doubles, whole.doubles, whole.n * sizeof(double)) == 0);
    map_clear(&slabs);
  }
  map_clear(&whole);
  debye_random_system_clear(&system);
}

/* Sums don't depend on who adds them: the same bits in every run and for any number of threads. */
static void
test_repeats(const Path *path)
{
  const DebyeCell cell = cubic(30.0);
  const DebyeGrid grid = cell_grid(&cell, 24, 0.1);
  DebyeRandomSystem system = random_in_cell(&cell, 3000, 99);
  DebyePotentialSettings settings = settings_for(path, &grid, &cell, 3000, 1e-4);
  const unsigned threads = debye_cpu_get_threads();
  Map first = compute(path, &settings, &system.charges);
  for (unsigned n = 1; n <= 5; n += 2) {
    debye_cpu_set_threads(n);
    Map again = compute(path, &settings, &system.charges);
    CHECK(memcmp(again.floats, first.floats, first.n * sizeof(float)) == 0);
    CHECK(memcmp(again.doubles, first.doubles, first.n * sizeof(double)) == 0);
    map_clear(&again);
  }
  debye_cpu_set_threads(threads == debye_cpu_get_threads() ? threads : 0);
  map_clear(&first);
  debye_random_system_clear(&system);
}

/* Frames whose cell breathes, grows far beyond the plan, and comes back. */
static void
test_frames(const Path *path)
{
  static const double scales[] = {1.0, 1.01, 1.6, 0.9, 1.0};
  const double tolerance = path->exact ? 1e-8 : 1e-4;
  const DebyeGrid grid = cell_grid(&cells[2], 14, 0.3);
  DebyePotentialSettings settings = settings_for(path, &grid, &cells[2], 60, tolerance);
  DebyePotentialPlan *plan = plan_new(path, &settings);
  for (size_t i = 0; i < LENGTH(scales); i++) {
    const DebyeCell cell = {debye_vec3_scale(cells[2].a, scales[i]), debye_vec3_scale(cells[2].b, scales[i]),
                            debye_vec3_scale(cells[2].c, scales[i])};
    DebyeRandomSystem system = random_in_cell(&cell, 60, 101 + (unsigned)i);
    Map map = execute(path, plan, &settings, &system.charges, &cell);
    CHECK_AT_MOST(map_error(path, &map, get_samples(&system.charges, &cell, &grid, 0.0)), tolerance);
    map_clear(&map);
    debye_random_system_clear(&system);
  }
  if (plan != NULL)
    path->kernel->destroy(plan);
}

/* Refusals. */

static void
check_refused(const Path *path, const DebyePotentialSettings *settings)
{
  DebyePotentialPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->create(path->device, settings, &plan, &status) == DEBYE_STATUS_INVALID);
  CHECK(plan == NULL && status.code == DEBYE_STATUS_INVALID && status.text[0] != '\0');
  CHECK(path->kernel->bytes_needed(path->device, settings) == SIZE_MAX);
}

static void
test_wrong_settings(const Path *path)
{
  const DebyeGrid grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, 8, 8, 8);
  const DebyeCell cell = cubic(10.0);
  const DebyePotentialSettings good = settings_for(path, &grid, &cell, 4, 1e-4);
  DebyePotentialSettings wrong = good;
  wrong.cell = (DebyeCell){0};
  check_refused(path, &wrong);
  wrong = good;
  wrong.cell.c = wrong.cell.b;
  check_refused(path, &wrong);
  wrong = good;
  wrong.periodic = DEBYE_PERIODIC_A | DEBYE_PERIODIC_B;
  check_refused(path, &wrong);
  wrong = good;
  wrong.tolerance = path->exact ? 1e-13 : 1e-7;
  check_refused(path, &wrong);
  wrong = good;
  wrong.tolerance = (double)NAN;
  check_refused(path, &wrong);
  wrong = good;
  wrong.order = 17;
  check_refused(path, &wrong);
  wrong = good;
  wrong.order = 6;
  wrong.mesh[1] = 5;
  check_refused(path, &wrong);
  wrong = good;
  wrong.mesh[0] = 100000;
  check_refused(path, &wrong);
  wrong = good;
  wrong.reciprocal_only = true;
  check_refused(path, &wrong);
  /* These would miss the tolerance. */
  wrong = good;
  wrong.mesh[0] = wrong.mesh[1] = wrong.mesh[2] = 8;
  wrong.cutoff = 3.0;
  check_refused(path, &wrong);
  wrong = good;
  wrong.cutoff = 2.0;
  wrong.ewald_width = 2.0;
  check_refused(path, &wrong);
  wrong = good;
  wrong.cell = cubic(1e5);
  wrong.cutoff = 10.0;
  check_refused(path, &wrong);
  wrong = good;
  wrong.grid.shape[1] = 0;
  check_refused(path, &wrong);
}

static void
test_wrong_arguments(const Path *path)
{
  const DebyeGrid grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, 8, 8, 8);
  const DebyeCell cell = cubic(10.0), none = {0};
  DebyePotentialSettings settings = settings_for(path, &grid, &cell, 4, 1e-4);
  settings.max_planes = 4;
  DebyePotentialPlan *plan = plan_new(path, &settings);
  if (plan == NULL)
    return;
  DebyeStatus status = {0};
  float fine[5] = {0.0f, 1.0f, 2.0f, 3.0f, 4.0f}, nan[2] = {0.0f, NAN}, far[2] = {0.0f, 1e30f};
  const DebyeCharges good = {fine, fine, fine, fine, 4};
  const DebyeCharges wrong[] = {{fine, fine, fine, fine, 5},
                                {fine, nan, fine, fine, 2},
                                {fine, fine, far, fine, 2},
                                {fine, fine, fine, nan, 2}};
  for (size_t i = 0; i < LENGTH(wrong); i++) {
    CHECK(path->kernel->set_charges(plan, &wrong[i], &cell, &status) == DEBYE_STATUS_INVALID);
    CHECK(status.text[0] != '\0');
  }
  CHECK(path->kernel->set_charges(plan, &good, NULL, &status) == DEBYE_STATUS_INVALID);
  CHECK(path->kernel->set_charges(plan, &good, &none, &status) == DEBYE_STATUS_INVALID);
  CHECK(path->kernel->set_charges(plan, &good, &cell, &status) == DEBYE_STATUS_OK);

  float out[8 * 8 * 4];
  double out_double[8 * 8 * 4];
  const DebyeSlab slabs[] = {{0, 5}, {5, 4}, {9, 0}, {SIZE_MAX, 2}};
  for (size_t i = 0; i < LENGTH(slabs); i++)
    CHECK(path->kernel->execute(plan, slabs[i], out, out_double, NULL, NULL, &status) ==
          DEBYE_STATUS_INVALID);
  CHECK(path->kernel->execute(plan, (DebyeSlab){0, 4}, NULL, NULL, NULL, NULL, &status) ==
        DEBYE_STATUS_INVALID);
  CHECK(path->kernel->execute(plan, (DebyeSlab){8, 0}, out, out_double, NULL, NULL, &status) ==
        DEBYE_STATUS_OK);
  bool cancel = true;
  CHECK(path->kernel->execute(plan, (DebyeSlab){0, 4}, out, out_double, NULL, &cancel, &status) ==
        DEBYE_STATUS_CANCELLED);
  cancel = false;
  CHECK(path->kernel->execute(plan, (DebyeSlab){0, 4}, out, out_double, NULL, &cancel, &status) ==
        DEBYE_STATUS_OK);
  path->kernel->destroy(plan);
  path->kernel->destroy(NULL);
}

/* Lanes. */

/* Every lane fills a mesh of its own for each frame, and they all come to the same: a map shared by three
 * devices, one of which fails and spoils its planes, is that of the processor alone. */
static void
test_lanes(void)
{
  const DebyeCell cell = cells[2];
  const DebyeGrid grid = cell_grid(&cell, 18, 0.3);
  const Path alone = {.kernel = debye_backend_cpu.potential[DEBYE_POTENTIAL_EWALD]};
  DebyeRegistry *registry = debye_registry_new(NULL);
  const DebyeDeviceEntry *devices[3];
  DebyeStatus status = {0};
  debye_check_subject("lanes");
  debye_fake_reset(2);
  debye_fake_device(0)->fail_at = 2;
  debye_registry_add(registry, &debye_fake_backend);
  CHECK(debye_registry_choose(registry, "cpu,fake", devices, 3, &status) == 3);
  DebyePotentialMapSettings settings = {.potential = settings_for(&alone, &grid, &cell, 90, 1e-4)};
  DebyePotentialMap *map = NULL;
  CHECK_THAT(debye_potential_map_create(&settings, devices, 3, &map, &status) == DEBYE_STATUS_OK, "%s",
             status.text);
  for (unsigned frame = 0; map != NULL && frame < 3; frame++) {
    DebyeRandomSystem system = random_in_cell(&cell, 90, 111 + frame);
    Map expected = compute(&alone, &settings.potential, &system.charges), found = map_new(&alone, expected.n);
    CHECK_THAT(debye_potential_map_execute(map, &system.charges, &cell, found.floats, NULL, NULL, NULL, NULL,
                                           &status) == DEBYE_STATUS_OK,
               "%s", status.text);
    CHECK(memcmp(found.floats, expected.floats, expected.n * sizeof(float)) == 0);
    map_clear(&expected);
    map_clear(&found);
    debye_random_system_clear(&system);
  }
  debye_potential_map_destroy(map);
  debye_registry_free(registry);
}

/* Each body on each path. */

static const struct {
  const char *name;
  void (*body)(const Path *path);
} bodies[] = {
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

static void
test_device(const DebyeDeviceEntry *entry, const char *how, const char *only)
{
  for (int exact = 0; exact < 2; exact++) {
    Path path = {.kernel = entry->backend->potential[DEBYE_POTENTIAL_EWALD],
                 .device = entry->device,
                 .exact = exact == 1};
    for (size_t i = 0; i < LENGTH(bodies); i++) {
      if (strstr(bodies[i].name, only) == NULL)
        continue;
      debye_check_subject("%s%s in %s: %s", entry->info.id, how, path.exact ? "double" : "float",
                          bodies[i].name);
      bodies[i].body(&path);
    }
  }
}

static void
test_processor(const DebyeDeviceEntry *entry, const char *only)
{
  DebyeCpuLevel best = debye_cpu_get_level();
  for (int level = DEBYE_CPU_PORTABLE; level <= (int)best; level++) {
    char how[40];
    debye_cpu_set_level((DebyeCpuLevel)level);
    snprintf(how, sizeof how, " (%s)", debye_direct_block((DebyeCpuLevel)level)->name);
    test_device(entry, how, only);
  }
  debye_cpu_set_level(best);
}

/* With an argument only on devices whose id begins so ("cuda"), with a second one only bodies whose name has
 * it. */
int
main(int argc, char **argv)
{
  const char *device = argc > 1 ? argv[1] : "", *only = argc > 2 ? argv[2] : "";
  DebyeRegistry *registry = debye_registry_new(getenv("DEBYE_BACKEND_DIR"));
  if (strstr("cpu", device) != NULL && strstr("lanes", only) != NULL)
    test_lanes();
  for (size_t i = 0; i < debye_registry_get_count(registry); i++) {
    const DebyeDeviceEntry *entry = debye_registry_get(registry, i);
    if (strncmp(entry->info.id, device, strlen(device)) != 0)
      continue;
    if (entry->device < 0)
      printf("%s is not tested: %s\n", entry->backend != NULL ? entry->backend->title : entry->info.name,
             entry->reason);
    else if (strcmp(entry->info.id, "cpu") == 0)
      test_processor(entry, only);
    else
      test_device(entry, "", only);
  }
  debye_registry_free(registry);
  return debye_check_finish();
}
