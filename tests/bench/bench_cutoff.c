/* SPDX-License-Identifier: MIT */
/* How fast the cutoff method is: the whole call, from the host's arrays into the host's array, and its parts.
 *
 *   bench_cutoff [--grid N] [--cutoff R] [--capacity N] [--share S] [--repeat N] [--threads N]
 *                [--smoothing none|smooth|shift] [--level portable|avx2|avx512] [--tenth] [DEVICES...]
 *
 * Atoms as dense and even as water's fill a cubic cell as large as the map, 0.5 Å a step. --tenth puts a
 * tenth of them into one bin. --share is the part of the atoms that may be left to the host for want of room.
 * Each DEVICES is a choice as `debye-cli --devices` takes it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_options.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/potential/potential_map_lanes.h"
#include "kernels/potential/potential_kernel.h"
#include "tests/support/even_atoms.h"
#include "tests/support/oracle_cutoff.h"

#define MAX_DEVICES 64
#define SPACING 0.5
#define CORE_RADIUS 1e-3

typedef struct {
  size_t grid, capacity, repeat;
  double cutoff;
  const char *smoothing;
  bool tenth;
  double share;
} Options;

typedef struct {
  DebyeRandomSystem system;
  DebyePotentialMapLanesSettings settings;
  float *out;
  double pairs; /* in range, on the average */
} Bench;

static DebyeSmoothing
smoothing_of(const char *name)
{
  return strcmp(name, "none") == 0    ? DEBYE_SMOOTHING_NONE
         : strcmp(name, "shift") == 0 ? DEBYE_SMOOTHING_SHIFT
                                      : DEBYE_SMOOTHING_SMOOTH;
}

static Bench
make_bench(const Options *options)
{
  const double edge = SPACING * (double)options->grid;
  Bench bench = {.system = debye_even_atoms_new(edge, DEBYE_WATER_DENSITY, 1)};
  const size_t n = bench.system.charges.n;
  for (size_t i = 0; options->tenth && i < n; i += 10) {
    bench.system.x[i] = (float)(0.5 * edge + 2.0 * bench.system.x[i] / edge);
    bench.system.y[i] = (float)(0.5 * edge + 2.0 * bench.system.y[i] / edge);
    bench.system.z[i] = (float)(0.5 * edge + 2.0 * bench.system.z[i] / edge);
  }
  DebyePotentialSettings *settings = &bench.settings.potential;
  settings->method = DEBYE_POTENTIAL_CUTOFF;
  settings->grid =
      debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), SPACING, options->grid, options->grid, options->grid);
  settings->core_radius = CORE_RADIUS;
  settings->max_charges = n;
  settings->max_planes = options->grid;
  settings->periodic = DEBYE_PERIODIC_ALL;
  settings->cell = (DebyeCell){{edge, 0.0, 0.0}, {0.0, edge, 0.0}, {0.0, 0.0, edge}};
  settings->cutoff = options->cutoff;
  settings->smoothing = smoothing_of(options->smoothing);
  settings->bin_capacity = (unsigned)options->capacity;
  settings->overflow_share = options->share;
  const double pi = 3.14159265358979323846;
  bench.out = calloc(debye_grid_n_points(&settings->grid), sizeof *bench.out);
  bench.pairs = (double)debye_grid_n_points(&settings->grid) * (double)n / pow(edge, 3.0) * 4.0 / 3.0 * pi *
                pow(options->cutoff, 3.0);
  return bench;
}

