/* SPDX-License-Identifier: MIT */
/* Frames a second that are counted into 200³ voxels about a moving reference in a cell, of 1 M atoms in water-like order, each
 * device of the registry: from the device's memory, where 32 frames lie and are added again and again; handed over anew; and
 * fetched after each 32, too. For a GPU also handed over from pinned memory. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_options.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/density/density_map.h"
#include "kernels/registry.h"

#define N_FRAMES 32
#define EDGE 200
#define CELL 216.0f

typedef struct {
  size_t n;
  float *places; /* x, y, z of each frame */
  float *weights;
  DebyeCell cell;
  DebyeDensityView views[N_FRAMES];
  DebyeDensityFrame frames[N_FRAMES];
} System;

static float
random_float(void)
{
  static uint64_t seed = 11;
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (float)(seed >> 40) / 16777216.0f;
}

static void
make_system(System *system, size_t n)
{
  system->n = n;
  system->places = malloc(3 * n * N_FRAMES * sizeof *system->places);
  system->weights = malloc(n * sizeof *system->weights);
  system->cell = (DebyeCell){{CELL, 0.0, 0.0}, {0.0, CELL, 0.0}, {0.0, 0.0, CELL}};
  for (size_t i = 0; i < n; i++)
    system->weights[i] = 1.0f + 15.0f * random_float();
  for (size_t f = 0; f < N_FRAMES; f++) {
    float *x = system->places + 3 * n * f;
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < 3; k++)
        x[k * n + i] =
            i % 3 == 0 ? CELL * random_float() : x[k * n + i - i % 3] + 1.1f * (random_float() - 0.5f);
    system->views[f] = (DebyeDensityView){.rotation = {{0.6, -0.8, 0.0}, {0.8, 0.6, 0.0}, {0.0, 0.0, 1.0}},
                                          .owner = DEBYE_DENSITY_NOBODY};
    for (int k = 0; k < 3; k++)
      system->views[f].from[k] = (double)(CELL * random_float());
    system->frames[f] = (DebyeDensityFrame){.x = x,
                                            .y = x + n,
                                            .z = x + 2 * n,
                                            .n = n,
                                            .scale = 1.0,
                                            .cell = &system->cell,
                                            .views = &system->views[f],
                                            .n_views = 1,
                                            .origin = debye_vec3(-100.0, -100.0, -100.0),
                                            .step = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  }
}

/* Executions until `seconds` are over; frames a second. */
static double
time_execution(const DebyeDensityKernel *kernel, DebyeKernelPlan *plan, double seconds, DebyeStatus *status)
{
  const double start = debye_bench_seconds();
  size_t n = 0;
  for (; debye_bench_seconds() - start < seconds; n++)
    if (kernel->execute(plan, NULL, status) != DEBYE_STATUS_OK)
      return 0.0;
  return (double)(n * N_FRAMES) / (debye_bench_seconds() - start);
}

/* Where `sums` is NULL, nothing is fetched. */
static double
time_whole(const DebyeDensityKernel *kernel, DebyeKernelPlan *plan, const System *system, int64_t *sums,
           double seconds, DebyeStatus *status)
{
  const double start = debye_bench_seconds();
  size_t n = 0;
  for (; debye_bench_seconds() - start < seconds; n++)
    if (kernel->set_frames(plan, system->frames, N_FRAMES, status) != DEBYE_STATUS_OK ||
        kernel->execute(plan, NULL, status) != DEBYE_STATUS_OK ||
        (sums != NULL && kernel->fetch(plan, sums, status) != DEBYE_STATUS_OK))
      return 0.0;
  return (double)(n * N_FRAMES) / (debye_bench_seconds() - start);
}

typedef int (*HostRegister)(void *memory, size_t bytes, unsigned flags);
typedef int (*HostUnregister)(void *memory);

