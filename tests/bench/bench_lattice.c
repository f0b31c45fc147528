/* SPDX-License-Identifier: MIT */
/* How fast all amplitudes of a reciprocal lattice are computed: whole calls, from the host's coordinates to
 * the sums of |F|² on the device.
 *
 *   bench_lattice [--atoms N] [--extent N] [--tolerance X] [--groups N] [--repeat N] [--threads N]
 *                 [--q N] [--largest-q X] [--level portable|avx2|avx512] [DEVICES...]
 *
 * Extent N: (2N + 1)³ hkl. Atoms at random at the density of water's (0.1 to the cubic Å). One line for each
 * device; the error is the root mean square against the oracle for 40 hkl all over the lattice, over √(Σw²).
 *
 * With --q N the Debye formula of the atoms at so many q up to the largest instead: from coordinates to products of groups, plan and
 * weights made before, as an analysis does it for one frame after the other; the error is the largest against
 * moments of all distances (scattering_debye_moments.h), over Σw². The tolerance is that of the formula.
 *
 * Modules are looked for in DEBYE_BACKEND_DIR. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_options.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/registry.h"
#include "kernels/scattering/scattering_debye_lattice.h"
#include "kernels/cpu/scattering/scattering_debye_moments.h"
#include "kernels/scattering/scattering_lattice_lanes.h"
#include "tests/support/oracle_scattering.h"

#define MAX_DEVICES 64
#define COMPARED 40

typedef struct {
  size_t atoms, groups, extent, repeat, q;
  double tolerance, largest_q;
} Options;

/* All over the lattice. */
static void
choose(DebyeMiller *chosen, unsigned extent)
{
  const int span = 2 * (int)extent + 1;
  for (int i = 0; i < COMPARED; i++)
    chosen[i] = (DebyeMiller){(i * 7919 + 13) % span - (int)extent, (i * 104729 + 5) % span - (int)extent,
                              (i * 1299709 + 7) % span - (int)extent};
}

static double
error_of(const DebyeScatteringSystem *system, const DebyeMiller *chosen, const double *found)
{
  double total = 0.0, sum, square;
  debye_oracle_weights(&system->groups, 0, &sum, &square);
  for (int i = 0; i < COMPARED; i++) {
    const DebyeOracleAmplitude expected =
        debye_oracle_lattice(&system->groups, 0, &system->frame, chosen[i].h, chosen[i].k, chosen[i].l);
    const double real = found[2 * i] - (double)expected.real,
                 imaginary = found[2 * i + 1] - (double)expected.imaginary;
    total += real * real + imaginary * imaginary;
  }
  return sqrt(total / COMPARED / square);
}

static bool
time_device(const DebyeDeviceEntry *device, const Options *options, const DebyeScatteringSystem *system)
{
  const DebyeLatticeKernel *kernel = device->backend->lattice;
  DebyeMiller chosen[COMPARED];
  choose(chosen, (unsigned)options->extent);
  const DebyeLatticeSettings settings = {.n_atoms = options->atoms,
                                         .groups = system->groups,
                                         .extent = {options->extent, options->extent, options->extent},
                                         .tolerance = options->tolerance,
                                         .sums = true,
                                         .chosen = chosen,
                                         .n_chosen = COMPARED};
  DebyeStatus status = {0};
  DebyeKernelPlan *plan = NULL;
  if (kernel == NULL || kernel->head.create(device->device, &settings, &plan, &status) != DEBYE_STATUS_OK) {
    printf("%-8s %s\n", device->info.id, kernel == NULL ? "has no reciprocal lattice" : status.text);
    return false;
  }
  double *found = calloc(2 * COMPARED * options->groups, sizeof *found), best = INFINITY;
  for (size_t i = 0; i < options->repeat && status.code == DEBYE_STATUS_OK; i++) {
    const double start = debye_bench_seconds();
    kernel->execute(plan, &system->frame, found, NULL, &status);
    best = fmin(best, debye_bench_seconds() - start);
  }
  kernel->head.destroy(plan);
  printf("%-8s %8zu atoms %zu groups %zu^3 hkl tolerance %.0e  %.2f GB  %10.3f ms  error %.1e %s\n",
         device->info.id, options->atoms, options->groups, 2 * options->extent + 1, options->tolerance,
         1e-9 * (double)kernel->head.bytes_needed(device->device, &settings), 1e3 * best,
         error_of(system, chosen, found), status.text);
  free(found);
  return status.code == DEBYE_STATUS_OK;
}

/* Against moments of all distances with a thousandth of the tolerance. */
static double
formula_error(const DebyeScatteringSystem *system, double reach, double tolerance, const double *q,
              size_t n_q, const double *products)
{
  const size_t n = n_q * debye_lattice_n_pairs(system->groups.n_groups);
  const DebyeFormulaBins bins = debye_formula_bins(reach, q[n_q - 1], 1e-3 * tolerance, system->n_atoms);
  double *exact = calloc(n, sizeof *exact), worst = 0.0;
  debye_formula_by_moments(&system->groups, &system->frame, &bins, q, n_q, exact, NULL, NULL);
  for (size_t i = 0; i < n; i++)
    worst = fmax(worst, fabs(products[i] - exact[i]));
  free(exact);
  return worst / (double)system->n_atoms;
}

