/* SPDX-License-Identifier: MIT */
/* The cutoff method: one body for every device that there is, the fake one, and each instruction set of the
 * processor. Analytic answers first, then the exact sum over images.
 *
 * Tolerances. Float: as for the direct sum, 2e-6 of Σ|q|/d at any one point, 5e-6 of a map's root mean
 * square. Double: a few ulp of the terms; a point far from the origin is itself good to 1e-16 of its
 * distance from it, which an atom 1 Å away sees as 1e-13. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/cpu/cutoff_block.h"
#include "kernels/potential_map.h"
#include "tests/support/check.h"
#include "tests/support/fake_backend.h"
#include "tests/support/oracle_cutoff.h"

#define CORE 1e-3
#define POINT_FLOAT 2e-6
#define POINT_DOUBLE 1e-13
#define MAP_FLOAT 5e-6
#define MAP_DOUBLE 1e-12
#define GUARD 64
#define SENTINEL 1234.5

/* What a body runs on. */
typedef struct {
  const DebyePotentialKernel *kernel;
  int device;
  bool exact;        /* in double */
  size_t max_planes; /* 0: the whole map in one call */
} Path;

/* A problem, but for the precision and the slabs, which are the path's. */
typedef struct {
  DebyePotentialSettings settings;
  DebyeCell cell;
} Problem;

/* A map between sentinels. */
typedef struct {
  size_t n, n_overflow;
  float *floats;
  double *doubles;
} Map;

