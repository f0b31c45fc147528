/* SPDX-License-Identifier: MIT */
/* How fast pairs are counted: sorting a frame, and all its histograms.
 *
 *   bench_pairs [--atoms N] [--density PER_A3] [--cell cube|triclinic|open] [--rmax A] [--bins N]
 *               [--groups N] [--tile N] [--nearest] [--repeat N] [--frames N] [--threads N]
 *               [--level portable|avx2|avx512] [DEVICES...]
 *
 * Atoms at random at the density of water's (0.1); --rmax 0, the default, is half the cell's shortest width.
 * One line for each device: pairs a second are those of N²/2, whether in range or not. Where a choice names
 * several ("cuda:0,cuda:1"), they count --frames frames together as lanes, after the first of them alone, and
 * the ratio is told. Modules are looked for in DEBYE_BACKEND_DIR. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/cpu/direct_block.h"
#include "kernels/pair_counts.h"
#include "kernels/registry.h"
#include "tests/support/pair_systems.h"

#define MAX_DEVICES 64

typedef struct {
  size_t atoms, bins, groups, frames;
  double density, r_max;
  const char *cell;
  unsigned tile, threads;
  int repeat;
  bool nearest;
} Options;

static double
seconds_now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* With the number's volume; the triclinic one is a truncated octahedron's. */
static DebyeCell
make_cell(const Options *options, double *width)
{
  double volume = (double)options->atoms / options->density, edge = cbrt(volume);
  *width = edge;
  if (strcmp(options->cell, "triclinic") != 0)
    return (DebyeCell){{edge, 0.0, 0.0}, {0.0, edge, 0.0}, {0.0, 0.0, edge}};
  double a = cbrt(volume / (4.0 * sqrt(3.0) / 9.0));
  *width = a * sqrt(6.0) / 3.0;
  return (DebyeCell){{a, 0.0, 0.0},
                     {a / 3.0, a * 2.0 * sqrt(2.0) / 3.0, 0.0},
                     {-a / 3.0, a * sqrt(2.0) / 3.0, a * sqrt(6.0) / 3.0}};
}

static bool
time_frames(const DebyeDeviceEntry *device, const Options *options, const DebyePairSettings *settings,
            const DebyePairFrame *frame, uint64_t *counts)
{
  const DebyePairHistogramKernel *kernel = device->backend->pair_histogram;
  size_t n = settings->n_pairs * settings->n_bins;
  double set = INFINITY, execute = INFINITY;
  DebyeStatus status = {0};
  DebyePairPlan *plan = NULL;
  if (kernel == NULL || kernel->create(device->device, settings, &plan, &status) != DEBYE_STATUS_OK) {
    printf("%-8s %s\n", device->info.id, kernel == NULL ? "counts no pairs" : status.text);
    return false;
  }
  for (int i = 0; i < options->repeat && status.code == DEBYE_STATUS_OK; i++) {
    double start = seconds_now();
    kernel->set_frame(plan, frame, &status);
    double middle = seconds_now();
    memset(counts, 0, n * sizeof *counts);
    if (status.code == DEBYE_STATUS_OK)
      kernel->execute(plan, 0, 1, 1, counts, NULL, &status);
    set = fmin(set, middle - start);
    execute = fmin(execute, seconds_now() - middle);
  }
  kernel->destroy(plan);
  uint64_t total = 0;
  for (size_t i = 0; i < n; i++)
    total += counts[i];
  double pairs = 0.5 * (double)frame->n * (double)frame->n;
  printf(
      "%-8s %9zu atoms %-9s r %7.2f bins %-5zu groups %-3zu tile %-3u  frame %9.3f ms  pairs %10.3f ms  %.3e "
      "pairs/s  %.3e counted/s %s\n",
      device->info.id, frame->n, options->cell, settings->r_max, settings->n_bins, settings->n_groups,
      settings->tile_atoms, 1e3 * set, 1e3 * execute, pairs / execute, (double)total / execute, status.text);
  return status.code == DEBYE_STATUS_OK;
}

/* Seconds that the devices take for all frames, at best; 0 where they failed. */
static double
time_lanes(const DebyeDeviceEntry *const *devices, size_t n_devices, const Options *options,
           const DebyePairSettings *settings, const DebyePairFrame *frame)
{
  size_t n = settings->n_pairs * settings->n_bins * options->frames;
  DebyePairFrame *frames = calloc(options->frames, sizeof *frames);
  uint64_t *out = calloc(n, sizeof *out);
  DebyePairCounts *counts = NULL;
  DebyeStatus status = {.code = DEBYE_STATUS_NO_MEMORY};
  double best = INFINITY;
  if (frames != NULL && out != NULL)
    debye_pair_counts_create(&(DebyePairCountsSettings){.pair = *settings}, devices, n_devices, &counts,
                             &status);
  for (size_t i = 0; i < options->frames && frames != NULL; i++)
    frames[i] = *frame;
  for (int i = 0; i <= options->repeat && status.code == DEBYE_STATUS_OK; i++) {
    double start = seconds_now();
    debye_pair_counts_execute(counts, frames, options->frames, out, NULL, NULL, NULL, NULL, &status);
    best = fmin(best, seconds_now() - start);
  }
  if (status.code != DEBYE_STATUS_OK)
    printf("%s: %s\n", devices[0]->info.id, status.text);
  debye_pair_counts_destroy(counts);
  free(frames);
  free(out);
  return status.code == DEBYE_STATUS_OK ? best : 0.0;
}

