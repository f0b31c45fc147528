/* SPDX-License-Identifier: MIT */
/* What is measured must be what is said: grids over a molecule, counts that are whole or known to be lost, a
 * roofline's operations, production kernels with their errors, and how times scale. */
#include "app/bench/bench_ladder.h"
#include "app/bench/bench_runs.h"
#include "app/bench/bench_sweep.h"

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
  problem->cutoff = 9.0;
  problem->field_points = 1728.0;
  g_assert_true(debye_bench_problem_set_courses(problem, NULL, 20, 3, &error));
  g_assert_true(debye_bench_measure_limits(&device, 1, limits, &error));
  const DebyeBenchLimits *found = &g_array_index(limits, DebyeBenchLimits, 0);
  for (gsize number = 0; number < ladder->n_variants; number++) {
    const DebyeLadderVariant *variant = &ladder->variants[number];
    DebyeBenchResult result = {0};
    guint64 sum = 0;
    if (variant->kind != DEBYE_LADDER_COUNT) {
      g_assert_true(debye_bench_variant(problem, found, number, 1, &result, &error));
      /* Float over 400 atoms; of means of exp(−E/kT) what is promised of each; of 44,000 atoms one or two next door. */
      if (variant->kind == DEBYE_LADDER_DENSITY && !variant->is_rounded)
        g_assert_cmpfloat(result.error, ==, 0.0);
      else
        g_assert_cmpfloat(result.error, <,
                          variant->kind == DEBYE_LADDER_LIGAND ? 1e-3
                          : variant->is_rounded                ? 1e-4
                                                               : 1e-5);
    } else {
      g_assert_true(debye_bench_count(problem, found, number, 1, &result, &error));
      g_assert_cmpfloat(result.counts->n_atoms, ==, N_ATOMS);
      g_assert_cmpfloat(result.counts->n_asked, ==, N_ATOMS);
      for (gsize bin = 0; bin < DEBYE_BENCH_N_BINS; bin++)
        sum += result.counts->bins[bin];
      g_assert_cmpuint(sum, <=, N_ATOMS * (N_ATOMS - 1) / 2);
      /* A sphere within a cube has half of it. */
      if (!variant->loses_counts) {
        g_assert_cmpuint(sum, >, N_ATOMS * (N_ATOMS - 1) / 5);
        g_assert_cmpfloat(fabs(result.error), <, 1e-4);
      }
    }
    g_assert_cmpfloat(result.rate, >, 0.0);
    g_assert_cmpfloat(fabs(result.operations / (result.rate * variant->cost.operations) - 1.0), <, 1e-12);
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
    {.id = "one", .title = "One", .kind = DEBYE_LADDER_MAP, .cost = {.operations = 10.0, .point_bytes = 4.0}},
    {.id = "two", .title = "Two", .kind = DEBYE_LADDER_MAP, .cost = {.operations = 10.0, .point_bytes = 4.0}},
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
  g_assert_true(debye_bench_variants(problem, limits, DEBYE_LADDER_MAP, NULL, 1, results, &error));
  g_assert_cmpuint(results->len, ==, 2);
  for (guint i = 0; i < results->len; i++)
    g_assert_cmpfloat_with_epsilon(g_array_index(results, DebyeBenchResult, i).share, 0.8, 1e-9);
  g_assert_cmpfloat(g_array_index(limits, DebyeBenchLimits, 0).limits.operations, ==, 1e12);
  /* A limit that stays too low is above what counts as measured. */
  const DebyeBenchLimits low = {.device = device, .limits = {.operations = 3e11}};
  g_assert_cmpfloat(debye_bench_share(&low, 8e11), >, DEBYE_BENCH_MAX_SHARE);
}

/* --- A race that loses something of many pairs only --- */

#define N_LOSING ((size_t)8 * N_ATOMS) /* atoms of which the fake race loses a count */

