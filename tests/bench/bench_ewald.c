/* SPDX-License-Identifier: MIT */
/* How fast particle mesh Ewald is, a frame at a time: charges on the host to the map on the host, plan made
 * before.
 *
 *   bench_ewald [--grid N] [--atoms N] [--repeat N] [--threads N] [--tolerance T] [--smooth WIDTH]
 *               [--check 1] [--naive POINTS] [DEVICES...]
 *
 * Atoms are spread at 0.1 per Å³ over a cubic cell that the grid fills. --check holds the maps against the
 * processor's in double with a tolerance of 1e-9; --naive takes the time of Ewald's own two sums, in long
 * double (tests/support/oracle_ewald.c), at a few of the points. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_frames.h"
#include "bench_options.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/potential/ewald.h"
#include "kernels/potential/potential_kernel.h"
#include "tests/support/oracle_ewald.h"
#include "tests/support/oracle_potential.h"

#define DENSITY 0.1

/* Numbers; whole ones but for the last two. */
typedef struct {
  double grid, atoms, repeat, check, naive, tolerance, smooth;
} Options;

static DebyePotentialSettings
make_settings(const Options *options)
{
  const double edge = cbrt(options->atoms / DENSITY);
  const size_t n = (size_t)options->grid;
  return (DebyePotentialSettings){
      .method = DEBYE_POTENTIAL_EWALD,
      .grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), edge / (double)n, n, n, n),
      .core_radius = 1e-3,
      .max_charges = (size_t)options->atoms,
      .max_planes = n,
      .periodic = DEBYE_PERIODIC_ALL,
      .cell = {{edge, 0.0, 0.0}, {0.0, edge, 0.0}, {0.0, 0.0, edge}},
      .tolerance = options->tolerance,
      .ewald_width = options->smooth,
      .reciprocal_only = options->smooth > 0.0,
  };
}

/* The map in double, or NULL where that failed. */
static double *
reference_map(const DebyePotentialSettings *like, const DebyeCharges *charges)
{
  const DebyePotentialKernel *kernel = debye_backend_cpu.potential[DEBYE_POTENTIAL_EWALD];
  DebyePotentialSettings settings = *like;
  DebyeKernelPlan *plan = NULL;
  double *map = calloc(debye_grid_n_points(&settings.grid), sizeof *map);
  settings.double_precision = true;
  settings.tolerance = 1e-9;
  bool good = map != NULL && kernel->head.create(0, &settings, &plan, NULL) == DEBYE_STATUS_OK &&
              kernel->set_charges(plan, charges, &settings.cell, NULL) == DEBYE_STATUS_OK &&
              kernel->execute(plan, (DebyeSlab){0, settings.grid.shape[2]}, NULL, map, NULL, NULL, NULL) ==
                  DEBYE_STATUS_OK;
  kernel->head.destroy(plan);
  if (good)
    return map;
  free(map);
  return NULL;
}

static double
error_of(const float *map, const double *reference, size_t n)
{
  double square_error = 0.0, square = 0.0;
  for (size_t i = 0; i < n; i++) {
    square_error += ((double)map[i] - reference[i]) * ((double)map[i] - reference[i]);
    square += reference[i] * reference[i];
  }
  return sqrt(square_error / square);
}

static void
time_naive(const Options *options, const DebyePotentialSettings *settings, const DebyeCharges *charges)
{
  double start = debye_bench_seconds(), sum = 0.0;
  DebyeOracleEwald *oracle =
      debye_oracle_ewald_new(charges, &settings->cell, settings->core_radius, options->smooth);
  double middle = debye_bench_seconds();
  for (size_t i = 0; i < (size_t)options->naive; i++)
    sum += debye_oracle_ewald_value(
        oracle, debye_grid_point(&settings->grid, (double)i + 0.5, (double)i + 0.5, (double)i + 0.5));
  double a_point = (debye_bench_seconds() - middle) / options->naive;
  printf("naive    %.3g s, and %.3g s a point: %.3g s a map (mean %.3g)\n", middle - start, a_point,
         middle - start + a_point * (double)debye_grid_n_points(&settings->grid), sum / options->naive);
  debye_oracle_ewald_free(oracle);
}

static bool
bench_device(const Options *options, const DebyeDeviceEntry *entry, const DebyePotentialSettings *settings,
             const DebyeCharges *charges, const double *reference, float *map)
{
  DebyeBenchTimes times;
  if (!debye_bench_frames(entry, settings, charges, (size_t)options->repeat, map, &times))
    return false;
  const double error =
      reference != NULL ? error_of(map, reference, debye_grid_n_points(&settings->grid)) : (double)NAN;
  printf("%-8s %zu atoms, %zu^3, tolerance %g%s: frame %.3f ms (charges %.3f, map %.3f), error %.2g, plan "
         "%.1f ms\n",
         entry->info.id, charges->n, settings->grid.shape[0], settings->tolerance,
         settings->reciprocal_only ? ", smooth part" : "", 1e3 * times.both, 1e3 * times.charges,
         1e3 * times.map, error, 1e3 * times.planned);
  return true;
}

int
main(int argc, char **argv)
{
  Options options = {.grid = 128, .atoms = 100000, .repeat = 20, .tolerance = 1e-4};
  const DebyeBenchOption table[] = {
      {"--grid", &options.grid, .least = 1},     {"--atoms", &options.atoms, .least = 1},
      {"--repeat", &options.repeat, .least = 1}, {"--check", .number = &options.check},
      {"--naive", .number = &options.naive},     {"--tolerance", .number = &options.tolerance},
      {"--smooth", .number = &options.smooth}};
  const int n_choices = debye_bench_read_options(argc, argv, table, sizeof table / sizeof table[0]);
  if (n_choices < 0)
    return 2;
  const DebyePotentialSettings settings = make_settings(&options);
  DebyeEwald ewald;
  DebyeStatus status;
  if (debye_ewald_choose(&settings, &ewald, &status) != DEBYE_STATUS_OK) {
    printf("%s\n", status.text);
    return 1;
  }
  printf("beta %.4f/A, cutoff %.2f A, order %u, mesh %zu x %zu x %zu, error expected %.2g\n", ewald.beta,
         ewald.cutoff, ewald.order, ewald.mesh[0], ewald.mesh[1], ewald.mesh[2], ewald.error);
  DebyeRandomSystem system =
      debye_random_system_new(settings.max_charges, debye_vec3(0.0, 0.0, 0.0),
                              debye_vec3(settings.cell.a.x, settings.cell.b.y, settings.cell.c.z), 1);
  float *map = calloc(debye_grid_n_points(&settings.grid), sizeof *map);
  double *reference = options.check > 0 ? reference_map(&settings, &system.charges) : NULL;
  if (options.naive > 0)
    time_naive(&options, &settings, &system.charges);
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  bool good = registry != NULL && map != NULL;
  for (int i = 0; good && i < n_choices; i++) {
    const DebyeDeviceEntry *entry;
    if (debye_registry_choose(registry, argv[i], &entry, 1, &status) == 1)
      good = bench_device(&options, entry, &settings, &system.charges, reference, map);
    else
      printf("%s: %s\n", argv[i], status.text);
  }
  debye_registry_free(registry);
  debye_random_system_clear(&system);
  free(map);
  free(reference);
  return !good;
}
