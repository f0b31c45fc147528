/* SPDX-License-Identifier: MIT */
/* Maps of all devices. */
#include "map_test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/cpu/common/cpu_kernels.h"
#include "tests/support/every_device.h"
#include "tests/support/fake_backend.h"

#define GUARD 64
#define SENTINEL 1234.5

DebyeTestMap
debye_test_map_new(const DebyeMapPath *path, size_t n)
{
  float *floats = calloc(n + 2 * GUARD, sizeof *floats);
  double *doubles = calloc(n + 2 * GUARD, sizeof *doubles);
  for (size_t i = 0; i < n + 2 * GUARD; i++) {
    bool inside = i >= GUARD && i < n + GUARD;
    floats[i] = inside && !path->exact ? NAN : (float)SENTINEL;
    doubles[i] = inside && path->exact ? (double)NAN : SENTINEL;
  }
  return (DebyeTestMap){.n = n, .exact = path->exact, .floats = floats + GUARD, .doubles = doubles + GUARD};
}

void
debye_test_map_clear(DebyeTestMap *map)
{
  free(map->floats - GUARD);
  free(map->doubles - GUARD);
}

double
debye_test_map_value(const DebyeTestMap *map, size_t i)
{
  return map->exact ? map->doubles[i] : (double)map->floats[i];
}

double
debye_test_map_difference(const DebyeTestMap *map, const DebyeTestMap *like)
{
  double square_error = 0.0, square = 0.0;
  for (size_t i = 0; i < map->n; i++) {
    const double expected = debye_test_map_value(like, i), error = debye_test_map_value(map, i) - expected;
    square_error += error * error;
    square += expected * expected;
  }
  return sqrt(square_error / square);
}

void
debye_test_map_check_same(const DebyeTestMap *map, const DebyeTestMap *expected)
{
  const size_t n = map->n + 2 * GUARD;
  CHECK(map->n == expected->n && map->exact == expected->exact);
  CHECK(memcmp(map->floats - GUARD, expected->floats - GUARD, n * sizeof(float)) == 0);
  CHECK(memcmp(map->doubles - GUARD, expected->doubles - GUARD, n * sizeof(double)) == 0);
}

static void
check_map(const DebyeTestMap *map)
{
  const float *floats_end = map->floats + map->n;
  const double *doubles_end = map->doubles + map->n;
  size_t n_hurt = 0, n_missing = 0;
  for (size_t i = 0; i < GUARD; i++) {
    n_hurt += *(map->floats - 1 - i) != (float)SENTINEL || floats_end[i] != (float)SENTINEL;
    n_hurt += *(map->doubles - 1 - i) != SENTINEL || doubles_end[i] != SENTINEL;
  }
  for (size_t i = 0; i < map->n; i++)
    n_missing += !isfinite(debye_test_map_value(map, i));
  CHECK_THAT(n_hurt == 0, "%zu values beside the map were written", n_hurt);
  CHECK_THAT(n_missing == 0, "%zu of %zu values were not written or are not finite", n_missing, map->n);
}

DebyePotentialSettings
debye_map_settings(const DebyeMapPath *path, const DebyePotentialSettings *settings, size_t n_charges)
{
  DebyePotentialSettings complete = *settings;
  complete.double_precision = path->exact;
  complete.max_charges = n_charges;
  if (complete.max_planes == 0)
    complete.max_planes = settings->grid.shape[2];
  return complete;
}

DebyeKernelPlan *
debye_map_plan_new(const DebyeMapPath *path, const DebyePotentialSettings *settings)
{
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->head.bytes_needed(path->device, settings) < SIZE_MAX);
  path->kernel->head.create(path->device, settings, &plan, &status);
  CHECK_THAT(plan != NULL && status.code == DEBYE_STATUS_OK, "%s", status.text);
  return plan;
}

/* What the host sums while the device works. */
typedef struct {
  DebyeKernelPlan *plan;
  float *floats;
  double *doubles;
  size_t plane, next; /* points of a plane; the plane that is expected next */
} Host;

static void
work_on_host(void *context, DebyeSlab part, const void *values)
{
  Host *host = context;
  const size_t at = part.first * host->plane;
  DebyeStatus status = {0};
  CHECK(part.first == host->next && part.count > 0);
  host->next = part.first + part.count;
  debye_cpu_cutoff.add(host->plan, part, values, host->floats + at, host->doubles + at, NULL, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK, "%s", status.text);
}