static Map
map_new(const Path *path, size_t n)
{
  Map map = {.n = n,
             .floats = calloc(n + 2 * GUARD, sizeof(float)),
             .doubles = calloc(n + 2 * GUARD, sizeof(double))};
  for (size_t i = 0; i < n + 2 * GUARD; i++) {
    bool inside = i >= GUARD && i < n + GUARD;
    map.floats[i] = inside && !path->exact ? NAN : (float)SENTINEL;
    map.doubles[i] = inside && path->exact ? (double)NAN : SENTINEL;
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
  return path->exact ? map->doubles[GUARD + i] : (double)map->floats[GUARD + i];
}

static void
check_guards(const Map *map)
{
  size_t n_hurt = 0;
  for (size_t i = 0; i < GUARD; i++) {
    n_hurt += map->floats[i] != (float)SENTINEL || map->floats[GUARD + map->n + i] != (float)SENTINEL;
    n_hurt += map->doubles[i] != SENTINEL || map->doubles[GUARD + map->n + i] != SENTINEL;
  }
  CHECK_THAT(n_hurt == 0, "%zu values beside the map were written", n_hurt);
}

static Problem
problem_new(DebyeGrid grid, double cutoff, DebyeSmoothing smoothing)
{
  return (Problem){.settings = {.method = DEBYE_POTENTIAL_CUTOFF,
                                .grid = grid,
                                .core_radius = CORE,
                                .cutoff = cutoff,
                                .smoothing = smoothing}};
}

/* What the host adds while the device works, as the lanes do it. */
typedef struct {
  DebyePotentialPlan *plan;
  float *floats;
  double *doubles;
  size_t plane, next; /* points of a plane; the plane that is expected next */
} Host;

static void
work_on_host(void *context, DebyeSlab part)
{
  Host *host = context;
  DebyeStatus status = {0};
  CHECK(part.first == host->next && part.count > 0);
  host->next = part.first + part.count;
  debye_backend_cpu.potential[DEBYE_POTENTIAL_CUTOFF]->execute(
      host->plan, part, host->floats + part.first * host->plane, host->doubles + part.first * host->plane,
      NULL, NULL, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK, "%s", status.text);
}

static void
execute_slabs(const Path *path, DebyePotentialPlan *plan, const DebyePotentialSettings *settings, Map *map)
{
  const DebyePotentialKernel *cpu = debye_backend_cpu.potential[DEBYE_POTENTIAL_CUTOFF];
  Host host = {.floats = map->floats + GUARD,
               .doubles = map->doubles + GUARD,
               .plane = settings->grid.shape[0] * settings->grid.shape[1]};
  DebyeMeanwhile meanwhile = {work_on_host, &host};
  DebyeCharges overflow = {0};
  DebyeStatus status = {0};
  if (path->kernel->get_overflow != NULL)
    path->kernel->get_overflow(plan, &overflow);
  map->n_overflow = overflow.n;
  if (overflow.n > 0) {
    CHECK(cpu->create(0, settings, &host.plan, &status) == DEBYE_STATUS_OK);
    CHECK(cpu->set_charges(host.plan, &overflow, &settings->cell, &status) == DEBYE_STATUS_OK);
  }
  for (size_t first = 0; first < settings->grid.shape[2]; first += settings->max_planes) {
    size_t left = settings->grid.shape[2] - first;
    DebyeSlab slab = {first, left < settings->max_planes ? left : settings->max_planes};
    path->kernel->execute(plan, slab, path->exact ? NULL : host.floats + first * host.plane,
                          path->exact ? host.doubles + first * host.plane : NULL,
                          overflow.n > 0 ? &meanwhile : NULL, NULL, &status);
    CHECK_THAT(status.code == DEBYE_STATUS_OK && status.text[0] == '\0', "%s", status.text);
    CHECK(overflow.n == 0 || host.next == first + slab.count);
  }
  cpu->destroy(host.plan);
}

/* The whole map, slab by slab; every value written, none beside. */
static Map
compute(const Path *path, const Problem *problem, const DebyeCharges *charges)
{
  DebyePotentialSettings settings = problem->settings;
  const DebyeGrid *grid = &settings.grid;
  Map map = map_new(path, debye_grid_n_points(grid));
  DebyePotentialPlan *plan = NULL;
  DebyeStatus status = {0};
  settings.double_precision = path->exact;
  settings.max_charges = charges->n;
  settings.max_planes = path->max_planes > 0 ? path->max_planes : grid->shape[2];
  settings.cell = problem->cell;
  CHECK(path->kernel->bytes_needed(path->device, &settings) < SIZE_MAX);
  path->kernel->create(path->device, &settings, &plan, &status);
  CHECK_THAT(plan != NULL && status.code == DEBYE_STATUS_OK, "%s", status.text);
  if (plan == NULL)
    return map;
  path->kernel->set_charges(plan, charges, settings.periodic != 0 ? &problem->cell : NULL, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK, "%s", status.text);
  execute_slabs(path, plan, &settings, &map);
  path->kernel->destroy(plan);
  size_t n_missing = 0;
  for (size_t i = 0; i < map.n; i++)
    n_missing += !isfinite(value(path, &map, i));
  CHECK_THAT(n_missing == 0, "%zu of %zu values were not written or are not finite", n_missing, map.n);
  check_guards(&map);
  return map;
}

static double
map_error(const Path *path, const Problem *problem, const DebyeCharges *charges, const Map *map,
          size_t n_samples)
{
  const DebyePairFunction function =
      debye_pair_function_smoothing(problem->settings.smoothing, problem->settings.cutoff);
  const DebyeCutoffProblem oracle = {&function, problem->settings.core_radius, problem->settings.periodic,
                                     &problem->cell};
  return debye_oracle_cutoff_error(&oracle, charges, &problem->settings.grid, map->floats + GUARD,
                                   path->exact ? map->doubles + GUARD : NULL, n_samples);
}

/* Returns how many atoms were overflow. */
static size_t
check_against_oracle(const Path *path, const Problem *problem, const DebyeCharges *charges)
{
  Map map = compute(path, problem, charges);
  CHECK_AT_MOST(map_error(path, problem, charges, &map, 60), path->exact ? MAP_DOUBLE : MAP_FLOAT);
  map_clear(&map);
  return map.n_overflow;
}

/* Root mean square of the difference of two maps of the same size, over that of the first. */
static double
difference(const Path *path, const Map *a, const Map *b)
{
  double sum = 0.0, square = 0.0;
  for (size_t i = 0; i < a->n; i++) {
    double x = value(path, a, i), d = value(path, b, i) - x;
    sum += d * d;
    square += x * x;
  }
  return sqrt(sum / square);
}

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
test_one_charge(const Path *path)
{
  float at[3] = {0.0f, 0.0f, 0.0f}, charge = -0.75f;
  DebyeCharges charges = {&at[0], &at[1], &at[2], &charge, 1};
  for (int smoothing = 0; smoothing < 3; smoothing++) {
    DebyeGrid grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.13, 170, 3, 2);
    Problem problem = problem_new(grid, 12.0, (DebyeSmoothing)smoothing);
    Map map = compute(path, &problem, &charges);
    double worst = 0.0;
    for (size_t i = 0; i < map.n; i++) {
      DebyeVec3 p = debye_grid_point(&grid, (double)(i % 170), (double)(i / 170 % 3), (double)(i / 510));
      double d = fmax(debye_vec3_length(p), CORE);
      double expected = -0.75 * expected_value((DebyeSmoothing)smoothing, d, 12.0);
      worst = fmax(worst, fabs(value(path, &map, i) - expected) * d);
    }
    CHECK_AT_MOST(worst, path->exact ? POINT_DOUBLE : POINT_FLOAT);
    map_clear(&map);
  }
}

