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
#include <string.h>
#include <time.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/cpu/direct_block.h"
#include "kernels/registry.h"
#include "tests/support/oracle_self.h"

#define MAX_DEVICES 64

typedef struct {
  size_t atoms, frames, vectors, bins;
  double step;
  unsigned threads;
  int repeat;
  bool double_precision, elastic;
} Options;

static double
seconds_now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

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
  DebyeSelfPlan *plan = NULL;
  if (kernel == NULL || kernel->create(device->device, &settings, &plan, &status) != DEBYE_STATUS_OK)
    printf("%-8s %s\n", device->info.id, kernel == NULL ? "has no self scattering" : status.text);
  for (int i = 0; i < options->repeat && plan != NULL && status.code == DEBYE_STATUS_OK; i++) {
    const double start = seconds_now();
    kernel->set_block(plan, block, &status);
    const double middle = seconds_now();
    if (status.code == DEBYE_STATUS_OK)
      kernel->execute(plan, 0, options->vectors, f, fq2, NULL, &status);
    set = fmin(set, middle - start);
    execute = fmin(execute, seconds_now() - middle);
  }
  const double terms = (double)options->atoms * (double)options->frames * (double)options->vectors;
  if (plan != NULL) {
    printf("%-8s self %s%s %zu atoms × %zu frames × %zu q  block %.3f ms  sums %.3f ms  %.3e terms/s %s\n",
           device->info.id, options->double_precision ? "double" : "float",
           options->elastic ? " with fq2" : "", options->atoms, options->frames, options->vectors, 1e3 * set,
           1e3 * execute, terms / execute, status.text);
    kernel->destroy(plan);
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
  DebyeDisplacementPlan *plan = NULL;
  if (kernel == NULL || kernel->create(device->device, &settings, &plan, &status) != DEBYE_STATUS_OK ||
      kernel->set_block(plan, block, &status) != DEBYE_STATUS_OK)
    printf("%-8s %s\n", device->info.id, kernel == NULL ? "counts no displacements" : status.text);
  for (int i = 0; i < options->repeat && plan != NULL && status.code == DEBYE_STATUS_OK; i++) {
    const double start = seconds_now();
    kernel->execute(plan, 0, n, &sums, NULL, &status);
    execute = fmin(execute, seconds_now() - start);
  }
  const double pairs = (double)options->atoms * debye_displacement_pairs(&settings, 0, n);
  if (plan != NULL) {
    uint64_t beyond = 0;
    for (size_t lag = 0; lag < n && status.code == DEBYE_STATUS_OK; lag++)
      beyond += sums.beyond[lag];
    printf("%-8s displacements %zu atoms × %zu frames, %zu bins (%.1f %% beyond)  %.3f ms  %.3e "
           "displacements/s %s\n",
           device->info.id, options->atoms, options->frames, options->bins, 100.0 * (double)beyond / pairs,
           1e3 * execute, pairs / execute, status.text);
    kernel->destroy(plan);
  }
  free(sums.counts);
  free(sums.beyond);
  free(sums.square);
  free(sums.fourth);
  return plan != NULL && status.code == DEBYE_STATUS_OK;
}

static bool
set_level(const char *text)
{
  static const char *const names[] = {
      [DEBYE_CPU_PORTABLE] = "portable", [DEBYE_CPU_AVX2] = "avx2", [DEBYE_CPU_AVX512] = "avx512"};
  for (int level = DEBYE_CPU_PORTABLE; level <= DEBYE_CPU_AVX512; level++)
    if (strcmp(text, names[level]) == 0) {
      debye_cpu_set_level((DebyeCpuLevel)level);
      return true;
    }
  return false;
}

/* An option that has a value. */
static bool
read_option(const char *name, const char *value, Options *options)
{
  if (strcmp(name, "--atoms") == 0)
    return (options->atoms = strtoul(value, NULL, 10)) > 0;
  if (strcmp(name, "--frames") == 0)
    return (options->frames = strtoul(value, NULL, 10)) > 0;
  if (strcmp(name, "--vectors") == 0)
    return (options->vectors = strtoul(value, NULL, 10)) > 0;
  if (strcmp(name, "--bins") == 0)
    return (options->bins = strtoul(value, NULL, 10)) > 0;
  if (strcmp(name, "--step") == 0)
    return (options->step = strtod(value, NULL)) >= 0.0;
  if (strcmp(name, "--repeat") == 0)
    return (options->repeat = (int)strtol(value, NULL, 10)) > 0;
  if (strcmp(name, "--threads") == 0)
    return (options->threads = (unsigned)strtoul(value, NULL, 10)) > 0;
  return strcmp(name, "--level") == 0 && set_level(value);
}

/* Takes the options out of argv; returns the number of what remains, or -1. */
static int
read_options(int argc, char **argv, Options *options)
{
  int n_left = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--double") == 0)
      options->double_precision = true;
    else if (strcmp(argv[i], "--elastic") == 0)
      options->elastic = true;
    else if (argv[i][0] != '-')
      argv[n_left++] = argv[i];
    else if (!read_option(argv[i], i + 1 < argc ? argv[i + 1] : "", options))
      return -1;
    else
      i++;
  }
  return n_left;
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
  const int n_choices = read_options(argc, argv, &options);
  if (n_choices < 0) {
    fprintf(stderr, "bench_self: an option is unknown or its value is missing\n");
    return 2;
  }
  debye_backend_cpu.set_threads(options.threads);
  DebyeRegistry *registry = debye_registry_new(getenv("DEBYE_BACKEND_DIR"));
  bool good = registry != NULL;
  for (int i = 0; i < n_choices && registry != NULL; i++)
    good = bench_choice(&options, registry, argv[i]) && good;
  debye_registry_free(registry);
  return !good;
}
