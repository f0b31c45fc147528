/* SPDX-License-Identifier: MIT */
/* The direct sum: one body for every device that there is, the fake one, and each instruction set of the
 * processor. Analytic answers first, then the exact sum.
 *
 * Tolerances. Float: 1/d by estimate and correction is good to 4e-7, a coordinate difference to 6e-8 of
 * itself, a sum of up to 512 terms to 6e-7 of its terms: 2e-6 of Σ|q|/d at any one point; over a map 5e-6 of
 * its root mean square is what is promised. Double: a few ulp of the terms, 1e-13 over a map. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/direct_block.h"
#include "kernels/registry.h"
#include "tests/support/check.h"
#include "tests/support/fake_backend.h"
#include "tests/support/oracle_potential.h"

#define CORE 1e-3
#define POINT_FLOAT 2e-6
#define POINT_DOUBLE 1e-14
#define MAP_FLOAT 5e-6
#define MAP_DOUBLE 1e-13
#define GUARD 64
#define SENTINEL 1234.5

/* What a body runs on. */
typedef struct {
  const DebyePotentialKernel *kernel;
  int device;
  bool exact;        /* in double */
  size_t max_planes; /* 0: the whole map in one call */
} Path;

/* A map between sentinels, computed by a path. */
typedef struct {
  size_t n;
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

/* The whole map, slab by slab; every value written, none beside. */
static Map
compute(const Path *path, const DebyeGrid *grid, double core, const DebyeCharges *charges)
{
  size_t plane = grid->shape[0] * grid->shape[1], n = plane * grid->shape[2];
  DebyePotentialSettings settings = {
      .grid = *grid,
      .core_radius = core,
      .double_precision = path->exact,
      .max_charges = charges->n,
      .max_planes = path->max_planes > 0 ? path->max_planes : grid->shape[2],
  };
  Map map = map_new(path, n);
  DebyePotentialPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->bytes_needed(path->device, &settings) < SIZE_MAX);
  path->kernel->create(path->device, &settings, &plan, &status);
  CHECK_THAT(plan != NULL && status.code == DEBYE_STATUS_OK, "%s", status.text);
  if (plan == NULL)
    return map;
  path->kernel->set_charges(plan, charges, NULL, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK, "%s", status.text);
  for (size_t first = 0; first < grid->shape[2]; first += settings.max_planes) {
    size_t left = grid->shape[2] - first;
    DebyeSlab slab = {first, left < settings.max_planes ? left : settings.max_planes};
    path->kernel->execute(plan, slab, path->exact ? NULL : map.floats + GUARD + first * plane,
                          path->exact ? map.doubles + GUARD + first * plane : NULL, NULL, NULL, &status);
    CHECK_THAT(status.code == DEBYE_STATUS_OK && status.text[0] == '\0', "%s", status.text);
  }
  path->kernel->destroy(plan);
  size_t n_missing = 0;
  for (size_t i = 0; i < n; i++)
    n_missing += !isfinite(value(path, &map, i));
  CHECK_THAT(n_missing == 0, "%zu of %zu values were not written or are not finite", n_missing, n);
  check_guards(&map);
  return map;
}

static void
check_against_oracle(const Path *path, const DebyeGrid *grid, double core, const DebyeCharges *charges)
{
  Map map = compute(path, grid, core, charges);
  double error = debye_oracle_error(charges, grid, core, map.floats + GUARD,
                                    path->exact ? map.doubles + GUARD : NULL, 400);
  CHECK_AT_MOST(error, path->exact ? MAP_DOUBLE : MAP_FLOAT);
  map_clear(&map);
}

/* Analytic. */

/* q/r at every point of a line, from a thousandth of an Å to a hundred thousand. */
static void
test_one_charge(const Path *path)
{
  float at[3] = {0.0f, 0.0f, 0.0f}, charge = -0.75f;
  DebyeCharges charges = {&at[0], &at[1], &at[2], &charge, 1};
  for (double step = 1.7e-3; step < 1e4; step *= 10.0) {
    DebyeGrid grid = debye_plain_grid(debye_vec3(step, 0.0, 0.0), step, 100, 2, 1);
    Map map = compute(path, &grid, CORE, &charges);
    double worst = 0.0;
    for (size_t i = 0; i < map.n; i++) {
      DebyeVec3 point = debye_grid_point(&grid, (double)(i % 100), (double)(i / 100), 0.0);
      double expected = -0.75 / debye_vec3_length(point);
      worst = fmax(worst, fabs(value(path, &map, i) / expected - 1.0));
    }
    CHECK_AT_MOST(worst, path->exact ? POINT_DOUBLE : POINT_FLOAT);
    map_clear(&map);
  }
}

