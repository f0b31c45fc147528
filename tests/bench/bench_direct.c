/* SPDX-License-Identifier: MIT */
/* How fast the direct sum is, and how exact: the whole path, from the host's arrays into the host's array.
 *
 *   bench_direct [--grid N] [--atoms N] [--repeat N] [--threads N] [--level portable|avx2|avx512] [--double]
 *                [--nearest] [DEVICES...]
 *
 * --nearest takes the nearest image of each atom in a truncated octahedron about as large as the map.
 * Each DEVICES is a choice as `debye-cli --devices` takes it ("cpu", "cuda:0", "cuda:0,cuda:1", "auto"); one
 * line of figures each, the ratio against the first. Modules are looked for in DEBYE_BACKEND_DIR. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_options.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/potential/potential_map_lanes.h"
#include "tests/support/oracle_cutoff.h"

#define MAX_DEVICES 64
#define SPACING 0.5
#define CORE_RADIUS 1e-3
/* Pairs that the exact sum may take for the error: a second or so. */
#define EXACT_PAIRS 3e7

typedef struct {
  size_t grid, atoms, repeat;
  bool double_precision, nearest;
} Options;

static void
print_reports(const DebyeSharing *map)
{
  const DebyeLaneReport *reports;
  size_t n = debye_sharing_get_reports(map, &reports);
  for (size_t i = 0; i < n; i++)
    printf("    %-8s %4zu planes %8.4f s busy%s%s\n", reports[i].id, reports[i].items_done,
           reports[i].busy_seconds, reports[i].retired ? ", retired: " : "", reports[i].reason);
}

/* Best of the repeats; NAN where it failed, with the reason printed. */
static double
time_map(const Options *options, DebyeSharing *map, const DebyeCharges *charges, const DebyeCell *cell,
         float *out, double *out_double)
{
  double best = INFINITY;
  DebyeStatus status;
  for (size_t i = 0; i < options->repeat; i++) {
    double start = debye_bench_seconds();
    if (debye_potential_map_lanes_execute(map, charges, cell, out, out_double, NULL, NULL, NULL, &status) !=
        DEBYE_STATUS_OK) {
      printf("    failed: %s\n", status.text);
      return NAN;
    }
    best = fmin(best, debye_bench_seconds() - start);
  }
  return best;
}

static double
error_of(const DebyePotentialSettings *settings, const DebyeCharges *charges, const float *out,
         const double *out_double)
{
  const DebyeGrid *grid = &settings->grid;
  const DebyeCutoffProblem problem = {NULL, CORE_RADIUS, settings->periodic, &settings->cell};
  double square_error = 0.0, square = 0.0;
  size_t n_samples = (size_t)fmin(fmax(EXACT_PAIRS / (double)charges->n, 50.0), 2000.0);
  if (settings->periodic == DEBYE_PERIODIC_NONE)
    return debye_oracle_error(charges, grid, CORE_RADIUS, out, out_double, n_samples);
  n_samples = n_samples / 30 + 10;
  for (size_t i = 0; i < n_samples; i++) {
    const size_t at = (debye_grid_n_points(grid) / n_samples + 7) * i % debye_grid_n_points(grid);
    const size_t *shape = grid->shape;
    const double exact = debye_oracle_nearest(
        &problem, charges,
        debye_grid_point(grid, (double)(at % shape[0]), (double)(at / shape[0] % shape[1]),
                         (double)(at / shape[0] / shape[1] % shape[2])));
    const double error = (out_double != NULL ? out_double[at] : (double)out[at]) - exact;
    square_error += error * error;
    square += exact * exact;
  }
  return sqrt(square_error / square);
}

static double
bench_choice(const Options *options, const DebyeRegistry *registry, const char *choice, double first_rate)
{
  const DebyeDeviceEntry *devices[MAX_DEVICES];
  DebyeStatus status;
  size_t n_devices = debye_registry_choose(registry, choice, devices, MAX_DEVICES, &status);
  if (n_devices == 0) {
    printf("%-16s %s\n", choice, status.text);
    return NAN;
  }
  double edge = SPACING * (double)options->grid;
  DebyeRandomSystem system =
      debye_random_system_new(options->atoms, debye_vec3(0.0, 0.0, 0.0), debye_vec3(edge, edge, edge), 1);
  DebyePotentialMapLanesSettings settings = {
      .potential = {.grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), SPACING, options->grid, options->grid,
                                             options->grid),
                    .core_radius = CORE_RADIUS,
                    .double_precision = options->double_precision,
                    .max_charges = options->atoms,
                    .periodic = options->nearest ? DEBYE_PERIODIC_ALL : DEBYE_PERIODIC_NONE,
                    .cell = {{edge, 0.0, 0.0},
                             {edge / 3.0, edge * sqrt(8.0) / 3.0, 0.0},
                             {-edge / 3.0, edge * sqrt(2.0) / 3.0, edge * sqrt(6.0) / 3.0}}},
  };
  size_t n_points = debye_grid_n_points(&settings.potential.grid);
  float *out = options->double_precision ? NULL : calloc(n_points, sizeof *out);
  double *out_double = options->double_precision ? calloc(n_points, sizeof *out_double) : NULL;
  DebyeSharing *map;
  double rate = NAN;
  double start = debye_bench_seconds();
  if (debye_potential_map_lanes_create(&settings, devices, n_devices, &map, &status) != DEBYE_STATUS_OK) {
    printf("%-16s %s\n", choice, status.text);
  } else {
    double planned = debye_bench_seconds() - start;
    double seconds = time_map(options, map, &system.charges, &settings.potential.cell, out, out_double);
    rate = (double)n_points * (double)options->atoms / seconds;
    double error = error_of(&settings.potential, &system.charges, out, out_double);
    printf("%-24s %4zu^3 x %-7zu %10.5f s %10.4g evals/s  x%-6.3f error %.2e  plan %.4f s\n", choice,
           options->grid, options->atoms, seconds, rate, rate / (isnan(first_rate) ? rate : first_rate),
           error, planned);
    print_reports(map);
    debye_sharing_free(map);
  }
  free(out);
  free(out_double);
  debye_random_system_clear(&system);
  return rate;
}

int
main(int argc, char **argv)
{
  Options options = {.grid = 128, .atoms = 4096, .repeat = 3};
  const DebyeBenchOption table[] = {
      {"--grid", .count = &options.grid, .least = 1},
      {"--atoms", .count = &options.atoms, .least = 1},
      {"--repeat", .count = &options.repeat, .least = 1},
      {"--double", .flag = &options.double_precision},
      {"--nearest", .flag = &options.nearest},
  };
  const int n_choices = debye_bench_read_options(argc, argv, table, sizeof table / sizeof table[0]);
  if (n_choices < 0)
    return 2;
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  if (registry == NULL)
    return 1;
  for (size_t i = 0; i < debye_registry_get_count(registry); i++) {
    const DebyeDeviceEntry *entry = debye_registry_get(registry, i);
    printf("%-8s %s %s\n", entry->info.id, entry->info.name, entry->reason);
  }
  double first_rate = NAN;
  bool failed = false;
  for (int i = 0; i < n_choices; i++) {
    double rate = bench_choice(&options, registry, argv[i], first_rate);
    first_rate = isnan(first_rate) ? rate : first_rate;
    failed = failed || isnan(rate);
  }
  debye_registry_free(registry);
  return failed;
}