static void
time_handing(const DebyeDensityKernel *kernel, DebyeKernelPlan *plan, const System *system, int64_t *sums,
             double seconds, const char *how, DebyeStatus *status)
{
  const double added = time_whole(kernel, plan, system, NULL, seconds, status);
  const double fetched = time_whole(kernel, plan, system, sums, seconds, status);
  printf("         handed over from %s memory %8.1f, and fetched %8.1f frames/s %s\n", how, added, fetched,
         status->text);
}

/* Of the driver, whose context the plan's device has made current for this thread. */
static void
time_pinned(const DebyeDensityKernel *kernel, DebyeKernelPlan *plan, const System *system, int64_t *sums,
            double seconds, DebyeStatus *status)
{
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  HostRegister fix = NULL;
  HostUnregister release = NULL;
  if (driver != NULL) { /* as POSIX has it: ISO C knows no way from an object to a function */
    *(void **)&fix = dlsym(driver, "cuMemHostRegister_v2");
    *(void **)&release = dlsym(driver, "cuMemHostUnregister");
  }
  if (fix == NULL || release == NULL ||
      fix(system->places, 3 * system->n * N_FRAMES * sizeof(float), 0) != 0) {
    printf("         memory can't be pinned\n");
    return;
  }
  time_handing(kernel, plan, system, sums, seconds, "pinned", status);
  release(system->places);
}

static void
bench_sum(const DebyeDeviceEntry *device, System *system, DebyeDensitySum sum, const char *how,
          double seconds)
{
  const DebyeDensityKernel *kernel = device->backend->density;
  const DebyeDensitySettings settings = {.shape = {EDGE, EDGE, EDGE},
                                         .placing = DEBYE_DENSITY_NEAREST,
                                         .sum = sum,
                                         .n_components = 1,
                                         .max_points = system->n,
                                         .max_views = 1,
                                         .max_frames = N_FRAMES};
  int64_t *sums = calloc(debye_density_n_sums(&settings), sizeof *sums);
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  for (size_t f = 0; f < N_FRAMES; f++)
    system->frames[f].weights = sum == DEBYE_DENSITY_WEIGH ? system->weights : NULL;
  if (kernel->head.create(device->device, &settings, &plan, &status) != DEBYE_STATUS_OK ||
      kernel->set_frames(plan, system->frames, N_FRAMES, &status) != DEBYE_STATUS_OK) {
    printf("%s: %s\n", device->info.id, status.text);
  } else {
    const double alone = time_execution(kernel, plan, seconds, &status);
    printf("%-8s %-10s %10.1f frames/s in its memory %s\n", device->info.id, how, alone, status.text);
    time_handing(kernel, plan, system, sums, seconds, "ordinary", &status);
    if (strncmp(device->info.id, "cuda", 4) == 0)
      time_pinned(kernel, plan, system, sums, seconds, &status);
  }
  kernel->head.destroy(plan);
  free(sums);
}

int
main(int argc, char **argv)
{
  size_t n_atoms = 1000000;
  double seconds = 1.0;
  const DebyeBenchOption options[] = {{.name = "--atoms", .count = &n_atoms, .least = 3},
                                      {.name = "--seconds", .number = &seconds, .least = 0.01}};
  const int left = debye_bench_read_options(argc, argv, options, sizeof options / sizeof *options);
  if (left < 0)
    return 1;
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  const DebyeDeviceEntry *devices[8];
  DebyeStatus status = {0};
  System system;
  const size_t n = debye_registry_choose(registry, left > 1 ? argv[1] : "auto", devices, 8, &status);
  make_system(&system, n_atoms);
  for (size_t i = 0; i < n; i++) {
    bench_sum(devices[i], &system, DEBYE_DENSITY_COUNT, "counts", seconds);
    bench_sum(devices[i], &system, DEBYE_DENSITY_OCCUPANCY, "occupancy", seconds);
    bench_sum(devices[i], &system, DEBYE_DENSITY_WEIGH, "weights", seconds);
  }
  if (n == 0)
    printf("%s\n", status.text);
  free(system.places);
  free(system.weights);
  debye_registry_free(registry);
  return n > 0 ? 0 : 1;
}