static const DebyeLadderVariant fake_counters[] = {
    {.id = "race",
     .kind = DEBYE_LADDER_COUNT,
     .is_race = true,
     .cost = {.operations = 10.0, .evaluation_bytes = 4.0}},
    {.id = "histogram-ours",
     .kind = DEBYE_LADDER_COUNT,
     .cost = {.operations = 10.0, .evaluation_bytes = 4.0}},
};

/* Every pair in the first bin. The race loses a hundredth of many, or nothing at all on device 1. */
static DebyeStatusCode
count_fake(int device, size_t variant, const DebyeLadderPairs *pairs, uint64_t *counts, double *seconds,
           const volatile bool *cancel, DebyeStatus *status)
{
  (void)cancel;
  const uint64_t n_pairs = pairs->n * (pairs->n - 1) / 2;
  const bool has_lost = variant == 0 && device == 0 && pairs->n >= N_LOSING;
  memset(counts, 0, pairs->n_bins * sizeof *counts);
  counts[0] = n_pairs - (has_lost ? n_pairs / 100 : 0);
  *seconds = (double)n_pairs / 1e9;
  return debye_status_ok(status);
}

static const DebyeLadderKernel fake_counting = {
    .variants = fake_counters, .n_variants = G_N_ELEMENTS(fake_counters), .count = count_fake};

/* Until a count is lost there are more pairs each time, in copies of the cell; all that is told is of the last. */
static void
test_race_of_more_pairs(void)
{
  const DebyeBackend backend = {.ladder = &fake_counting};
  const DebyeDeviceEntry entry = {.backend = &backend, .info = {.id = "fake:0"}};
  const DebyeBenchLimits limits = {.device = &entry, .limits = {.operations = 1e12}};
  g_autoptr(DebyeBenchProblem) problem = debye_bench_problem_new(16, N_ATOMS);
  g_autoptr(GError) error = NULL;
  DebyeBenchResult result = {0};
  const double n = N_LOSING, n_pairs = n * (n - 1.0) / 2.0, side = problem->edge[0];
  g_assert_true(debye_bench_count_race(problem, &limits, 0, 2, 60.0, &result, &error));
  const DebyeBenchCounts *counts = result.counts;
  g_assert_cmpfloat(counts->n_atoms, ==, n);
  g_assert_cmpfloat(counts->n_asked, ==, N_ATOMS);
  g_assert_true(counts->is_race);
  /* Eight cells are a cube again. */
  g_assert_cmpfloat_with_epsilon(counts->volume, 8.0 * side * side * side, 1e-6 * counts->volume);
  g_assert_cmpfloat_with_epsilon(counts->range, 2.0 * debye_bench_find_range(problem), 1e-9);
  g_assert_cmpfloat((double)counts->expected[0], ==, n_pairs);
  g_assert_cmpfloat_with_epsilon((double)counts->bins[0], 0.99 * n_pairs, 1.0);
  g_assert_cmpfloat_with_epsilon(result.error, 0.01, 1e-6);
  g_assert_cmpfloat_with_epsilon(result.rate, 1e9, 1.0);
  debye_bench_result_clear(&result);
}

/* Not for ever, and never more than there is memory for. */
static void
test_race_without_losses(void)
{
  const DebyeBackend backend = {.ladder = &fake_counting};
  const DebyeDeviceEntry entry = {.backend = &backend, .device = 1, .info = {.id = "fake:1"}};
  const DebyeBenchLimits limits = {.device = &entry, .limits = {.operations = 1e12}};
  g_autoptr(DebyeBenchProblem) problem = debye_bench_problem_new(16, N_ATOMS);
  g_autoptr(GError) error = NULL;
  DebyeBenchResult result = {0};
  const gint64 start = g_get_monotonic_time();
  g_assert_true(debye_bench_count_race(problem, &limits, 0, 2, 0.5, &result, &error));
  g_assert_cmpint(g_get_monotonic_time() - start, >=, G_USEC_PER_SEC / 4);
  g_assert_cmpfloat(result.error, ==, 0.0);
  g_assert_cmpfloat(result.counts->n_atoms, >, N_ATOMS);
  g_assert_cmpfloat(result.counts->n_atoms, <=, DEBYE_LADDER_MAX_COUNTED);
  g_assert_cmpuint(result.counts->bins[0], ==, result.counts->expected[0]);
  debye_bench_result_clear(&result);
}

