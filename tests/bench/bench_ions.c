/* SPDX-License-Identifier: MIT */
/* Ions a second on a map of 128³ points, each device of the registry, the processor on one core: an ion is a
 * search for the extreme, its potential added to every point and the points around it closed. Beside it what
 * the map takes that is computed anew, of 10,000 charges by the direct sum: that is what an ion would cost
 * without keeping the map. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/potential/ion_field.h"
#include "kernels/potential/potential_map_lanes.h"
#include "tests/support/oracle_potential.h"

#define EDGE 128
#define N_CHARGES 10000
#define SECONDS 2.0

static double
now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double
time_map(const DebyeDeviceEntry *device, const DebyeGrid *grid, const DebyeCharges *charges, float *map)
{
  const DebyePotentialMapLanesSettings settings = {
      .potential = {.grid = *grid, .core_radius = 1e-3, .max_charges = N_CHARGES}};
  DebyeSharing *plan = NULL;
  DebyeStatus status = {0};
  double best = INFINITY;
  if (debye_potential_map_lanes_create(&settings, &device, 1, &plan, &status) != DEBYE_STATUS_OK)
    return (double)NAN;
  for (int repeat = 0; repeat < 3; repeat++) {
    double start = now();
    debye_potential_map_lanes_execute(plan, charges, NULL, map, NULL, NULL, NULL, NULL, &status);
    best = fmin(best, now() - start);
  }
  debye_sharing_free(plan);
  return best;
}

/* Seconds an ion; alternately a cation and an anion. */
static double
time_ions(DebyeIonField *field, double distance)
{
  DebyeStatus status = {0};
  double start = now();
  int n = 0;
  for (; now() - start < SECONDS; n++) {
    const int sign = n % 2 == 0 ? -1 : 1;
    DebyeIonExtreme extreme = {0};
    if (debye_ion_field_find_extreme(field, sign, &extreme, &status) != DEBYE_STATUS_OK ||
        extreme.n_open == 0 ||
        debye_ion_field_place(field, extreme.index, -sign, distance, &status) != DEBYE_STATUS_OK)
      return (double)NAN;
  }
  return (now() - start) / n;
}

static void
bench_device(const DebyeDeviceEntry *device, const char *how, DebyeIonFieldSettings settings,
             const DebyeCharges *charges, float *map)
{
  DebyeIonField *field = NULL;
  DebyeStatus status = {0};
  if (debye_ion_field_create(device, &settings, &field, &status) != DEBYE_STATUS_OK) {
    printf("%s: %s\n", device->info.id, status.text);
    return;
  }
  double anew = time_map(device, &settings.grid, charges, map), start = now();
  debye_ion_field_set_map(field, map, &status);
  debye_ion_field_forbid(field, charges->x, charges->y, charges->z, 1000, 5.0, NULL, &status);
  double closing = now() - start;
  double an_ion = time_ions(field, 0.5);
  printf(
      "%-8s %-24s %8.0f ions/s (%7.1f us an ion); map in and 1000 atoms closed %6.2f ms; map anew %8.2f ms\n",
      device->info.id, how, 1.0 / an_ion, 1e6 * an_ion, 1e3 * closing, 1e3 * anew);
  debye_ion_field_destroy(field);
}

int
main(int argc, char **argv)
{
  const char *only = argc > 1 ? argv[1] : "auto";
  const DebyeGrid grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, EDGE, EDGE, EDGE);
  const DebyeIonFieldSettings open = {.grid = grid, .core_radius = 1e-3};
  DebyeIonFieldSettings periodic = open;
  periodic.periodic = DEBYE_PERIODIC_ALL;
  periodic.cell = (DebyeCell){{64.0, 0.0, 0.0}, {20.0, 61.0, 0.0}, {-20.0, 20.0, 57.0}};
  DebyeRandomSystem system =
      debye_random_system_new(N_CHARGES, debye_vec3(16.0, 16.0, 16.0), debye_vec3(32.0, 32.0, 32.0), 3);
  float *map = calloc((size_t)EDGE * EDGE * EDGE, sizeof *map);
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  const DebyeDeviceEntry *devices[8];
  DebyeStatus status = {0};
  size_t n = debye_registry_choose(registry, only, devices, 8, &status);
  for (size_t i = 0; i < n && map != NULL; i++) {
    if (devices[i]->backend->set_threads != NULL)
      devices[i]->backend->set_threads(1);
    bench_device(devices[i], "open", open, &system.charges, map);
    bench_device(devices[i], "nearest image, skew cell", periodic, &system.charges, map);
  }
  if (n == 0)
    printf("%s\n", status.text);
  debye_random_system_clear(&system);
  debye_registry_free(registry);
  free(map);
  return n > 0 ? 0 : 1;
}