static void
test_dipole(const Path *path)
{
  float x[2] = {-0.5f, 0.5f}, zero[2] = {0.0f, 0.0f}, charge[2] = {1.0f, -1.0f};
  DebyeCharges charges = {x, zero, zero, charge, 2};
  DebyeGrid grid = debye_plain_grid(debye_vec3(-15.75, -3.0, 1.25), 0.5, 64, 13, 4);
  Map map = compute(path, &grid, CORE, &charges);
  double worst = 0.0;
  for (size_t i = 0; i < map.n; i++) {
    DebyeVec3 p = debye_grid_point(&grid, (double)(i % 64), (double)(i / 64 % 13), (double)(i / 64 / 13));
    double near = 1.0 / debye_vec3_length(debye_vec3(p.x + 0.5, p.y, p.z));
    double far = 1.0 / debye_vec3_length(debye_vec3(p.x - 0.5, p.y, p.z));
    worst = fmax(worst, fabs(value(path, &map, i) - (near - far)) / (near + far));
  }
  CHECK_AT_MOST(worst, path->exact ? POINT_DOUBLE : POINT_FLOAT);
  /* The plane between the charges: points with x = 0 are not on this grid, but mirrored points cancel. */
  for (size_t i = 0; i < 63; i++)
    CHECK_AT_MOST(fabs(value(path, &map, i) + value(path, &map, 63 - i) - 2.0 * 0.0), 1e-6);
  map_clear(&map);
}

/* On the atom, within the core and outside of it, in the middle of more points than a block has. */
static void
test_core_radius(const Path *path)
{
  float x = 10.0f, y = 5.0f, z = 1.0f, charge = 2.0f;
  DebyeCharges charges = {&x, &y, &z, &charge, 1};
  const double cores[] = {1e-3, 0.3, 1.4};
  for (size_t core = 0; core < 3; core++) {
    DebyeGrid grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.25, 140, 45, 9);
    Map map = compute(path, &grid, cores[core], &charges);
    double worst = 0.0;
    for (size_t i = 0; i < map.n; i++) {
      DebyeVec3 p =
          debye_grid_point(&grid, (double)(i % 140), (double)(i / 140 % 45), (double)(i / 140 / 45));
      double distance = debye_vec3_length(debye_vec3_subtract(p, debye_vec3(10.0, 5.0, 1.0)));
      worst = fmax(worst, fabs(value(path, &map, i) * fmax(distance, cores[core]) / 2.0 - 1.0));
    }
    CHECK_AT_MOST(worst, path->exact ? POINT_DOUBLE : POINT_FLOAT);
    CHECK_AT_MOST(fabs(value(path, &map, 40 + 140 * (20 + 45 * 4)) * cores[core] / 2.0 - 1.0), POINT_FLOAT);
    map_clear(&map);
  }
}

static void
test_no_atoms(const Path *path)
{
  DebyeCharges none = {0};
  DebyeGrid grid = debye_plain_grid(debye_vec3(1.0, 2.0, 3.0), 0.5, 5, 4, 3);
  Map map = compute(path, &grid, CORE, &none);
  for (size_t i = 0; i < map.n; i++)
    CHECK(value(path, &map, i) == 0.0);
  map_clear(&map);
}

/* Against each other and the exact sum. */

/* Point (i, j) of the skew grid is point (i + j, j) of the plain one. */
static void
test_skew_as_plain(const Path *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(300, debye_vec3(0.0, 0.0, 0.0), debye_vec3(30.0, 20.0, 5.0), 7);
  DebyeGrid plain = debye_plain_grid(debye_vec3(-1.0, -2.0, 0.3), 0.5, 120, 50, 3), skew = plain;
  skew.step[1].x = 0.5;
  skew.shape[0] = 70;
  Map expected = compute(path, &plain, CORE, &system.charges),
      found = compute(path, &skew, CORE, &system.charges);
  double difference = 0.0, square = 0.0;
  for (size_t i = 0; i < found.n; i++) {
    size_t j = i / 70 % 50, in_plain = i % 70 + j + 120 * (i / 70);
    double e = value(path, &expected, in_plain), d = value(path, &found, i) - e;
    difference += d * d;
    square += e * e;
  }
  CHECK_AT_MOST(sqrt(difference / square), path->exact ? MAP_DOUBLE : MAP_FLOAT);
  map_clear(&expected);
  map_clear(&found);
  debye_random_system_clear(&system);
}