#define N_TAKEN 100 /* of the last bin */

/* Counts as the processor does; the race takes some away of two cells. */
static DebyeStatusCode
count_really(int device, size_t variant, const DebyeLadderPairs *pairs, uint64_t *counts, double *seconds,
             const volatile bool *cancel, DebyeStatus *status)
{
  const DebyeLadderKernel *ladder = debye_backend_cpu.ladder;
  const DebyeStatusCode code = ladder->count(device, debye_ladder_find(ladder, "histogram-sequential"), pairs,
                                             counts, seconds, cancel, status);
  if (code == DEBYE_STATUS_OK && variant == 0 && pairs->n > N_ATOMS)
    counts[pairs->n_bins - 1] -= N_TAKEN;
  return code;
}

/* Each atom of two cells has as many others at a distance as in one, whose range is the same. */
static void
test_copies_of_a_cell(void)
{
  DebyeLadderKernel ladder = fake_counting;
  const DebyeBackend backend = {.ladder = &ladder};
  const DebyeDeviceEntry entry = {.backend = &backend, .info = {.id = "fake:0"}};
  const DebyeBenchLimits limits = {.device = &entry, .limits = {.operations = 1e12}};
  g_autoptr(DebyeBenchProblem) problem = debye_bench_problem_new(16, N_ATOMS);
  g_autoptr(GError) error = NULL;
  DebyeBenchResult once = {0}, copied = {0};
  ladder.count = count_really;
  g_assert_true(debye_bench_count(problem, &limits, 0, 1, &once, &error));
  g_assert_true(debye_bench_count_race(problem, &limits, 0, 1, 60.0, &copied, &error));
  g_assert_cmpfloat(copied.counts->n_atoms, ==, 2.0 * N_ATOMS);
  g_assert_cmpfloat(copied.counts->range, ==, once.counts->range);
  /* A distance at the edge of a bin may be rounded into the next one. */
  for (gsize bin = 0; bin < DEBYE_BENCH_N_BINS; bin++)
    g_assert_cmpfloat_with_epsilon((double)copied.counts->expected[bin], 2.0 * (double)once.counts->bins[bin],
                                   2.0);
  g_assert_cmpuint(copied.counts->bins[DEBYE_BENCH_N_BINS - 1], ==,
                   copied.counts->expected[DEBYE_BENCH_N_BINS - 1] - N_TAKEN);
  debye_bench_result_clear(&once);
  debye_bench_result_clear(&copied);
}

/* --- Production kernels --- */

/* As accurate as their headers say, with all that a row tells. */
static void
test_cases(void)
{
  static const struct {
    const char *kernel;
    double error, evaluations;
  } cases[] = {
      {"direct", 5e-6, 400.0 * 24 * 24 * 24}, {"cutoff", 5e-6, NAN},
      {"multilevel", 1e-3, 24.0 * 24 * 24},   {"ewald", 1e-4, 24.0 * 24 * 24},
      {"pairs", 0.0, 400.0 * 399 / 2},        {"self", 4e-7, 400.0 * 32 * 4},
      {"coherent", 1e-6, 400.0 * 32 * 4},
  };
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  const DebyeDeviceEntry *device = get_processor(registry);
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;
    DebyeBenchResult result = {0};
    DebyeBenchCase asked = {
        .kernel = debye_bench_kernel_find(cases[i].kernel),
        .sizes = {[DEBYE_BENCH_ATOMS] = N_ATOMS,
                  [DEBYE_BENCH_POINTS] = 24.0 * 24 * 24,
                  [DEBYE_BENCH_VECTORS] = 4.0},
        .devices = &device,
        .n_devices = 1,
        .repeats = {.n = 2},
    };
    if (debye_bench_kernel_has(asked.kernel, DEBYE_BENCH_VECTORS))
      asked.sizes[DEBYE_BENCH_FRAMES] = 32.0;
    g_assert_true(debye_bench_case_complete(&asked, &error));
    g_assert_true(debye_bench_case_run(&asked, &result, &error));
    g_assert_cmpfloat(result.error, <=, cases[i].error);
    g_assert_cmpfloat(result.n_repeats, ==, 2.0);
    g_assert_cmpfloat(result.fastest, <=, result.seconds);
    g_assert_cmpfloat(result.seconds, <=, result.slowest);
    g_assert_cmpfloat_with_epsilon(result.rate * result.seconds, result.evaluations,
                                   1e-9 * result.evaluations);
    if (isfinite(cases[i].evaluations))
      g_assert_cmpfloat(result.evaluations, ==, cases[i].evaluations);
    debye_bench_result_clear(&result);
  }
  debye_registry_free(registry);
}

