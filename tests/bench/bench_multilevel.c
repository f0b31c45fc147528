/* SPDX-License-Identifier: MIT */
/* How fast multilevel summation is, a frame at a time: charges on the host to the map on the host, plan made
 * before.
 *
 *   bench_multilevel [--atoms N] [--step ANGSTROM] [--repeat N] [--threads N] [--tolerance T] [--periodic 1]
 *                    [--check POINTS] [DEVICES...]
 *
 * Atoms fill a cube at 0.1 per Å³, as evenly as a liquid's, and the map has a point every step. Given apart:
 * the charges onto the lattices, up and down, and into the bins of the short-range part; the map with that
 * part.
 * Beside it the cutoff method's two parts with the same cutoff, to tell bins and pairs from lattices.
 * --check holds points of the map against the exact sum (open systems). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_frames.h"
#include "bench_options.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/potential/multilevel.h"
#include "kernels/potential/potential_kernel.h"
#include "tests/support/even_atoms.h"

/* Numbers; whole ones but for the last two. */
typedef struct {
  double atoms, repeat, periodic, check, tolerance, step;
} Options;

static DebyePotentialSettings
make_settings(const Options *options)
{
  const double edge = cbrt(options->atoms / DEBYE_WATER_DENSITY);
  const size_t n = (size_t)ceil(edge / options->step);
  return (DebyePotentialSettings){
      .method = DEBYE_POTENTIAL_MULTILEVEL,
      .grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), edge / (double)n, n, n, n),
      .core_radius = 1e-3,
      .max_charges = (size_t)options->atoms,
      .max_planes = n,
      .periodic = options->periodic > 0.0 ? DEBYE_PERIODIC_ALL : DEBYE_PERIODIC_NONE,
      .cell = {{edge, 0.0, 0.0}, {0.0, edge, 0.0}, {0.0, 0.0, edge}},
      .tolerance = options->tolerance,
  };
}

static bool
bench_device(const Options *options, const DebyeDeviceEntry *entry, const DebyePotentialSettings *settings,
             const DebyeCharges *charges, float *map)
{
  DebyeBenchTimes times, pairs;
  DebyeMultilevel multilevel;
  DebyePotentialSettings cutoff = *settings;
  debye_multilevel_choose(settings, &multilevel, NULL);
  cutoff.method = DEBYE_POTENTIAL_CUTOFF;
  cutoff.smoothing = DEBYE_SMOOTHING_SMOOTH;
  cutoff.cutoff = multilevel.cutoff;
  if (!debye_bench_frames(entry, &cutoff, charges, (size_t)options->repeat, map, &pairs) ||
      !debye_bench_frames(entry, settings, charges, (size_t)options->repeat, map, &times))
    return false;
  const double error = options->check > 0.0 && options->periodic == 0.0
                           ? debye_oracle_error(charges, &settings->grid, settings->core_radius, map, NULL,
                                                (size_t)options->check)
                           : (double)NAN;
  printf(
      "%-8s %zu atoms, %zu^3, tolerance %g: frame %.2f ms (charges %.2f, of the cutoff alone %.2f; map %.2f, "
      "of the cutoff alone %.2f), %.4f ms a thousand atoms, error %.2g, plan %.0f ms\n",
      entry->info.id, charges->n, settings->grid.shape[0], settings->tolerance, 1e3 * times.both,
      1e3 * times.charges, 1e3 * pairs.charges, 1e3 * times.map, 1e3 * pairs.map,
      1e6 * times.both / (double)charges->n, error, 1e3 * times.planned);
  return true;
}

static bool
bench_devices(const Options *options, int n_choices, char **choices, const DebyePotentialSettings *settings,
              const DebyeCharges *charges, float *map)
{
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  bool good = true;
  for (size_t i = 0; i < debye_registry_get_count(registry); i++) {
    const DebyeDeviceEntry *entry = debye_registry_get(registry, i);
    bool chosen = n_choices == 0;
    for (int j = 0; j < n_choices; j++)
      chosen = chosen || strcmp(choices[j], entry->info.id) == 0;
    if (chosen && entry->device >= 0)
      good = bench_device(options, entry, settings, charges, map) && good;
  }
  debye_registry_free(registry);
  return good;
}

int
main(int argc, char **argv)
{
  Options options = {.atoms = 1500000, .repeat = 5, .tolerance = 1e-3, .step = 1.0};
  const DebyeBenchOption table[] = {
      {"--atoms", &options.atoms, .least = 1},     {"--repeat", &options.repeat, .least = 1},
      {"--periodic", .number = &options.periodic}, {"--check", .number = &options.check},
      {"--step", &options.step, .least = 1e-3},    {"--tolerance", .number = &options.tolerance}};
  const int n_choices = debye_bench_read_options(argc, argv, table, sizeof table / sizeof table[0]);
  if (n_choices < 0)
    return 2;
  DebyeRandomSystem system =
      debye_even_atoms_new(cbrt(options.atoms / DEBYE_WATER_DENSITY), DEBYE_WATER_DENSITY, 1);
  options.atoms = (double)system.charges.n;
  const DebyePotentialSettings settings = make_settings(&options);
  DebyeMultilevel multilevel;
  DebyeStatus status;
  if (debye_multilevel_choose(&settings, &multilevel, &status) != DEBYE_STATUS_OK) {
    printf("%s\n", status.text);
    return 1;
  }
  printf("order %u, cutoff %g A, spacing %.3f A, %.3g lattice points, error expected %.2g\n",
         multilevel.order, multilevel.cutoff, multilevel.spacing,
         debye_multilevel_typical_points(&multilevel, &settings), multilevel.error);
  float *map = calloc(debye_grid_n_points(&settings.grid), sizeof *map);
  const bool good = map != NULL && bench_devices(&options, n_choices, argv, &settings, &system.charges, map);
  free(map);
  debye_random_system_clear(&system);
  return good ? 0 : 1;
}