/* Turned, mirrored, left-handed and wholly skew steps. */
static void
test_directions(const Path *path)
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
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    DebyeGrid grid = {.origin = {-5.0, -4.0, -3.0}, .shape = {21, 19, 11}};
    memcpy(grid.step, steps[i], sizeof grid.step);
    check_against_oracle(path, &grid, CORE, &system.charges);
  }
  debye_random_system_clear(&system);
}

/* Fewer and more points than a block has, in every direction, and axes of one point without a step. */
static void
test_shapes(const Path *path)
{
  static const size_t shapes[][3] = {{1, 1, 1},   {1, 7, 3},    {65, 1, 2}, {17, 33, 5},
                                     {63, 64, 1}, {130, 67, 3}, {2, 1, 300}};
  DebyeRandomSystem system =
      debye_random_system_new(100, debye_vec3(0.0, 0.0, 0.0), debye_vec3(20.0, 20.0, 20.0), 9);
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    DebyeGrid grid =
        debye_plain_grid(debye_vec3(1.0, 1.0, 1.0), 0.4, shapes[i][0], shapes[i][1], shapes[i][2]);
    for (int axis = 0; axis < 3; axis++)
      if (grid.shape[axis] == 1)
        grid.step[axis] = debye_vec3(0.0, 0.0, 0.0);
    check_against_oracle(path, &grid, CORE, &system.charges);
  }
  debye_random_system_clear(&system);
}

/* Numbers of atoms around the size of a tile, and more than one launch takes. */
static void
test_tiles(const Path *path)
{
  static const size_t numbers[] = {1, 2, 511, 512, 513, 1024, 3000, 9000};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    DebyeRandomSystem system =
        debye_random_system_new(numbers[i], debye_vec3(0.0, 0.0, 0.0), debye_vec3(20.0, 20.0, 20.0), 10);
    DebyeGrid grid = debye_plain_grid(debye_vec3(-1.0, -1.0, -1.0), 0.9, 26, 25, 3);
    check_against_oracle(path, &grid, CORE, &system.charges);
    /* A core that most points are in. */
    check_against_oracle(path, &grid, 3.0, &system.charges);
    debye_random_system_clear(&system);
  }
}

/* Far from the origin the positions are what their floats say, and nothing more is lost. */
static void
test_far_from_origin(const Path *path)
{
  DebyeVec3 corner = debye_vec3(1e6, -1e6, 5e5);
  DebyeRandomSystem system = debye_random_system_new(500, corner, debye_vec3(30.0, 30.0, 30.0), 11);
  DebyeGrid grid = debye_plain_grid(debye_vec3_add(corner, debye_vec3(0.1, 0.2, 0.3)), 0.7, 40, 40, 4);
  check_against_oracle(path, &grid, CORE, &system.charges);
  debye_random_system_clear(&system);
}

static void
test_slabs(const Path *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(700, debye_vec3(0.0, 0.0, 0.0), debye_vec3(20.0, 20.0, 20.0), 12);
  DebyeGrid grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, 37, 29, 20);
  Path whole = *path, thin = *path;
  whole.max_planes = 0;
  Map expected = compute(&whole, &grid, CORE, &system.charges);
  for (thin.max_planes = 1; thin.max_planes <= 7; thin.max_planes += 2) {
    Map found = compute(&thin, &grid, CORE, &system.charges);
    CHECK(memcmp(found.floats, expected.floats, (found.n + 2 * GUARD) * sizeof(float)) == 0);
    CHECK(memcmp(found.doubles, expected.doubles, (found.n + 2 * GUARD) * sizeof(double)) == 0);
    map_clear(&found);
  }
  map_clear(&expected);
  debye_random_system_clear(&system);
}

/* Refusals. */

static void
check_refused(const Path *path, const DebyePotentialSettings *settings)
{
  DebyePotentialPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->create(path->device, settings, &plan, &status) == DEBYE_STATUS_INVALID);
  CHECK(plan == NULL && status.code == DEBYE_STATUS_INVALID && status.text[0] != '\0');
}

static DebyePotentialSettings
small_settings(const Path *path)
{
  return (DebyePotentialSettings){.grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, 8, 8, 8),
                                  .core_radius = CORE,
                                  .double_precision = path->exact,
                                  .max_charges = 4,
                                  .max_planes = 4};
}