/* Within 4 Å at 0.1 atoms/Å³ there are at most 27, less at the edge; within the whole cube all. */
static void
test_count_within(void)
{
  g_autoptr(DebyeBenchProblem) problem = debye_bench_problem_new(16, N_ATOMS);
  const double some = debye_bench_count_within(problem, 4.0);
  g_assert_cmpfloat(some, >, 2.0);
  g_assert_cmpfloat(some, <, 27.0);
  g_assert_cmpfloat(debye_bench_count_within(problem, 100.0), ==, N_ATOMS);
}

static void
test_cancelled(void)
{
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  const DebyeDeviceEntry *device = get_processor(registry);
  g_autoptr(GError) error = NULL;
  volatile bool stop = true;
  DebyeBenchResult result = {0};
  DebyeBenchCase asked = {.kernel = debye_bench_kernel_find("direct"),
                          .sizes = {[DEBYE_BENCH_ATOMS] = 100.0, [DEBYE_BENCH_SPACING] = 1.0},
                          .devices = &device,
                          .n_devices = 1,
                          .repeats = {.cancel = &stop}};
  g_assert_true(debye_bench_case_complete(&asked, &error));
  g_assert_false(debye_bench_case_run(&asked, &result, &error));
  g_assert_nonnull(error);
  debye_registry_free(registry);
}

/* --- The loop --- */

static gint64 fake_now;
static guint n_runs;

static gint64
get_fake_now(void)
{
  return fake_now;
}

/* The third run is delayed by another program. */
static gboolean
run_delayed(gpointer data G_GNUC_UNUSED, GError **error G_GNUC_UNUSED)
{
  fake_now += ++n_runs == 3 ? 900000 : 10000;
  return TRUE;
}

/* Now fast, now slow: never steady. */
static gboolean
run_unsteady(gpointer data G_GNUC_UNUSED, GError **error G_GNUC_UNUSED)
{
  fake_now += ++n_runs % 2 == 0 ? 100000 : 200000;
  return TRUE;
}

static void
begin_after(gpointer watch)
{
  *(guint *)watch = n_runs;
}

static gboolean
is_watch_short(gpointer watch G_GNUC_UNUSED)
{
  return n_runs < 12;
}

/* A watch begins after the run that warms up, and is given as many runs as it needs, however few were asked for. */
static void
test_watch(void)
{
  DebyeBenchTime time;
  guint begun = 0;
  const DebyeBenchRepeats repeats = {
      .n = 3, .now = get_fake_now, .begin = begin_after, .is_short = is_watch_short, .watch = &begun};
  n_runs = 0;
  g_assert_true(debye_bench_repeat(&repeats, run_unsteady, NULL, &time, NULL));
  g_assert_cmpuint(begun, ==, 1);
  g_assert_cmpuint(n_runs, ==, 12);
  g_assert_cmpuint(time.n, ==, 11);
}