/* On the atom, within the core and outside of it. */
static void
test_core_radius(const Path *path)
{
  float x = 5.0f, y = 3.0f, z = 1.0f, charge = 2.0f;
  DebyeCharges charges = {&x, &y, &z, &charge, 1};
  const double cores[] = {1e-3, 0.3, 1.4};
  for (size_t core = 0; core < 3; core++) {
    DebyeGrid grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.25, 70, 45, 9);
    Problem problem = problem_new(grid, 6.0, DEBYE_SMOOTHING_SMOOTH);
    problem.settings.core_radius = cores[core];
    Map map = compute(path, &problem, &charges);
    double worst = 0.0;
    for (size_t i = 0; i < map.n; i++) {
      DebyeVec3 p = debye_grid_point(&grid, (double)(i % 70), (double)(i / 70 % 45), (double)(i / 70 / 45));
      double distance = debye_vec3_length(debye_vec3_subtract(p, debye_vec3(5.0, 3.0, 1.0)));
      double d = fmax(distance, cores[core]);
      worst =
          fmax(worst, fabs(value(path, &map, i) - 2.0 * expected_value(DEBYE_SMOOTHING_SMOOTH, d, 6.0)) * d);
    }
    CHECK_AT_MOST(worst, 2.0 * (path->exact ? POINT_DOUBLE : POINT_FLOAT));
    map_clear(&map);
  }
}

static void
test_no_atoms(const Path *path)
{
  DebyeCharges none = {0};
  Problem problem =
      problem_new(debye_plain_grid(debye_vec3(1.0, 2.0, 3.0), 0.5, 5, 4, 3), 12.0, DEBYE_SMOOTHING_SMOOTH);
  for (int periodic = 0; periodic < 2; periodic++) {
    problem.settings.periodic = periodic == 1 ? DEBYE_PERIODIC_ALL : DEBYE_PERIODIC_NONE;
    problem.cell = (DebyeCell){{9.0, 0.0, 0.0}, {0.0, 9.0, 0.0}, {0.0, 0.0, 9.0}};
    Map map = compute(path, &problem, &none);
    for (size_t i = 0; i < map.n; i++)
      CHECK(value(path, &map, i) == 0.0);
    map_clear(&map);
  }
}

/* Charges of one without smoothing, and a core radius near the cutoff: nearly all pairs in range have the
 * same value, so that it counts them. */
static void
test_count_of_pairs(const Path *path)
{
  const double cutoff = 7.3;
  DebyeRandomSystem system =
      debye_random_system_new(400, debye_vec3(0.0, 0.0, 0.0), debye_vec3(17.0, 15.0, 16.0), 21);
  Problem problem = problem_new(debye_plain_grid(debye_vec3(-1.0, -2.0, 0.3), 1.9, 11, 10, 9), cutoff,
                                DEBYE_SMOOTHING_NONE);
  const DebyePairFunction function = debye_pair_function_smoothing(DEBYE_SMOOTHING_NONE, cutoff);
  problem.settings.core_radius = 0.99 * cutoff;
  problem.settings.periodic = DEBYE_PERIODIC_ALL;
  problem.cell = (DebyeCell){{17.0, 0.0, 0.0}, {2.0, 15.0, 0.0}, {-3.0, 4.0, 16.0}};
  for (size_t i = 0; i < system.charges.n; i++)
    system.charge[i] = 1.0f;
  const DebyeCutoffProblem oracle = {&function, problem.settings.core_radius, DEBYE_PERIODIC_ALL,
                                     &problem.cell};
  Map map = compute(path, &problem, &system.charges);
  double found = 0.0;
  uint64_t expected = 0;
  for (size_t i = 0; i < map.n; i++) {
    DebyeVec3 p = debye_grid_point(&problem.settings.grid, (double)(i % 11), (double)(i / 11 % 10),
                                   (double)(i / 11 / 10));
    found += rint(value(path, &map, i) * problem.settings.core_radius);
    debye_oracle_cutoff(&oracle, &system.charges, p, &expected);
  }
  CHECK_THAT((uint64_t)found == expected, "%.0f pairs were summed, %.0f are in range", found,
             (double)expected);
  map_clear(&map);
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
test_cells(const Path *path)
{
  for (size_t cell = 0; cell < sizeof cells / sizeof cells[0]; cell++)
    for (unsigned periodic = 0; periodic < 8; periodic++) {
      DebyeRandomSystem system = debye_random_system_new(cell == 2 ? 30 : 200, debye_vec3(-30.0, -5.0, 1.0),
                                                         debye_vec3(50.0, 22.0, 20.0), 7 + (unsigned)cell);
      DebyeGrid grid = {.origin = {-9.0, -7.0, -3.0},
                        .step = {{0.7, 0.02, 0.0}, {-0.15, 0.8, 0.1}, {0.15, 0.1, 0.6}},
                        .shape = {35, 26, 19}};
      Problem problem = problem_new(grid, 8.0, (DebyeSmoothing)((periodic + cell) % 3));
      problem.settings.periodic = periodic;
      problem.cell = cells[cell];
      check_against_oracle(path, &problem, &system.charges);
      debye_random_system_clear(&system);
    }
}

/* Turned, mirrored, left-handed and wholly skew steps. */
static void
test_directions(const Path *path)
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
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    Problem problem = problem_new((DebyeGrid){.origin = {-5.0, -4.0, -3.0}, .shape = {21, 19, 11}}, 6.0,
                                  DEBYE_SMOOTHING_SMOOTH);
    memcpy(problem.settings.grid.step, steps[i], sizeof problem.settings.grid.step);
    check_against_oracle(path, &problem, &system.charges);
  }
  debye_random_system_clear(&system);
}