static bool
compare_lanes(const DebyeDeviceEntry *const *devices, size_t n_devices, const Options *options,
              const DebyePairSettings *settings, const DebyePairFrame *frame, const char *choice)
{
  double one = time_lanes(devices, 1, options, settings, frame);
  double all = one > 0.0 ? time_lanes(devices, n_devices, options, settings, frame) : 0.0;
  double pairs = 0.5 * (double)frame->n * (double)frame->n * (double)options->frames;
  if (all > 0.0)
    printf("%s: %zu frames of %zu atoms, r %.2f, %zu groups: %.1f ms, %.3e pairs/s; %s alone %.1f ms: %.2f "
           "times\n",
           choice, options->frames, frame->n, settings->r_max, settings->n_groups, 1e3 * all, pairs / all,
           devices[0]->info.id, 1e3 * one, one / all);
  return all > 0.0;
}

static bool
bench_choice(const Options *options, const DebyeRegistry *registry, const char *choice)
{
  const DebyeDeviceEntry *devices[MAX_DEVICES];
  DebyeStatus status;
  size_t n_devices = debye_registry_choose(registry, choice, devices, MAX_DEVICES, &status);
  double width;
  DebyeCell cell = make_cell(options, &width);
  DebyeGroupPair *pairs;
  size_t n_pairs = debye_all_group_pairs(options->groups, &pairs);
  DebyePairSystem system = debye_pair_random(options->atoms, &cell, options->groups, 0.0, 1);
  DebyePairSettings settings = {.max_atoms = options->atoms,
                                .n_groups = options->groups,
                                .pairs = pairs,
                                .n_pairs = n_pairs,
                                .r_max = options->r_max > 0.0 ? options->r_max : 0.5 * width,
                                .n_bins = options->bins,
                                .images =
                                    options->nearest ? DEBYE_PAIR_IMAGES_NEAREST : DEBYE_PAIR_IMAGES_ALL,
                                .tile_atoms = options->tile};
  uint64_t *counts = calloc(n_pairs * options->bins, sizeof *counts);
  bool good = n_devices > 0 && counts != NULL;
  if (n_devices == 0)
    printf("%-8s %s\n", choice, status.text);
  system.frame.cell = strcmp(options->cell, "open") == 0 ? NULL : &system.cell;
  if (n_devices > 1)
    good = good && compare_lanes(devices, n_devices, options, &settings, &system.frame, choice);
  else if (good)
    good = time_frames(devices[0], options, &settings, &system.frame, counts);
  free(counts);
  free(pairs);
  debye_pair_system_clear(&system);
  return good;
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
  if (strcmp(name, "--bins") == 0)
    return (options->bins = strtoul(value, NULL, 10)) > 0;
  if (strcmp(name, "--groups") == 0)
    return (options->groups = strtoul(value, NULL, 10)) > 0;
  if (strcmp(name, "--density") == 0)
    return (options->density = strtod(value, NULL)) > 0.0;
  if (strcmp(name, "--rmax") == 0)
    return (options->r_max = strtod(value, NULL)) >= 0.0;
  if (strcmp(name, "--repeat") == 0)
    return (options->repeat = (int)strtol(value, NULL, 10)) > 0;
  if (strcmp(name, "--frames") == 0)
    return (options->frames = strtoul(value, NULL, 10)) > 0;
  if (strcmp(name, "--threads") == 0)
    return (options->threads = (unsigned)strtoul(value, NULL, 10)) > 0;
  if (strcmp(name, "--tile") == 0) {
    options->tile = (unsigned)strtoul(value, NULL, 10);
    return true;
  }
  if (strcmp(name, "--cell") == 0) {
    options->cell = value;
    return *value != '\0';
  }
  return strcmp(name, "--level") == 0 && set_level(value);
}

/* Takes the options out of argv; returns the number of what remains, or -1. */
static int
read_options(int argc, char **argv, Options *options)
{
  int n_left = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--nearest") == 0)
      options->nearest = true;
    else if (argv[i][0] != '-')
      argv[n_left++] = argv[i];
    else if (!read_option(argv[i], i + 1 < argc ? argv[i + 1] : "", options))
      return -1;
    else
      i++;
  }
  return n_left;
}

int
main(int argc, char **argv)
{
  Options options = {
      .atoms = 100000, .bins = 1000, .groups = 1, .frames = 8, .density = 0.1, .cell = "cube", .repeat = 3};
  int n_choices = read_options(argc, argv, &options);
  if (n_choices < 0) {
    fprintf(stderr, "bench_pairs: an option is unknown or its value is missing\n");
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