static void
test_repeats(void)
{
  DebyeBenchTime time;
  const DebyeBenchRepeats few = {.n = 3, .now = get_fake_now}, steady = {.now = get_fake_now};
  n_runs = 0;
  g_assert_true(debye_bench_repeat(&few, run_delayed, NULL, &time, NULL));
  g_assert_cmpuint(time.n, ==, 3);
  n_runs = 0;
  g_assert_true(debye_bench_repeat(&steady, run_delayed, NULL, &time, NULL));
  g_assert_cmpfloat(time.median, ==, 0.01);
  g_assert_cmpfloat(time.slowest, ==, 0.9);
  g_assert_cmpuint(time.n, ==, 5);
  n_runs = 0;
  g_assert_true(debye_bench_repeat(&steady, run_unsteady, NULL, &time, NULL));
  g_assert_cmpuint(time.n, ==, 20); /* 3 s */
  g_assert_cmpfloat(time.fastest, ==, 0.1);
}

/* Runs of a ladder's step, each of `seconds`. */
static DebyeBenchResult
run_step(const double *seconds, guint n, guint n_wanted, gboolean warms_up)
{
  DebyeBenchResult result;
  DebyeBenchRuns runs = debye_bench_runs_begin(n_wanted, warms_up, "cpu");
  guint done = 0;
  while (debye_bench_runs_want_more(&runs)) {
    g_assert_cmpuint(done, <, n);
    debye_bench_runs_note(&runs, seconds[done++]);
  }
  g_assert_cmpuint(done, ==, n);
  debye_bench_runs_end(&runs, 2.0, &result);
  return result;
}

static void
test_runs_of_a_step(void)
{
  const double short_ones[] = {0.5, 0.2, 0.1, 0.3};
  const DebyeBenchResult all = run_step(short_ones, 4, 4, FALSE), warmed = run_step(short_ones, 4, 3, TRUE);
  g_assert_cmpfloat(all.seconds, ==, 0.2);
  g_assert_cmpfloat(all.slowest, ==, 1.0);
  g_assert_cmpfloat(all.n_repeats, ==, 4);
  g_assert_cmpfloat(warmed.slowest, ==, 0.6);
  g_assert_cmpfloat(warmed.n_repeats, ==, 3);
  /* What takes longer than a class waits runs once, and that is its time. */
  const double long_one[] = {5.0}, two[] = {2.0, 1.5};
  const DebyeBenchResult once = run_step(long_one, 1, 5, TRUE);
  g_assert_cmpfloat(once.seconds, ==, 10.0);
  g_assert_cmpfloat(once.n_repeats, ==, 1);
  g_assert_cmpfloat(run_step(two, 2, 5, FALSE).seconds, ==, 3.0);
}

/* What a file of a sweep keeps lives on without what it was copied from. */
static void
test_copy_of_a_result(void)
{
  DebyeBenchResult result = {.variant = g_strdup("ours"),
                             .device = g_strdup("cpu"),
                             .seconds = 2.0,
                             .counts = g_new0(DebyeBenchCounts, 1)};
  result.counts->bins[DEBYE_BENCH_N_BINS - 1] = 7;
  DebyeBenchResult copy = debye_bench_result_copy(&result);
  debye_bench_result_clear(&result);
  g_assert_cmpstr(copy.variant, ==, "ours");
  g_assert_cmpstr(copy.device, ==, "cpu");
  g_assert_cmpfloat(copy.seconds, ==, 2.0);
  g_assert_cmpuint(copy.counts->bins[DEBYE_BENCH_N_BINS - 1], ==, 7);
  debye_bench_result_clear(&copy);
}

/* --- Sweeps --- */

