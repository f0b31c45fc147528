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

#include "bench_options.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/pairs/pair_histogram_lanes.h"
#include "kernels/registry.h"
#include "tests/support/pair_systems.h"

#define MAX_DEVICES 64

typedef struct {
  size_t atoms, bins, groups, frames, tile, repeat;
  double density, r_max;
  const char *cell;
  bool nearest;
} Options;

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
  DebyeKernelPlan *plan = NULL;
  if (kernel == NULL || kernel->head.create(device->device, settings, &plan, &status) != DEBYE_STATUS_OK) {
    printf("%-8s %s\n", device->info.id, kernel == NULL ? "counts no pairs" : status.text);
    return false;
  }
  for (size_t i = 0; i < options->repeat && status.code == DEBYE_STATUS_OK; i++) {
    double start = debye_bench_seconds();
    kernel->set_frame(plan, frame, &status);
    double middle = debye_bench_seconds();
    memset(counts, 0, n * sizeof *counts);
    if (status.code == DEBYE_STATUS_OK)
      kernel->execute(plan, 0, 1, 1, counts, NULL, &status);
    set = fmin(set, middle - start);
    execute = fmin(execute, debye_bench_seconds() - middle);
  }
  kernel->head.destroy(plan);
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
  DebyeSharing *counts = NULL;
  DebyeStatus status = {.code = DEBYE_STATUS_NO_MEMORY};
  double best = INFINITY;
  if (frames != NULL && out != NULL)
    debye_pair_lanes_create(&(DebyePairLanesSettings){.pair = *settings}, devices, n_devices, &counts,
                            &status);
  for (size_t i = 0; i < options->frames && frames != NULL; i++)
    frames[i] = *frame;
  for (size_t i = 0; i <= options->repeat && status.code == DEBYE_STATUS_OK; i++) {
    double start = debye_bench_seconds();
    debye_pair_lanes_execute(counts, frames, options->frames, out, NULL, NULL, NULL, NULL, &status);
    best = fmin(best, debye_bench_seconds() - start);
  }
  if (status.code != DEBYE_STATUS_OK)
    printf("%s: %s\n", devices[0]->info.id, status.text);
  debye_sharing_free(counts);
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
                                .tile_atoms = (unsigned)options->tile};
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

int
main(int argc, char **argv)
{
  Options options = {
      .atoms = 100000, .bins = 1000, .groups = 1, .frames = 8, .density = 0.1, .cell = "cube", .repeat = 3};
  const DebyeBenchOption table[] = {
      {"--atoms", .count = &options.atoms, .least = 1},
      {"--bins", .count = &options.bins, .least = 1},
      {"--groups", .count = &options.groups, .least = 1},
      {"--density", .number = &options.density, .least = 1e-9},
      {"--rmax", .number = &options.r_max},
      {"--repeat", .count = &options.repeat, .least = 1},
      {"--frames", .count = &options.frames, .least = 1},
      {"--tile", .count = &options.tile},
      {"--cell", .text = &options.cell},
      {"--nearest", .flag = &options.nearest},
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