/* Fewer and more points than a block has, in every direction, and axes of one point without a step. */
static void
test_shapes(const Path *path)
{
  static const size_t shapes[][3] = {{1, 1, 1}, {1, 7, 3}, {65, 1, 2}, {17, 33, 5}, {31, 9, 1}, {2, 1, 100}};
  DebyeRandomSystem system =
      debye_random_system_new(400, debye_vec3(-5.0, -5.0, -5.0), debye_vec3(20.0, 20.0, 20.0), 9);
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    Problem problem = problem_new(
        debye_plain_grid(debye_vec3(1.0, 1.0, 1.0), 0.4, shapes[i][0], shapes[i][1], shapes[i][2]), 5.0,
        DEBYE_SMOOTHING_SMOOTH);
    for (int axis = 0; axis < 3; axis++)
      if (problem.settings.grid.shape[axis] == 1)
        problem.settings.grid.step[axis] = debye_vec3(0.0, 0.0, 0.0);
    check_against_oracle(path, &problem, &system.charges);
  }
  debye_random_system_clear(&system);
}

/* Steps from a fraction of a bin to several cutoffs, and bins of several sizes. */
static void
test_steps_and_bins(const Path *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(500, debye_vec3(0.0, 0.0, 0.0), debye_vec3(40.0, 40.0, 40.0), 10);
  for (double step = 0.03; step < 50.0; step *= 12.0)
    for (double bin = 0.0; bin < 30.0; bin = bin * 4.0 + 1.1) {
      Problem problem = problem_new(debye_plain_grid(debye_vec3(3.0, 5.0, 7.0), step, 19, 18, 9), 9.0,
                                    DEBYE_SMOOTHING_SMOOTH);
      problem.settings.bin_size = bin;
      problem.settings.periodic = DEBYE_PERIODIC_ALL;
      problem.cell = (DebyeCell){{40.0, 0.0, 0.0}, {0.0, 40.0, 0.0}, {0.0, 0.0, 40.0}};
      check_against_oracle(path, &problem, &system.charges);
    }
  debye_random_system_clear(&system);
}

/* Far from the origin the positions are what their floats say, and nothing more is lost. The oracle's points
 * are doubles there, good to 1e-10 Å. */
static void
test_far_from_origin(const Path *path)
{
  DebyeVec3 corner = debye_vec3(1e6, -1e6, 5e5);
  DebyeRandomSystem system = debye_random_system_new(500, corner, debye_vec3(30.0, 30.0, 30.0), 11);
  Problem problem =
      problem_new(debye_plain_grid(debye_vec3_add(corner, debye_vec3(0.1, 0.2, 0.3)), 0.7, 40, 40, 4), 9.0,
                  DEBYE_SMOOTHING_SHIFT);
  Map map = compute(path, &problem, &system.charges);
  CHECK_AT_MOST(map_error(path, &problem, &system.charges, &map, 60), path->exact ? 1e-10 : MAP_FLOAT);
  map_clear(&map);
  debye_random_system_clear(&system);
}

/* Every grid point has an atom: the core decides. */
static void
test_atoms_on_points(const Path *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(8 * 8 * 8, debye_vec3(0.0, 0.0, 0.0), debye_vec3(1.0, 1.0, 1.0), 12);
  for (size_t i = 0; i < system.charges.n; i++) {
    system.x[i] = (float)(i % 8);
    system.y[i] = (float)(i / 8 % 8);
    system.z[i] = (float)(i / 64);
  }
  for (int smoothing = 0; smoothing < 3; smoothing++) {
    Problem problem = problem_new(debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 1.0, 8, 8, 8), 3.3,
                                  (DebyeSmoothing)smoothing);
    problem.settings.periodic = DEBYE_PERIODIC_ALL;
    problem.cell = (DebyeCell){{8.0, 0.0, 0.0}, {0.0, 8.0, 0.0}, {0.0, 0.0, 8.0}};
    check_against_oracle(path, &problem, &system.charges);
  }
  debye_random_system_clear(&system);
}