/* Threads: a tenth of the time doesn't shrink. Atoms: their square. */
static gboolean
measure_fake(const DebyeBenchSweep *sweep, const gsize *at, DebyeBenchResult *result, gpointer data,
             GError **error G_GNUC_UNUSED)
{
  const double x = sweep->axes[0].values[at[0]];
  const gboolean is_atoms = sweep->axes[0].variable->size == DEBYE_BENCH_ATOMS;
  *result = (DebyeBenchResult){.variant = g_strdup("ours"), .device = g_strdup("cpu")};
  result->seconds = is_atoms ? 1e-6 * x * x : 0.1 + 0.9 / x;
  if (sweep->n_axes > 1)
    result->seconds *= (double)(1 + at[1]);
  ++*(guint *)data;
  return TRUE;
}

typedef struct {
  DebyeBenchSweep sweep;
  GArray *rows, *fits;
  guint n_measured;
} SweepRun;

static SweepRun
run_sweep(const char *const *texts)
{
  SweepRun run = {.rows = g_array_new(FALSE, FALSE, sizeof(DebyeBenchRow)),
                  .fits = g_array_new(FALSE, FALSE, sizeof(DebyeBenchFit))};
  g_autoptr(GError) error = NULL;
  g_array_set_clear_func(run.rows, (GDestroyNotify)debye_bench_row_clear);
  g_array_set_clear_func(run.fits, (GDestroyNotify)debye_bench_fit_clear);
  g_assert_true(debye_bench_sweep_parse(&run.sweep, texts, &error));
  g_assert_true(debye_bench_sweep_run(&run.sweep, measure_fake, &run.n_measured, run.rows, run.fits, &error));
  g_assert_cmpuint(run.rows->len, ==, run.n_measured);
  return run;
}

static void
sweep_run_clear(SweepRun *run)
{
  g_array_unref(run->rows);
  g_array_unref(run->fits);
  debye_bench_sweep_clear(&run->sweep);
}

static void
test_sweep_of_threads(void)
{
  SweepRun run = run_sweep((const char *const[]){"threads=1,2,4", NULL});
  const DebyeBenchRow *last = &g_array_index(run.rows, DebyeBenchRow, 2);
  g_assert_cmpfloat_with_epsilon(last->speed_up, 1.0 / 0.325, 1e-12);
  g_assert_cmpfloat_with_epsilon(last->efficiency, 1.0 / 0.325 / 4.0, 1e-12);
  sweep_run_clear(&run);
}

static void
test_sweep_of_atoms(void)
{
  SweepRun run = run_sweep((const char *const[]){"kernel=direct,cutoff", "atoms=100:800:x2", NULL});
  g_assert_cmpuint(run.rows->len, ==, 8);
  g_assert_cmpuint(run.fits->len, ==, 2);
  for (guint i = 0; i < 2; i++) {
    const DebyeBenchFit *fit = &g_array_index(run.fits, DebyeBenchFit, i);
    g_assert_cmpstr(fit->name, ==, i == 0 ? "direct" : "cutoff");
    g_assert_cmpfloat_with_epsilon(fit->exponent, 2.0, 1e-12);
    g_assert_cmpfloat_with_epsilon(fit->factor, 1e-6 * (i + 1.0), 1e-15);
    g_assert_cmpfloat(fit->error, <, 1e-9);
  }
  g_assert_true(isnan(g_array_index(run.rows, DebyeBenchRow, 3).speed_up));
  g_autoptr(DebyeTable) table = debye_bench_sweep_create_table(&run.sweep, run.rows);
  g_assert_cmpuint(debye_table_get_n_rows(table), ==, 8);
  g_assert_cmpfloat(debye_table_get_numbers(table, 0)[7], ==, 800.0);
  g_assert_cmpstr(debye_table_get_texts(table, 1)[7], ==, "cutoff");
  sweep_run_clear(&run);
}

static void
test_fit(void)
{
  /* y = x² but for the middle one: the slope of a straight line through (0,0), (ln 2, ln 8), (ln 4, ln 16). */
  const double x[] = {1.0, 2.0, 4.0}, y[] = {1.0, 8.0, 16.0};
  const DebyeBenchFit fit = debye_bench_fit_power(x, y, 3);
  g_assert_cmpfloat_with_epsilon(fit.exponent, 2.0, 1e-12);
  g_assert_cmpfloat_with_epsilon(fit.error, sqrt(2.0 / 3.0) / sqrt(2.0), 1e-12);
  g_assert_true(isnan(debye_bench_fit_power(x, y, 1).exponent));
  g_assert_true(isnan(debye_bench_fit_power(x, y, 2).error));
}

