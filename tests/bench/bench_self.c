/* SPDX-License-Identifier: MIT */
/* How fast self scattering and displacements are computed, plans made and atoms set before.
 *
 *   bench_self [--atoms N] [--frames N] [--vectors N] [--bins N] [--step A] [--double] [--elastic] [--repeat
 * N]
 *              [--threads N] [--level portable|avx2|avx512] [DEVICES...]
 *
 * Random walks with steps of --step Å along each axis, bins of 0.01 Å. Two lines for each device: terms are
 * atoms × frames × vectors q; displacements are those of all lags. Modules are looked for in
 * DEBYE_BACKEND_DIR. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_options.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/registry.h"
#include "tests/support/oracle_self.h"

#define MAX_DEVICES 64

typedef struct {
  size_t atoms, frames, vectors, bins, repeat;
  double step;
  bool double_precision, elastic;
} Options;

static bool
time_self(const DebyeDeviceEntry *device, const Options *options, const DebyeSelfBlock *block)
{
  const DebyeSelfKernel *kernel = device->backend->self;
  DebyeVec3 *vectors = calloc(options->vectors, sizeof *vectors);
  double *f = malloc(2 * options->frames * options->vectors * sizeof *f);
  double *fq2 = malloc(options->vectors * sizeof *fq2), set = INFINITY, execute = INFINITY;
  for (size_t i = 0; i < options->vectors; i++)
    vectors[i] = (DebyeVec3){0.3 + 0.01 * (double)i, 0.7, 1.0 / (double)(i + 1)};
  const DebyeSelfSettings settings = {.n_frames = options->frames,
                                      .vectors = vectors,
                                      .n_vectors = options->vectors,
                                      .n_groups = 1,
                                      .max_atoms = options->atoms,
                                      .elastic = options->elastic,
                                      .double_precision = options->double_precision};
  DebyeStatus status = {0};
  DebyeKernelPlan *plan = NULL;
  if (kernel == NULL || kernel->head.create(device->device, &settings, &plan, &status) != DEBYE_STATUS_OK)
    printf("%-8s %s\n", device->info.id, kernel == NULL ? "has no self scattering" : status.text);
  for (size_t i = 0; i < options->repeat && plan != NULL && status.code == DEBYE_STATUS_OK; i++) {
    const double start = debye_bench_seconds();
    kernel->set_block(plan, block, &status);
    const double middle = debye_bench_seconds();
    if (status.code == DEBYE_STATUS_OK)
      kernel->execute(plan, 0, options->vectors, f, fq2, NULL, &status);
    set = fmin(set, middle - start);
    execute = fmin(execute, debye_bench_seconds() - middle);
  }
  const double terms = (double)options->atoms * (double)options->frames * (double)options->vectors;
  if (plan != NULL) {
    printf("%-8s self %s%s %zu atoms × %zu frames × %zu q  block %.3f ms  sums %.3f ms  %.3e terms/s %s\n",
           device->info.id, options->double_precision ? "double" : "float",
           options->elastic ? " with fq2" : "", options->atoms, options->frames, options->vectors, 1e3 * set,
           1e3 * execute, terms / execute, status.text);
    kernel->head.destroy(plan);
  }
  free(vectors);
  free(f);
  free(fq2);
  return plan != NULL && status.code == DEBYE_STATUS_OK;
}

static bool
time_displacements(const DebyeDeviceEntry *device, const Options *options, const DebyeSelfBlock *block)
{
  const DebyeDisplacementKernel *kernel = device->backend->displacement;
  const DebyeDisplacementSettings settings = {.n_frames = options->frames,
                                              .n_lags = options->frames,
                                              .bin_width = 0.01,
                                              .n_bins = options->bins,
                                              .n_groups = 1,
                                              .max_atoms = options->atoms};
  const size_t n = options->frames;
  DebyeDisplacementSums sums = {malloc(n * options->bins * sizeof(uint64_t)), malloc(n * sizeof(uint64_t)),
                                malloc(n * sizeof(double)), malloc(n * sizeof(double))};
  double execute = INFINITY;
  DebyeStatus status = {0};
  DebyeKernelPlan *plan = NULL;
  if (kernel == NULL || kernel->head.create(device->device, &settings, &plan, &status) != DEBYE_STATUS_OK ||
      kernel->set_block(plan, block, &status) != DEBYE_STATUS_OK)
    printf("%-8s %s\n", device->info.id, kernel == NULL ? "counts no displacements" : status.text);
  for (size_t i = 0; i < options->repeat && plan != NULL && status.code == DEBYE_STATUS_OK; i++) {
    const double start = debye_bench_seconds();
    kernel->execute(plan, 0, n, &sums, NULL, &status);
    execute = fmin(execute, debye_bench_seconds() - start);
  }
  const double pairs = (double)options->atoms * debye_displacement_pairs(&settings, n);
  if (plan != NULL) {
    uint64_t beyond = 0;
    for (size_t lag = 0; lag < n && status.code == DEBYE_STATUS_OK; lag++)
      beyond += sums.beyond[lag];
    printf("%-8s displacements %zu atoms × %zu frames, %zu bins (%.1f %% beyond)  %.3f ms  %.3e "
           "displacements/s %s\n",
           device->info.id, options->atoms, options->frames, options->bins, 100.0 * (double)beyond / pairs,
           1e3 * execute, pairs / execute, status.text);
    kernel->head.destroy(plan);
  }
  free(sums.counts);
  free(sums.beyond);
  free(sums.square);
  free(sums.fourth);
  return plan != NULL && status.code == DEBYE_STATUS_OK;
}

static bool
bench_choice(const Options *options, const DebyeRegistry *registry, const char *choice)
{
  const DebyeDeviceEntry *devices[MAX_DEVICES];
  DebyeStatus status;
  const size_t n_devices = debye_registry_choose(registry, choice, devices, MAX_DEVICES, &status);
  DebyeCourses courses = debye_courses_walk(options->atoms, options->frames, 1, options->step, 50.0, 1);
  bool good = n_devices > 0;
  if (n_devices == 0)
    printf("%-8s %s\n", choice, status.text);
  for (size_t i = 0; i < n_devices; i++) {
    good = time_self(devices[i], options, &courses.block) && good;
    if (!options->double_precision && !options->elastic)
      good = time_displacements(devices[i], options, &courses.block) && good;
  }
  debye_courses_clear(&courses);
  return good;
}

int
main(int argc, char **argv)
{
  Options options = {.atoms = 1000, .frames = 1000, .vectors = 16, .bins = 1500, .step = 0.1, .repeat = 3};
  const DebyeBenchOption table[] = {
      {"--atoms", .count = &options.atoms, .least = 1},
      {"--frames", .count = &options.frames, .least = 1},
      {"--vectors", .count = &options.vectors, .least = 1},
      {"--bins", .count = &options.bins, .least = 1},
      {"--step", .number = &options.step},
      {"--repeat", .count = &options.repeat, .least = 1},
      {"--double", .flag = &options.double_precision},
      {"--elastic", .flag = &options.elastic},
  };
  const int n_choices = debye_bench_read_options(argc, argv, table, sizeof table / sizeof table[0]);
  if (n_choices < 0)
    return 2;
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  bool good = registry != NULL;
  for (int i = 0; i < n_choices && registry != NULL; i++)
    good = bench_choice(&options, registry, argv[i]) && good;
  debye_registry_free(registry);
  return !good;
}
