/* SPDX-License-Identifier: MIT */
/* What is measured must be what is said: grids over a molecule, counts that are whole or known to be lost, a
 * roofline's operations, and methods that all give a time. */
#include "app/bench/bench_ladder.h"
#include "app/bench/bench_methods.h"

#include <math.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/registry.h"

#define N_ATOMS 400

static const DebyeDeviceEntry *
get_processor(const DebyeRegistry *registry)
{
  const DebyeDeviceEntry *entry = NULL;
  DebyeStatus status = {0};
  g_assert_cmpuint(debye_registry_choose(registry, "cpu", &entry, 1, &status), ==, 1);
  return entry;
}

static void
test_grid_over_charges(void)
{
  const float x[] = {0.0f, 10.0f}, y[] = {-5.0f, 5.0f}, z[] = {1.0f, 21.0f}, charge[] = {1.0f, -1.0f};
  const DebyeCharges charges = {x, y, z, charge, 2};
  g_autoptr(DebyeBenchProblem) problem = debye_bench_problem_new_for_charges(&charges, 20000);
  const DebyeGrid *grid = &problem->grid;
  const double n_points = (double)debye_grid_n_points(grid);
  DebyeVec3 last = debye_grid_point(grid, (double)grid->shape[0] - 1.0, (double)grid->shape[1] - 1.0,
                                    (double)grid->shape[2] - 1.0);
  /* Rounding up adds a plane or two along each of some twenty to forty. */
  g_assert_cmpfloat(n_points, >=, 20000.0);
  g_assert_cmpfloat(n_points, <, 20000.0 * 1.3);
  g_assert_cmpfloat(grid->origin.x, ==, 0.0 - DEBYE_BENCH_PADDING);
  g_assert_cmpfloat(last.x, >=, 10.0 + DEBYE_BENCH_PADDING - 1e-9);
  g_assert_cmpfloat(last.z, >=, 21.0 + DEBYE_BENCH_PADDING - 1e-9);
  /* A cube round 10, 10 and 20 Å. */
  g_assert_cmpfloat(problem->edge[0], ==, 20.0);
  g_assert_cmpfloat(debye_bench_find_range(problem), <, 10.0);
}

static void
test_variants_and_counts(void)
{
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  const DebyeDeviceEntry *device = get_processor(registry);
  const DebyeLadderKernel *ladder = device->backend->ladder;
  g_autoptr(GArray) limits = g_array_new(FALSE, TRUE, sizeof(DebyeBenchLimits));
  g_autoptr(DebyeBenchProblem) problem = debye_bench_problem_new(16, N_ATOMS);
  g_autoptr(GError) error = NULL;
  g_assert_true(debye_bench_measure_limits(&device, 1, limits, &error));
  const DebyeBenchLimits *found = &g_array_index(limits, DebyeBenchLimits, 0);
  for (gsize number = 0; number < ladder->n_variants; number++) {
    const DebyeLadderVariant *variant = &ladder->variants[number];
    DebyeBenchResult result = {0};
    guint64 counts[DEBYE_BENCH_N_BINS], sum = 0;
    if (variant->kind == DEBYE_LADDER_MAP) {
      g_assert_true(debye_bench_variant(problem, found, number, 1, &result, &error));
      g_assert_cmpfloat(result.error, <, 1e-5); /* float over 400 atoms */
    } else {
      g_assert_true(debye_bench_count(problem, found, number, 1, counts, &result, &error));
      for (gsize bin = 0; bin < DEBYE_BENCH_N_BINS; bin++)
        sum += counts[bin];
      g_assert_cmpuint(sum, <=, N_ATOMS * (N_ATOMS - 1) / 2);
      /* A sphere within a cube has half of it. */
      if (!variant->loses_counts) {
        g_assert_cmpuint(sum, >, N_ATOMS * (N_ATOMS - 1) / 5);
        g_assert_cmpfloat(fabs(result.error), <, 1e-4);
      }
    }
    g_assert_cmpfloat(result.rate, >, 0.0);
    g_assert_cmpfloat(fabs(result.operations / (result.rate * variant->operations) - 1.0), <, 1e-12);
    debye_bench_result_clear(&result);
  }
  debye_registry_free(registry);
}

/* --- A device that another program has at first --- */

static unsigned n_measured;