static Host
host_new(const DebyeMapPath *path, const DebyeKernelPlan *plan, const DebyePotentialSettings *settings,
         const DebyeCell *cell, DebyeTestMap *map)
{
  Host host = {.floats = map->floats,
               .doubles = map->doubles,
               .plane = settings->grid.shape[0] * settings->grid.shape[1]};
  DebyeCharges overflow = {0};
  if (path->kernel->get_overflow != NULL)
    path->kernel->get_overflow(plan, &overflow);
  map->n_overflow = overflow.n;
  if (overflow.n > 0) {
    CHECK(debye_cpu_cutoff.head.create(0, settings, &host.plan, NULL) == DEBYE_STATUS_OK);
    CHECK(debye_cpu_cutoff.set_charges(host.plan, &overflow, cell, NULL) == DEBYE_STATUS_OK);
  }
  return host;
}

DebyeTestMap
debye_map_execute(const DebyeMapPath *path, DebyeKernelPlan *plan, const DebyePotentialSettings *settings,
                  const DebyeCharges *charges, const DebyeCell *cell)
{
  const DebyeGrid *grid = &settings->grid;
  DebyeTestMap map = debye_test_map_new(path, debye_grid_n_points(grid));
  DebyeStatus status = {0};
  if (plan == NULL)
    return map;
  path->kernel->set_charges(plan, charges, cell, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK, "%s", status.text);
  Host host = host_new(path, plan, settings, cell, &map);
  const DebyeMeanwhile meanwhile = {work_on_host, &host};
  for (size_t first = 0; first < grid->shape[2]; first += settings->max_planes) {
    const size_t left = grid->shape[2] - first;
    const DebyeSlab slab = {first, left < settings->max_planes ? left : settings->max_planes};
    path->kernel->execute(plan, slab, path->exact ? NULL : map.floats + first * host.plane,
                          path->exact ? map.doubles + first * host.plane : NULL,
                          host.plan != NULL ? &meanwhile : NULL, NULL, &status);
    CHECK_THAT(status.code == DEBYE_STATUS_OK && status.text[0] == '\0', "%s", status.text);
    CHECK(host.plan == NULL || host.next == first + slab.count);
  }
  debye_cpu_cutoff.head.destroy(host.plan);
  check_map(&map);
  return map;
}

DebyeTestMap
debye_map_compute(const DebyeMapPath *path, const DebyePotentialSettings *settings,
                  const DebyeCharges *charges)
{
  const DebyePotentialSettings complete = debye_map_settings(path, settings, charges->n);
  DebyeKernelPlan *plan = debye_map_plan_new(path, &complete);
  DebyeTestMap map = debye_map_execute(path, plan, &complete, charges,
                                       settings->periodic != DEBYE_PERIODIC_NONE ? &settings->cell : NULL);
  if (plan != NULL)
    path->kernel->head.destroy(plan);
  return map;
}

/* Every path. */

typedef struct {
  DebyePotentialMethod method;
  const DebyeMapBody *bodies;
  size_t n_bodies;
  const char *only;
} MapTest;

static void
test_device(const DebyeDeviceEntry *entry, const char *how, void *data)
{
  const MapTest *test = data;
  const DebyePotentialKernel *kernel = entry->backend->potential[test->method];
  for (int exact = 0; exact < 2 && kernel != NULL; exact++)
    for (size_t i = 0; i < test->n_bodies; i++) {
      const DebyeMapPath path = {.kernel = kernel, .device = entry->device, .exact = exact == 1};
      if (strstr(test->bodies[i].name, test->only) == NULL)
        continue;
      debye_check_subject("%s%s in %s: %s", entry->info.id, how, path.exact ? "double" : "float",
                          test->bodies[i].name);
      test->bodies[i].body(&path);
    }
}

int
debye_map_test_main(int argc, char **argv, DebyePotentialMethod method, bool with_fake,
                    const DebyeMapBody *bodies, size_t n_bodies)
{
  MapTest test = {method, bodies, n_bodies, argc > 2 ? argv[2] : ""};
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  if (with_fake) {
    debye_fake_reset(1);
    debye_registry_add(registry, &debye_fake_backend);
  }
  debye_test_every_device(registry, argc > 1 ? argv[1] : "", test_device, &test);
  debye_registry_free(registry);
  return debye_check_finish();
}