/* The parts of a call on one device, without what the host sums meanwhile. */
static void
time_parts(const Options *options, const Bench *bench, const DebyeDeviceEntry *device)
{
  const DebyePotentialKernel *kernel = device->backend->potential[DEBYE_POTENTIAL_CUTOFF];
  const DebyePotentialSettings *settings = &bench->settings.potential;
  const size_t n_points = debye_grid_n_points(&settings->grid);
  DebyeKernelPlan *plan = NULL;
  DebyeCharges overflow = {0};
  DebyeStatus status;
  if (kernel->head.create(device->device, settings, &plan, &status) != DEBYE_STATUS_OK) {
    printf("    %s\n", status.text);
    return;
  }
  double bins = INFINITY, sum = INFINITY;
  for (size_t i = 0; i < options->repeat; i++) {
    double start = debye_bench_seconds();
    if (kernel->set_charges(plan, &bench->system.charges, &settings->cell, &status) != DEBYE_STATUS_OK)
      printf("    %s\n", status.text);
    double middle = debye_bench_seconds();
    if (kernel->execute(plan, (DebyeSlab){0, options->grid}, bench->out, NULL, NULL, NULL, &status) !=
        DEBYE_STATUS_OK)
      printf("    %s\n", status.text);
    bins = fmin(bins, middle - start);
    sum = fmin(sum, debye_bench_seconds() - middle);
  }
  if (kernel->get_overflow != NULL)
    kernel->get_overflow(plan, &overflow);
  printf("    %s: bins %.5f s, map to the host %.5f s (%.4g evals/s, %.4f ns a point), overflow %zu atoms "
         "(%.2f %%)\n",
         device->info.id, bins, sum, bench->pairs / sum, sum * 1e9 / (double)n_points, overflow.n,
         100.0 * (double)overflow.n / (double)bench->system.charges.n);
  kernel->head.destroy(plan);
}

static double
error_of(const Options *options, const Bench *bench)
{
  const DebyePotentialSettings *settings = &bench->settings.potential;
  const DebyePairFunction function =
      debye_pair_function_smoothing(smoothing_of(options->smoothing), options->cutoff);
  const DebyeCutoffProblem problem = {&function, CORE_RADIUS, settings->periodic, &settings->cell};
  size_t n_samples = (size_t)fmin(fmax(2e7 / (double)bench->system.charges.n, 5.0), 200.0);
  return debye_oracle_cutoff_error(&problem, &bench->system.charges, &settings->grid, bench->out, NULL,
                                   n_samples);
}

static void
bench_choice(const Options *options, const Bench *bench, const DebyeRegistry *registry, const char *choice)
{
  const DebyeDeviceEntry *devices[MAX_DEVICES];
  DebyeSharing *map;
  DebyeStatus status;
  size_t n = debye_registry_choose(registry, choice, devices, MAX_DEVICES, &status);
  if (n == 0 ||
      debye_potential_map_lanes_create(&bench->settings, devices, n, &map, &status) != DEBYE_STATUS_OK) {
    printf("%-16s %s\n", choice, status.text);
    return;
  }
  double best = INFINITY;
  for (size_t i = 0; i < options->repeat; i++) {
    double start = debye_bench_seconds();
    if (debye_potential_map_lanes_execute(map, &bench->system.charges, &bench->settings.potential.cell,
                                          bench->out, NULL, NULL, NULL, NULL, &status) != DEBYE_STATUS_OK)
      printf("    failed: %s\n", status.text);
    best = fmin(best, debye_bench_seconds() - start);
  }
  printf("%-16s %4zu^3 x %-8zu cutoff %g: whole call %9.5f s %10.4g evals/s in range, error %.2e\n", choice,
         options->grid, bench->system.charges.n, options->cutoff, best, bench->pairs / best,
         error_of(options, bench));
  debye_sharing_free(map);
  time_parts(options, bench, devices[0]);
  fflush(stdout);
}

int
main(int argc, char **argv)
{
  Options options = {.grid = 128, .cutoff = 12.0, .repeat = 3, .smoothing = "smooth"};
  const DebyeBenchOption table[] = {
      {"--grid", .count = &options.grid, .least = 1},
      {"--cutoff", .number = &options.cutoff, .least = 1e-3},
      {"--capacity", .count = &options.capacity},
      {"--share", .number = &options.share},
      {"--repeat", .count = &options.repeat, .least = 1},
      {"--smoothing", .text = &options.smoothing},
      {"--tenth", .flag = &options.tenth},
  };
  const int n_choices = debye_bench_read_options(argc, argv, table, sizeof table / sizeof table[0]);
  if (n_choices < 0)
    return 2;
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  if (registry == NULL)
    return 1;
  Bench bench = make_bench(&options);
  for (int i = 0; i < n_choices; i++)
    bench_choice(&options, &bench, registry, argv[i]);
  if (n_choices == 0)
    bench_choice(&options, &bench, registry, "auto");
  free(bench.out);
  debye_random_system_clear(&bench.system);
  debye_registry_free(registry);
  return 0;
}