static void
test_wrong_settings(const Path *path)
{
  const DebyePotentialSettings good = small_settings(path);
  DebyePotentialSettings wrong = good;
  wrong.grid.shape[1] = 0;
  check_refused(path, &wrong);
  wrong = good;
  wrong.grid.shape[0] = wrong.grid.shape[1] = wrong.grid.shape[2] = (size_t)1 << 22;
  check_refused(path, &wrong);
  wrong = good;
  wrong.grid.step[2] = debye_vec3_add(wrong.grid.step[0], wrong.grid.step[1]);
  check_refused(path, &wrong);
  wrong = good;
  wrong.grid.step[0].x = (double)NAN;
  check_refused(path, &wrong);
  wrong = good;
  wrong.grid.origin.z = (double)INFINITY;
  check_refused(path, &wrong);
  wrong = good;
  wrong.core_radius = 0.0;
  check_refused(path, &wrong);
  wrong = good;
  wrong.core_radius = (double)NAN;
  check_refused(path, &wrong);
  wrong = good;
  wrong.max_planes = 0;
  check_refused(path, &wrong);
}

static void
check_charges_refused(const Path *path, DebyePotentialPlan *plan, const DebyeCharges *charges)
{
  DebyeStatus status = {0};
  CHECK(path->kernel->set_charges(plan, charges, NULL, &status) == DEBYE_STATUS_INVALID);
  CHECK(status.text[0] != '\0');
}

static void
test_wrong_arguments(const Path *path)
{
  const DebyePotentialSettings settings = small_settings(path);
  DebyePotentialPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->create(path->device, &settings, &plan, &status) == DEBYE_STATUS_OK);
  if (plan == NULL)
    return;
  float good[5] = {0.0f, 1.0f, 2.0f, 3.0f, 4.0f}, nan[2] = {0.0f, NAN}, far[2] = {0.0f, 1e30f};
  check_charges_refused(path, plan, &(DebyeCharges){good, good, good, good, 5});
  check_charges_refused(path, plan, &(DebyeCharges){good, nan, good, good, 2});
  check_charges_refused(path, plan, &(DebyeCharges){good, good, far, good, 2});
  check_charges_refused(path, plan, &(DebyeCharges){good, good, good, nan, 2});

  float out[8 * 8 * 4];
  double out_double[8 * 8 * 4];
  CHECK(path->kernel->set_charges(plan, &(DebyeCharges){good, good, good, good, 4}, NULL, &status) ==
        DEBYE_STATUS_OK);
  const DebyeSlab wrong[] = {{0, 5}, {5, 4}, {9, 0}, {SIZE_MAX, 2}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    CHECK(path->kernel->execute(plan, wrong[i], out, out_double, NULL, NULL, &status) ==
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
  DebyePotentialSettings settings = small_settings(path);
  DebyePotentialPlan *plan = NULL;
  DebyeStatus status = {0};
  float good[4] = {0.0f, 1.0f, 2.0f, 3.0f}, out[8 * 8 * 4];
  double out_double[8 * 8 * 4];
  bool cancel = true;
  CHECK(path->kernel->create(path->device, &settings, &plan, &status) == DEBYE_STATUS_OK);
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
    {"dipole", test_dipole},
    {"core radius", test_core_radius},
    {"no atoms", test_no_atoms},
    {"skew as plain", test_skew_as_plain},
    {"directions", test_directions},
    {"shapes", test_shapes},
    {"tiles", test_tiles},
    {"far from the origin", test_far_from_origin},
    {"slabs", test_slabs},
    {"wrong settings", test_wrong_settings},
    {"wrong arguments", test_wrong_arguments},
    {"cancelled", test_cancelled},
};

static void
test_device(const DebyeDeviceEntry *entry, const char *how)
{
  for (int exact = 0; exact < 2; exact++) {
    Path path = {.kernel = entry->backend->potential[DEBYE_POTENTIAL_DIRECT],
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
    snprintf(how, sizeof how, " (%s)", debye_direct_block((DebyeCpuLevel)level)->name);
    test_device(entry, how);
  }
  debye_cpu_set_level(best);
}

/* With an argument only on devices whose id begins so: "cuda". */
int
main(int argc, char **argv)
{
  const char *only = argc > 1 ? argv[1] : "";
  DebyeRegistry *registry = debye_registry_new(getenv("DEBYE_BACKEND_DIR"));
  debye_fake_reset(1);
  debye_registry_add(registry, &debye_fake_backend);
  for (size_t i = 0; i < debye_registry_get_count(registry); i++) {
    const DebyeDeviceEntry *entry = debye_registry_get(registry, i);
    if (strncmp(entry->info.id, only, strlen(only)) != 0)
      continue;
    if (entry->device < 0)
      printf("%s is not tested: %s\n", entry->backend != NULL ? entry->backend->title : entry->info.name,
             entry->reason);
    else if (strcmp(entry->info.id, "cpu") == 0)
      test_processor(entry);
    else
      test_device(entry, "");
  }
  debye_registry_free(registry);
  return debye_check_finish();
}