/* Atoms of one sign: what a step at the cutoff gives is then largest. */
static void
test_net_charge(const Path *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(1500, debye_vec3(0.0, 0.0, 0.0), debye_vec3(25.0, 25.0, 25.0), 13);
  for (size_t i = 0; i < system.charges.n; i++)
    system.charge[i] = 1.0f;
  for (int smoothing = 0; smoothing < 3; smoothing++) {
    Problem problem = problem_new(debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, 50, 50, 9), 12.0,
                                  (DebyeSmoothing)smoothing);
    problem.settings.periodic = DEBYE_PERIODIC_ALL;
    problem.cell = (DebyeCell){{25.0, 0.0, 0.0}, {0.0, 25.0, 0.0}, {0.0, 0.0, 25.0}};
    check_against_oracle(path, &problem, &system.charges);
  }
  debye_random_system_clear(&system);
}

/* A vacuum slab, a droplet, and a tenth of all atoms in one bin. */
static void
test_uneven(const Path *path)
{
  for (int kind = 0; kind < 3; kind++) {
    DebyeRandomSystem system =
        debye_random_system_new(3000, debye_vec3(0.0, 0.0, 0.0), debye_vec3(30.0, 30.0, 60.0), 14);
    for (size_t i = 0; i < system.charges.n; i++) {
      if (kind == 0 || (kind == 2 && i % 10 == 0))
        system.z[i] *= 0.05f;
      if (kind == 1 || (kind == 2 && i % 10 == 0)) {
        system.x[i] = 15.0f + 0.1f * (system.x[i] - 15.0f);
        system.y[i] = 15.0f + 0.1f * (system.y[i] - 15.0f);
      }
      if (kind == 1)
        system.z[i] *= 0.05f;
    }
    Problem problem = problem_new(debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 1.0, 30, 30, 60), 7.0,
                                  DEBYE_SMOOTHING_SMOOTH);
    problem.settings.periodic = DEBYE_PERIODIC_ALL;
    problem.cell = (DebyeCell){{30.0, 0.0, 0.0}, {0.0, 30.0, 0.0}, {0.0, 0.0, 60.0}};
    check_against_oracle(path, &problem, &system.charges);
    debye_random_system_clear(&system);
  }
}

/* From no overflow to nearly all: what the host adds and what the device has make the whole. */
static void
test_overflow(const Path *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(2000, debye_vec3(0.0, 0.0, 0.0), debye_vec3(24.0, 24.0, 24.0), 15);
  size_t most = 0, least = SIZE_MAX;
  for (unsigned capacity = 1; capacity < 5000; capacity *= 3) {
    Problem problem = problem_new(debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.8, 30, 30, 30), 8.0,
                                  DEBYE_SMOOTHING_SMOOTH);
    problem.settings.bin_capacity = capacity;
    problem.settings.bin_size = 12.0;
    problem.settings.periodic = DEBYE_PERIODIC_ALL;
    problem.cell = (DebyeCell){{24.0, 0.0, 0.0}, {0.0, 24.0, 0.0}, {0.0, 0.0, 24.0}};
    Path thin = *path;
    thin.max_planes = 7;
    size_t n = check_against_oracle(&thin, &problem, &system.charges);
    most = n > most ? n : most;
    least = n < least ? n : least;
  }
  const bool is_fake = path->kernel == debye_fake_backend.potential[DEBYE_POTENTIAL_CUTOFF];
  CHECK(is_fake || least == 0);
  CHECK(is_fake || path->kernel->get_overflow == NULL || most > 1900);
  debye_random_system_clear(&system);
}

/* Where no capacity is asked for all atoms fit; one of 8 holds at least 90 of 100 atoms as uneven as these.
 */
static void
test_usual_capacity(const Path *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(9000, debye_vec3(0.0, 0.0, 0.0), debye_vec3(45.0, 45.0, 45.0), 16);
  Problem problem =
      problem_new(debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 2.0, 23, 23, 23), 6.0, DEBYE_SMOOTHING_SMOOTH);
  const bool is_fake = path->kernel == debye_fake_backend.potential[DEBYE_POTENTIAL_CUTOFF];
  CHECK(is_fake || check_against_oracle(path, &problem, &system.charges) == 0);
  problem.settings.bin_capacity = 8;
  CHECK(is_fake || check_against_oracle(path, &problem, &system.charges) <= 900);
  debye_random_system_clear(&system);
}