static void
test_refused_sweeps(void)
{
  static const char *const refused[][3] = {{"size=1,2", NULL},
                                           {"atoms", NULL},
                                           {"atoms=", NULL},
                                           {"atoms=0,1", NULL},
                                           {"atoms=4:2:1", NULL},
                                           {"atoms=1:8:x1", NULL},
                                           {"atoms=1", "atoms=2", NULL},
                                           {"kernel=direct,abacus", NULL},
                                           {"threads=1,two", NULL}};
  for (gsize i = 0; i < G_N_ELEMENTS(refused); i++) {
    g_auto(DebyeBenchSweep) sweep = {0};
    g_autoptr(GError) error = NULL;
    g_assert_false(debye_bench_sweep_parse(&sweep, refused[i], &error));
    g_assert_nonnull(strstr(error->message, "--sweep"));
  }
}

/* Sizes with one value don't count towards the three that change; eight sizes is the limit of all. */
static void
test_sweep_of_single_values(void)
{
  SweepRun run = run_sweep((const char *const[]){"atoms=100,200", "tile=32,64", "chunk=1,2", "block-x=8",
                                                 "block-y=4", "unroll=2", NULL});
  g_assert_cmpuint(run.rows->len, ==, 8);
  g_autoptr(DebyeTable) table = debye_bench_sweep_create_table(&run.sweep, run.rows);
  g_assert_cmpfloat(debye_table_get_numbers(table, 4)[7], ==, 4.0);
  sweep_run_clear(&run);
  static const char *const refused[][10] = {{"atoms=1,2", "tile=1,2", "chunk=1,2", "unroll=1,2", NULL},
                                            {"atoms=1", "points=1", "frames=1", "vectors=1", "tile=1",
                                             "chunk=1", "unroll=1", "block=1", "voxels=1", NULL}};
  for (gsize i = 0; i < G_N_ELEMENTS(refused); i++) {
    g_auto(DebyeBenchSweep) sweep = {0};
    g_autoptr(GError) error = NULL;
    g_assert_false(debye_bench_sweep_parse(&sweep, refused[i], &error));
    g_assert_nonnull(strstr(error->message, i == 0 ? "unroll=1,2" : "voxels=1"));
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/bench/grid-over-charges", test_grid_over_charges);
  g_test_add_func("/bench/variants-and-counts", test_variants_and_counts);
  g_test_add_func("/bench/busy-device", test_busy_device);
  g_test_add_func("/bench/race-of-more-pairs", test_race_of_more_pairs);
  g_test_add_func("/bench/race-without-losses", test_race_without_losses);
  g_test_add_func("/bench/copies-of-a-cell", test_copies_of_a_cell);
  g_test_add_func("/bench/cases", test_cases);
  g_test_add_func("/bench/count-within", test_count_within);
  g_test_add_func("/bench/cancelled", test_cancelled);
  g_test_add_func("/bench/repeats", test_repeats);
  g_test_add_func("/bench/watch", test_watch);
  g_test_add_func("/bench/runs-of-a-step", test_runs_of_a_step);
  g_test_add_func("/bench/copy-of-a-result", test_copy_of_a_result);
  g_test_add_func("/bench/sweep-of-threads", test_sweep_of_threads);
  g_test_add_func("/bench/sweep-of-single-values", test_sweep_of_single_values);
  g_test_add_func("/bench/sweep-of-atoms", test_sweep_of_atoms);
  g_test_add_func("/bench/fit", test_fit);
  g_test_add_func("/bench/refused-sweeps", test_refused_sweeps);
  return g_test_run();
}
