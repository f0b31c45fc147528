/* SPDX-License-Identifier: MIT */
/* Maps of orbitals per second, each device of the registry: C60 in 6-31G(d), 900 Cartesian functions, 1.21 million points
 * at 0.15 Å; orbitals of normal random coefficients, which are everywhere in the molecule as real ones are. Maps stay on
 * the device but for the last one, which is compared with the plain sum in double at some of its points. Then the
 * density of 180 orbitals. "cuda" or "cpu" as argument chooses devices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/ladder/ladder_fullerene.h"
#include "kernels/orbital/orbital.h"
#include "tests/support/oracle_orbital.h"

#define N_ORBITALS 180
#define BOHR 0.529177210903
#define SECONDS 2.0
#define N_SAMPLES 400

typedef struct {
  DebyeLadderFullerene molecule;
  double coefficients[N_ORBITALS][DEBYE_FULLERENE_FUNCTIONS];
} Fullerene;

static double
now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static DebyeOrbitalSet *
make_set(const Fullerene *fullerene, DebyeOrbitalUse use)
{
  DebyeOrbitalSet *set = NULL;
  if (debye_orbital_set_new(&fullerene->molecule.basis, N_ORBITALS, false, 1e-8, &set, NULL) !=
      DEBYE_STATUS_OK)
    exit(1);
  for (int i = 0; i < N_ORBITALS; i++)
    debye_orbital_set_add(set, fullerene->coefficients[i], DEBYE_ORBITAL_ITSELF, use, 2.0);
  return set;
}

/* The largest error at some points, of the largest value there. */
static double
compare(const Fullerene *fullerene, int orbital, const DebyeGrid *grid, const float *map)
{
  double error = 0.0, most = 0.0;
  for (int i = 0; i < N_SAMPLES; i++) {
    const size_t at[3] = {(size_t)rand() % grid->shape[0], (size_t)rand() % grid->shape[1],
                          (size_t)rand() % grid->shape[2]};
    const DebyeVec3 point = debye_grid_point(grid, (double)at[0], (double)at[1], (double)at[2]);
    const double exact =
        2.0 * debye_oracle_orbital(&fullerene->molecule.basis, fullerene->coefficients[orbital], point.x,
                                   point.y, point.z);
    const size_t index = at[0] + grid->shape[0] * (at[1] + grid->shape[1] * at[2]);
    error = fmax(error, fabs((double)map[index] - exact));
    most = fmax(most, fabs(exact));
  }
  return error / most;
}

/* The same of the density of all, which has the same weights. */
static double
compare_density(const Fullerene *fullerene, const DebyeGrid *grid, const float *map)
{
  double error = 0.0, most = 0.0;
  for (int i = 0; i < N_SAMPLES / N_ORBITALS + 40; i++) {
    const size_t at[3] = {(size_t)rand() % grid->shape[0], (size_t)rand() % grid->shape[1],
                          (size_t)rand() % grid->shape[2]};
    const DebyeVec3 point = debye_grid_point(grid, (double)at[0], (double)at[1], (double)at[2]);
    double exact = 0.0;
    for (int k = 0; k < N_ORBITALS; k++) {
      const double value = debye_oracle_orbital(&fullerene->molecule.basis, fullerene->coefficients[k],
                                                point.x, point.y, point.z);
      exact += 2.0 * value * value;
    }
    const size_t index = at[0] + grid->shape[0] * (at[1] + grid->shape[1] * at[2]);
    error = fmax(error, fabs((double)map[index] - exact));
    most = fmax(most, exact);
  }
  return error / most;
}

/* Maps a second, of `count` functions each, and per second of a core, which other programs don't disturb. */
static double
measure(const DebyeOrbitalKernel *kernel, DebyeKernelPlan *plan, size_t count, float *map, double *per_core)
{
  size_t n = 0;
  double start = 0.0, passed = 0.0;
  kernel->compute(plan, 0, count, false, NULL, NULL);
  kernel->get_map(plan, map, NULL);
  start = now();
  for (size_t round = count > 1 ? 2 : 20; passed < SECONDS; round *= 2) {
    const clock_t cores = clock();
    start = now();
    for (n = 0; n < round; n++)
      kernel->compute(plan, count > 1 ? 0 : n % N_ORBITALS, count, false, NULL, NULL);
    kernel->get_map(plan, map, NULL);
    passed = now() - start;
    *per_core = (double)n * CLOCKS_PER_SEC / (double)(clock() - cores);
  }
  return (double)n / passed;
}

static void
bench(const DebyeDeviceEntry *device, const Fullerene *fullerene)
{
  const double step = 0.15 / BOHR;
  const DebyeGrid grid = {.origin = {-51.5 * step, -51.5 * step, -55.5 * step},
                          .step = {{step, 0.0, 0.0}, {0.0, step, 0.0}, {0.0, 0.0, step}},
                          .shape = {104, 104, 112}};
  const DebyeOrbitalKernel *kernel = device->backend->orbital;
  DebyeOrbitalSet *maps = make_set(fullerene, DEBYE_ORBITAL_VALUE);
  DebyeOrbitalSet *density = make_set(fullerene, DEBYE_ORBITAL_SQUARE);
  const DebyeOrbitalSettings settings = debye_orbital_settings_of(&grid, maps);
  float *map = calloc(debye_grid_n_points(&grid), sizeof *map);
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  double per_core, ignored;
  if (kernel->head.create(device->device, &settings, &plan, &status) != DEBYE_STATUS_OK) {
    printf("%s: %s\n", device->info.id, status.text);
    return;
  }
  kernel->set(plan, maps, NULL);
  kernel->compute(plan, 7, 1, false, NULL, NULL);
  kernel->get_map(plan, map, NULL);
  const double error = compare(fullerene, 7, &grid, map);
  const double maps_per_second = measure(kernel, plan, 1, map, &per_core);
  kernel->set(plan, density, NULL);
  const double densities_per_second = measure(kernel, plan, N_ORBITALS, map, &ignored);
  kernel->compute(plan, 0, N_ORBITALS, false, NULL, NULL);
  kernel->get_map(plan, map, NULL);
  const double density_error = compare_density(fullerene, &grid, map);
  printf("%s (%s, %u): %.0f maps/s (%.0f per second of a core), error %.1e of the largest value; %.2f "
         "densities/s of %d orbitals, error %.1e\n",
         device->info.id, device->info.name, device->info.units, maps_per_second, per_core, error,
         densities_per_second, N_ORBITALS, density_error);
  kernel->head.destroy(plan);
  debye_orbital_set_free(maps);
  debye_orbital_set_free(density);
  free(map);
}

int
main(int argc, char **argv)
{
  static Fullerene fullerene;
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  debye_ladder_fullerene_init(&fullerene.molecule);
  for (unsigned i = 0; i < N_ORBITALS; i++)
    debye_ladder_fullerene_fill(i, fullerene.coefficients[i]);
  for (size_t i = 0; i < debye_registry_get_count(registry); i++) {
    const DebyeDeviceEntry *device = debye_registry_get(registry, i);
    if (device->device >= 0 && device->backend->orbital != NULL &&
        (argc < 2 || strncmp(device->info.id, argv[1], strlen(argv[1])) == 0))
      bench(device, &fullerene);
  }
  debye_registry_free(registry);
  return 0;
}