/* Cell, atoms and grid moved by whole cells, and turned together: the same map. */
static void
test_moved(const Path *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(400, debye_vec3(0.0, 0.0, 0.0), debye_vec3(16.0, 16.0, 16.0), 17);
  Problem problem = problem_new(debye_plain_grid(debye_vec3(0.5, 0.25, 0.75), 0.5, 30, 25, 20), 7.0,
                                DEBYE_SMOOTHING_SMOOTH);
  problem.settings.periodic = DEBYE_PERIODIC_ALL;
  problem.cell = (DebyeCell){{16.0, 0.0, 0.0}, {4.0, 16.0, 0.0}, {-8.0, 2.0, 16.0}};
  /* Exact in float after the shifts below. */
  for (size_t i = 0; i < system.charges.n; i++) {
    system.x[i] = rintf(system.x[i] * 4096.0f) / 4096.0f;
    system.y[i] = rintf(system.y[i] * 4096.0f) / 4096.0f;
    system.z[i] = rintf(system.z[i] * 4096.0f) / 4096.0f;
  }
  Map expected = compute(path, &problem, &system.charges);
  for (size_t i = 0; i < system.charges.n; i++) {
    float a = (float)((int)(i % 3) - 1), c = (float)((int)(i % 5) - 2);
    system.x[i] += 16.0f * a - 8.0f * c;
    system.y[i] += 2.0f * c;
    system.z[i] += 16.0f * c;
  }
  Map wrapped = compute(path, &problem, &system.charges);
  CHECK_AT_MOST(difference(path, &expected, &wrapped), path->exact ? MAP_DOUBLE : MAP_FLOAT);
  map_clear(&wrapped);
  /* x, y, z become y, z, x. */
  float *const turned_axes[3] = {system.x, system.y, system.z};
  DebyeCharges turned = {turned_axes[2], turned_axes[0], turned_axes[1], system.charge, system.charges.n};
  DebyeVec3 *const vectors[] = {&problem.cell.a,
                                &problem.cell.b,
                                &problem.cell.c,
                                &problem.settings.grid.origin,
                                &problem.settings.grid.step[0],
                                &problem.settings.grid.step[1],
                                &problem.settings.grid.step[2]};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    *vectors[i] = debye_vec3(vectors[i]->z, vectors[i]->x, vectors[i]->y);
  Map rotated = compute(path, &problem, &turned);
  CHECK_AT_MOST(difference(path, &expected, &rotated), path->exact ? MAP_DOUBLE : MAP_FLOAT);
  map_clear(&rotated);
  map_clear(&expected);
  debye_random_system_clear(&system);
}

/* A plan goes from frame to frame: more images, fewer, none, as if it were new. */
static void
test_frames(const Path *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(300, debye_vec3(0.0, 0.0, 0.0), debye_vec3(20.0, 20.0, 20.0), 18);
  Problem problem =
      problem_new(debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.8, 25, 25, 9), 7.0, DEBYE_SMOOTHING_SMOOTH);
  problem.settings.periodic = DEBYE_PERIODIC_ALL;
  problem.settings.double_precision = path->exact;
  problem.settings.max_charges = 300;
  problem.settings.max_planes = 9;
  DebyePotentialPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->create(path->device, &problem.settings, &plan, &status) == DEBYE_STATUS_OK);
  const double edges[] = {20.0, 9.0, 33.0, 1e4, 20.0};
  for (size_t frame = 0; plan != NULL && frame < sizeof edges / sizeof edges[0]; frame++) {
    problem.cell = (DebyeCell){{edges[frame], 0.0, 0.0}, {0.0, edges[frame], 0.0}, {0.0, 0.0, edges[frame]}};
    problem.settings.cell = problem.cell;
    Map expected = compute(path, &problem, &system.charges), found = map_new(path, expected.n);
    CHECK(path->kernel->set_charges(plan, &system.charges, &problem.cell, &status) == DEBYE_STATUS_OK);
    execute_slabs(path, plan, &problem.settings, &found);
    CHECK(memcmp(found.floats, expected.floats, (found.n + 2 * GUARD) * sizeof(float)) == 0);
    CHECK(memcmp(found.doubles, expected.doubles, (found.n + 2 * GUARD) * sizeof(double)) == 0);
    map_clear(&found);
    map_clear(&expected);
  }
  path->kernel->destroy(plan);
  debye_random_system_clear(&system);
}

static void
test_slabs(const Path *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(700, debye_vec3(0.0, 0.0, 0.0), debye_vec3(20.0, 20.0, 20.0), 12);
  Problem problem =
      problem_new(debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, 37, 29, 20), 7.0, DEBYE_SMOOTHING_SMOOTH);
  Path thin = *path;
  Map expected = compute(path, &problem, &system.charges);
  for (thin.max_planes = 1; thin.max_planes <= 7; thin.max_planes += 2) {
    Map found = compute(&thin, &problem, &system.charges);
    CHECK(memcmp(found.floats, expected.floats, (found.n + 2 * GUARD) * sizeof(float)) == 0);
    CHECK(memcmp(found.doubles, expected.doubles, (found.n + 2 * GUARD) * sizeof(double)) == 0);
    map_clear(&found);
  }
  map_clear(&expected);
  debye_random_system_clear(&system);
}

/* Refusals. */

static Problem
small_problem(const Path *path)
{
  Problem problem =
      problem_new(debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, 8, 8, 8), 3.0, DEBYE_SMOOTHING_SMOOTH);
  problem.settings.double_precision = path->exact;
  problem.settings.max_charges = 4;
  problem.settings.max_planes = 4;
  problem.cell = (DebyeCell){{4.0, 0.0, 0.0}, {0.0, 4.0, 0.0}, {0.0, 0.0, 4.0}};
  return problem;
}