/* What one frame of an analysis takes. */
static double
time_frame(DebyeSharing *lanes, const DebyeFormulaFold *fold, const DebyeScatteringFrame *frame,
           size_t n_pairs, double *sums, double *products, DebyeStatus *status)
{
  const double start = debye_bench_seconds();
  if (debye_lattice_lanes_execute(lanes, frame, 1, sums, NULL, NULL, status) == DEBYE_STATUS_OK)
    debye_formula_fold_execute(fold, sums, n_pairs, products, NULL, status);
  return debye_bench_seconds() - start;
}

static bool
time_formula(const DebyeDeviceEntry *device, const Options *options, DebyeScatteringSystem *system)
{
  const size_t n_q = options->q, n_pairs = debye_lattice_n_pairs(options->groups);
  const DebyeFormulaLattice lattice = debye_formula_lattice(sqrt(3.0) * system->cell.a.x, options->largest_q,
                                                            options->tolerance, options->atoms);
  const DebyeCell cell = {{lattice.side, 0.0, 0.0}, {0.0, lattice.side, 0.0}, {0.0, 0.0, lattice.side}};
  const DebyeLatticeLanesSettings settings = {
      .lattice = {.n_atoms = options->atoms,
                  .groups = system->groups,
                  .extent = {lattice.extent, lattice.extent, lattice.extent},
                  .by_length = true,
                  .tolerance = lattice.tolerance}};
  const DebyeScatteringFrame frame = {
      .x = system->frame.x, .y = system->frame.y, .z = system->frame.z, .cell = &cell};
  double *q = calloc(n_q, sizeof *q), *products = calloc(n_pairs * n_q, sizeof *products),
         *sums = calloc(n_pairs * debye_lattice_n_sums(&settings.lattice), sizeof *sums), best = INFINITY;
  DebyeStatus status = {0};
  DebyeSharing *lanes = NULL;
  DebyeFormulaFold *fold = NULL;
  for (size_t i = 0; i < n_q; i++)
    q[i] = options->largest_q * (double)(i + 1) / (double)n_q;
  const double start = debye_bench_seconds();
  if (debye_lattice_lanes_create(&settings, &device, 1, &lanes, &status) == DEBYE_STATUS_OK)
    debye_formula_fold_create(&lattice, q, n_q, &fold, &status);
  const double planned = debye_bench_seconds() - start;
  for (size_t i = 0; i < options->repeat && status.code == DEBYE_STATUS_OK; i++)
    best = fmin(best, time_frame(lanes, fold, &frame, n_pairs, sums, products, &status));
  if (status.code == DEBYE_STATUS_OK)
    printf("%-8s %8zu atoms %zu groups %zu q to %g tolerance %.0e  %u^3 hkl  plan %.0f ms  %10.3f ms  error "
           "%.1e\n",
           device->info.id, options->atoms, options->groups, n_q, options->largest_q, options->tolerance,
           2 * lattice.extent + 1, 1e3 * planned, 1e3 * best,
           formula_error(system, lattice.reach, options->tolerance, q, n_q, products));
  else
    printf("%-8s %s\n", device->info.id, status.text);
  debye_sharing_free(lanes);
  debye_formula_fold_free(fold);
  free(q);
  free(products);
  free(sums);
  return status.code == DEBYE_STATUS_OK;
}

static bool
bench_choice(const Options *options, const DebyeRegistry *registry, const char *choice)
{
  const DebyeDeviceEntry *devices[MAX_DEVICES];
  DebyeStatus status;
  const size_t n_devices = debye_registry_choose(registry, choice, devices, MAX_DEVICES, &status);
  const double edge = cbrt((double)options->atoms / 0.1);
  DebyeScatteringSystem system =
      debye_scattering_system_new(options->atoms, options->groups, debye_vec3(0.0, 0.0, 0.0), edge, false, 1);
  bool good = n_devices > 0;
  system.frame.cell = &system.cell;
  if (n_devices == 0)
    printf("%-8s %s\n", choice, status.text);
  for (size_t i = 0; i < n_devices && good; i++)
    good = options->q > 0 ? time_formula(devices[i], options, &system)
                          : time_device(devices[i], options, &system);
  debye_scattering_system_clear(&system);
  return good;
}

int
main(int argc, char **argv)
{
  Options options = {
      .atoms = 100000, .groups = 1, .extent = 31, .tolerance = 1e-6, .repeat = 3, .largest_q = 0.5};
  const DebyeBenchOption table[] = {
      {"--atoms", .count = &options.atoms, .least = 1},
      {"--groups", .count = &options.groups, .least = 1},
      {"--extent", .count = &options.extent, .least = 1},
      {"--tolerance", .number = &options.tolerance, .least = 1e-15},
      {"--repeat", .count = &options.repeat, .least = 1},
      {"--q", .count = &options.q, .least = 1},
      {"--largest-q", .number = &options.largest_q, .least = 1e-6},
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