static DebyeStatusCode
measure_fake_limits(int device, DebyeLadderLimits *limits, DebyeStatus *status)
{
  (void)device;
  /* Busy at first, and once more at the end. */
  const double free_share = n_measured++ == 1 ? 1.0 : 0.3;
  *limits = (DebyeLadderLimits){
      .operations = free_share * 1e12, .reciprocal_roots = free_share * 1e11, .bandwidth = free_share * 1e11};
  return debye_status_ok(status);
}

/* At 8e11 operations a second, whatever the variant. */
static DebyeStatusCode
run_fake(int device, size_t variant, const DebyeLadderProblem *problem, float *map, double *seconds,
         const volatile bool *cancel, DebyeStatus *status)
{
  (void)device, (void)variant, (void)cancel;
  const size_t n_points = debye_grid_n_points(&problem->grid);
  memset(map, 0, n_points * sizeof *map);
  *seconds = (double)n_points * (double)problem->charges.n * 10.0 / 8e11;
  return debye_status_ok(status);
}

static const DebyeLadderVariant fake_variants[] = {
    {.id = "one", .title = "One", .kind = DEBYE_LADDER_MAP, .operations = 10.0, .point_bytes = 4.0},
    {.id = "two", .title = "Two", .kind = DEBYE_LADDER_MAP, .operations = 10.0, .point_bytes = 4.0},
};
static const DebyeLadderKernel fake_ladder = {.variants = fake_variants,
                                              .n_variants = G_N_ELEMENTS(fake_variants),
                                              .run = run_fake,
                                              .measure_limits = measure_fake_limits};

/* The limit is the best of those measured beside all variants, for the first of them as well: otherwise it
 * stood at 2.7 times the limit. */
static void
test_busy_device(void)
{
  const DebyeBackend backend = {.ladder = &fake_ladder};
  const DebyeDeviceEntry entry = {.backend = &backend, .info = {.id = "fake:0"}}, *device = &entry;
  g_autoptr(GArray) limits = g_array_new(FALSE, TRUE, sizeof(DebyeBenchLimits));
  g_autoptr(GArray) results = g_array_new(FALSE, FALSE, sizeof(DebyeBenchResult));
  g_autoptr(DebyeBenchProblem) problem = debye_bench_problem_new(16, N_ATOMS);
  g_autoptr(GError) error = NULL;
  g_array_set_clear_func(results, (GDestroyNotify)debye_bench_result_clear);
  n_measured = 0;
  g_assert_true(debye_bench_measure_limits(&device, 1, limits, &error));
  g_assert_true(debye_bench_variants(problem, limits, NULL, 1, results, &error));
  g_assert_cmpuint(results->len, ==, 2);
  for (guint i = 0; i < results->len; i++)
    g_assert_cmpfloat_with_epsilon(g_array_index(results, DebyeBenchResult, i).share, 0.8, 1e-9);
  g_assert_cmpfloat(g_array_index(limits, DebyeBenchLimits, 0).limits.operations, ==, 1e12);
  /* A limit that stays too low is above what counts as measured. */
  const DebyeBenchLimits low = {.device = device, .limits = {.operations = 3e11}};
  g_assert_cmpfloat(debye_bench_share(&low, 8e11), >, DEBYE_BENCH_MAX_SHARE);
}

static void
test_methods(void)
{
  static const DebyePotentialMethod methods[] = {DEBYE_POTENTIAL_DIRECT, DEBYE_POTENTIAL_CUTOFF,
                                                 DEBYE_POTENTIAL_MULTILEVEL};
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  const DebyeDeviceEntry *device = get_processor(registry);
  g_autoptr(DebyeBenchProblem) problem = debye_bench_problem_new_for_volume(4000.0);
  g_autoptr(GError) error = NULL;
  volatile bool stop = true;
  double seconds = 0.0;
  g_assert_cmpuint(problem->n_atoms, ==, 400);
  for (gsize i = 0; i < G_N_ELEMENTS(methods); i++) {
    g_assert_true(debye_bench_method(problem, methods[i], &device, 1, &seconds, &error));
    g_assert_cmpfloat(seconds, >, 0.0);
  }
  problem->cancel = &stop;
  g_assert_false(debye_bench_method(problem, DEBYE_POTENTIAL_DIRECT, &device, 1, &seconds, &error));
  g_assert_nonnull(error);
  debye_registry_free(registry);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/bench/grid-over-charges", test_grid_over_charges);
  g_test_add_func("/bench/variants-and-counts", test_variants_and_counts);
  g_test_add_func("/bench/busy-device", test_busy_device);
  g_test_add_func("/bench/methods", test_methods);
  return g_test_run();
}