static void
check_refused(const Path *path, const DebyePotentialSettings *settings)
{
  DebyePotentialPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->create(path->device, settings, &plan, &status) == DEBYE_STATUS_INVALID);
  CHECK(plan == NULL && status.code == DEBYE_STATUS_INVALID && status.text[0] != '\0');
}

static void
test_wrong_settings(const Path *path)
{
  const DebyePotentialSettings good = small_problem(path).settings;
  const double cutoffs[] = {0.0, -1.0, (double)NAN, (double)INFINITY, 0.5 * CORE};
  DebyePotentialSettings wrong = good;
  for (size_t i = 0; i < sizeof cutoffs / sizeof cutoffs[0]; i++) {
    wrong.cutoff = cutoffs[i];
    check_refused(path, &wrong);
  }
  wrong = good;
  wrong.bin_size = -1.0;
  check_refused(path, &wrong);
  wrong = good;
  wrong.grid.shape[2] = 0;
  check_refused(path, &wrong);
  wrong = good;
  wrong.max_planes = 0;
  check_refused(path, &wrong);
}

static void
test_wrong_frames(const Path *path)
{
  Problem problem = small_problem(path);
  DebyePotentialPlan *plan = NULL;
  DebyeStatus status = {0};
  problem.settings.periodic = DEBYE_PERIODIC_ALL;
  CHECK(path->kernel->create(path->device, &problem.settings, &plan, &status) == DEBYE_STATUS_OK);
  if (plan == NULL)
    return;
  float good[5] = {0.0f, 1.0f, 2.0f, 3.0f, 4.0f}, nan[2] = {0.0f, NAN}, far[2] = {0.0f, 1e30f};
  const DebyeCharges wrong[] = {{good, good, good, good, 5},
                                {good, nan, good, good, 2},
                                {good, good, far, good, 2},
                                {good, good, good, nan, 2}};
  const DebyeCharges right = {good, good, good, good, 4};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    CHECK(path->kernel->set_charges(plan, &wrong[i], &problem.cell, &status) == DEBYE_STATUS_INVALID &&
          status.text[0] != '\0');
  CHECK(path->kernel->set_charges(plan, &right, NULL, &status) == DEBYE_STATUS_INVALID);
  DebyeCell flat = problem.cell;
  flat.c = flat.a;
  CHECK(path->kernel->set_charges(plan, &right, &flat, &status) == DEBYE_STATUS_INVALID);
  /* So many images that no memory holds them: refused before they are counted. */
  const DebyeCell tiny = {{1e-6, 0.0, 0.0}, {0.0, 1e-6, 0.0}, {0.0, 0.0, 1e-6}};
  CHECK(path->kernel->set_charges(plan, &right, &tiny, &status) == DEBYE_STATUS_NO_MEMORY);
  CHECK(path->kernel->set_charges(plan, &right, &problem.cell, &status) == DEBYE_STATUS_OK);

  float out[8 * 8 * 4];
  double out_double[8 * 8 * 4];
  const DebyeSlab slabs[] = {{0, 5}, {5, 4}, {9, 0}, {SIZE_MAX, 2}};
  for (size_t i = 0; i < sizeof slabs / sizeof slabs[0]; i++)
    CHECK(path->kernel->execute(plan, slabs[i], out, out_double, NULL, NULL, &status) ==
          DEBYE_STATUS_INVALID);
  CHECK(path->kernel->execute(plan, (DebyeSlab){0, 4}, NULL, NULL, NULL, NULL, &status) ==
        DEBYE_STATUS_INVALID);
  CHECK(path->kernel->execute(plan, (DebyeSlab){8, 0}, out, out_double, NULL, NULL, &status) ==
        DEBYE_STATUS_OK);
  path->kernel->destroy(plan);
}

static void
test_cancelled(const Path *path)
{
  Problem problem = small_problem(path);
  DebyePotentialPlan *plan = NULL;
  DebyeStatus status = {0};
  float good[4] = {0.0f, 1.0f, 2.0f, 3.0f}, out[8 * 8 * 4];
  double out_double[8 * 8 * 4];
  bool cancel = true;
  CHECK(path->kernel->create(path->device, &problem.settings, &plan, &status) == DEBYE_STATUS_OK);
  if (plan == NULL)
    return;
  path->kernel->set_charges(plan, &(DebyeCharges){good, good, good, good, 4}, NULL, &status);
  CHECK(path->kernel->execute(plan, (DebyeSlab){0, 4}, out, out_double, NULL, &cancel, &status) ==
        DEBYE_STATUS_CANCELLED);
  cancel = false;
  CHECK(path->kernel->execute(plan, (DebyeSlab){0, 4}, out, out_double, NULL, &cancel, &status) ==
        DEBYE_STATUS_OK);
  path->kernel->destroy(plan);
  path->kernel->destroy(NULL);
}

/* Each body on each path. */

static const struct {
  const char *name;
  void (*body)(const Path *path);
} bodies[] = {
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
    {"uneven", test_uneven},
    {"overflow", test_overflow},
    {"usual capacity", test_usual_capacity},
    {"moved", test_moved},
    {"frames", test_frames},
    {"slabs", test_slabs},
    {"wrong settings", test_wrong_settings},
    {"wrong frames", test_wrong_frames},
    {"cancelled", test_cancelled},
};

static void
test_device(const DebyeDeviceEntry *entry, const char *how)
{
  for (int exact = 0; exact < 2; exact++) {
    Path path = {.kernel = entry->backend->potential[DEBYE_POTENTIAL_CUTOFF],
                 .device = entry->device,
                 .exact = exact == 1};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
      debye_check_subject("%s%s in %s: %s", entry->info.id, how, path.exact ? "double" : "float",
                          bodies[i].name);
      bodies[i].body(&path);
    }
  }
}

static void
test_processor(const DebyeDeviceEntry *entry)
{
  DebyeCpuLevel best = debye_cpu_get_level();
  for (int level = DEBYE_CPU_PORTABLE; level <= (int)best; level++) {
    char how[40];
    debye_cpu_set_level((DebyeCpuLevel)level);
    snprintf(how, sizeof how, " (%s)", debye_cutoff_block((DebyeCpuLevel)level)->name);
    test_device(entry, how);
  }
  debye_cpu_set_level(best);
}

/* Pair functions, which the sums of other methods are made of. */

/* The longest distance between the fit and erfc(βd)/d, in double and in the powers that float uses. */
static void
test_erfc(double beta, double cutoff, double tolerance)
{
  DebyePairFunction function;
  DebyeStatus status;
  debye_check_subject("erfc, beta %g, cutoff %g, tolerance %g", beta, cutoff, tolerance);
  CHECK_THAT(debye_pair_function_erfc(beta, cutoff, tolerance, &function, &status) == DEBYE_STATUS_OK, "%s",
             status.text);
  DebyePairFloats floats = debye_pair_floats(&function, CORE, 8.0);
  double worst = 0.0, worst_float = 0.0;
  for (int i = 1; i < 2000; i++) {
    double d = cutoff * i / 2000.0, expected = erfc(beta * d) / d;
    float v = (float)(d * d / (cutoff * cutoff)) - 0.5f, b = 0.0f;
    for (int n = DEBYE_PAIR_COEFFICIENTS; n-- > 0;)
      b = b * v + floats.coefficient[n];
    worst = fmax(worst, fabs(debye_pair_value(&function, d * d, 0.0) - expected));
    worst_float = fmax(worst_float, fabs((1.0 / d - (double)b) - expected));
  }
  CHECK_AT_MOST(worst, tolerance);
  /* Of B's largest value, 2β/√π, a few roundings more. */
  CHECK_AT_MOST(worst_float, tolerance + 2e-6 * beta);
}

static void
test_pair_functions(void)
{
  DebyePairFunction function;
  DebyeStatus status;
  test_erfc(0.2, 10.0, 1e-4);
  test_erfc(0.3, 10.0, 1e-5);
  test_erfc(0.35, 9.0, 1e-6);
  test_erfc(0.4, 10.0, 1e-6);
  debye_check_subject("erfc, refused");
  CHECK(debye_pair_function_erfc(1.0, 30.0, 1e-6, &function, &status) == DEBYE_STATUS_INVALID);
  CHECK(debye_pair_function_erfc(0.0, 10.0, 1e-6, &function, &status) == DEBYE_STATUS_INVALID);
}

/* With an argument only on devices whose id begins so: "cuda". */
int
main(int argc, char **argv)
{
  const char *only = argc > 1 ? argv[1] : "";
  DebyeRegistry *registry = debye_registry_new(getenv("DEBYE_BACKEND_DIR"));
  debye_fake_reset(1);
  debye_registry_add(registry, &debye_fake_backend);
  test_pair_functions();
  for (size_t i = 0; i < debye_registry_get_count(registry); i++) {
    const DebyeDeviceEntry *entry = debye_registry_get(registry, i);
    if (strncmp(entry->info.id, only, strlen(only)) != 0)
      continue;
    if (entry->device < 0)
      printf("%s is not tested: %s\n", entry->backend != NULL ? entry->backend->title : entry->info.name,
             entry->reason);
    else if (strcmp(entry->info.id, "cpu") == 0)
      test_processor(entry);
    else if (entry->backend->potential[DEBYE_POTENTIAL_CUTOFF] != NULL)
      test_device(entry, "");
  }
  debye_registry_free(registry);
  return debye_check_finish();
}
