/* SPDX-License-Identifier: MIT */
/* Timing of the teaching variants, see bench_ladder.h. */
#include "bench_ladder.h"

#include <math.h>

#include "data/error.h"
#include "interrupt.h"

#define FIRST_PAIRS 1e7     /* of the first part that is tried */
#define LONG_ENOUGH 0.1     /* s: a part that takes this long is measured */
#define GROWTH 4            /* else the next part is so much larger */
#define N_BINS ((gsize)200) /* of the histogram */

static gboolean
check_status(DebyeStatusCode code, const DebyeStatus *status, GError **error)
{
  if (code == DEBYE_STATUS_OK)
    return TRUE;
  g_set_error_literal(error, DEBYE_ERROR, DEBYE_ERROR_DEVICE, status->text);
  return FALSE;
}

gboolean
debye_bench_measure_limits(const DebyeDeviceEntry *const *devices, gsize n_devices, GArray *limits,
                           GError **error)
{
  for (gsize i = 0; i < n_devices; i++) {
    DebyeBenchLimits found = {.device = devices[i]};
    DebyeStatus status = {0};
    if (devices[i]->backend->ladder == NULL)
      continue;
    if (!check_status(devices[i]->backend->ladder->measure_limits(devices[i]->device, &found.limits, &status),
                      &status, error))
      return FALSE;
    g_array_append_val(limits, found);
  }
  return TRUE;
}

gboolean
debye_bench_has_variant(const DebyeDeviceEntry *const *devices, gsize n_devices, const char *id)
{
  for (gsize i = 0; i < n_devices; i++) {
    const DebyeLadderKernel *ladder = devices[i]->backend->ladder;
    gsize number = ladder != NULL ? debye_ladder_find(ladder, id) : 0;
    if (ladder != NULL && number < ladder->n_variants && ladder->variants[number].kind == DEBYE_LADDER_MAP)
      return TRUE;
  }
  return FALSE;
}

/* The map's first rows: a part of its first plane, or whole planes. */
static DebyeLadderProblem
take_rows(const DebyeBenchProblem *problem, gsize n_rows)
{
  DebyeLadderProblem part = {problem->grid, problem->charges, DEBYE_BENCH_CORE_RADIUS};
  const gsize in_plane = part.grid.shape[1];
  part.grid.shape[1] = MIN(n_rows, in_plane);
  part.grid.shape[2] = CLAMP(n_rows / in_plane, 1, part.grid.shape[2]);
  return part;
}

typedef struct {
  const DebyeBenchProblem *problem;
  const DebyeBenchLimits *limits;
  gsize variant;
  float *map;
} VariantRun;

static gboolean
run_part(const VariantRun *run, const DebyeLadderProblem *part, double *seconds, GError **error)
{
  const DebyeDeviceEntry *device = run->limits->device;
  DebyeStatus status = {0};
  return check_status(device->backend->ladder->run(device->device, run->variant, part, run->map, seconds,
                                                   debye_interrupt_flag(), &status),
                      &status, error);
}

/* The first part that takes long enough, or the whole map; the tries warm up. */
static gboolean
choose_part(const VariantRun *run, DebyeLadderProblem *part, GError **error)
{
  const DebyeGrid *grid = &run->problem->grid;
  const gsize most = grid->shape[1] * grid->shape[2];
  double pairs_a_row = (double)grid->shape[0] * (double)run->problem->n_atoms, seconds = 0.0;
  gsize n_rows = (gsize)CLAMP(FIRST_PAIRS / pairs_a_row, 1.0, (double)most);
  for (;; n_rows = MIN(n_rows * GROWTH, most)) {
    *part = take_rows(run->problem, n_rows);
    if (!run_part(run, part, &seconds, error))
      return FALSE;
    if (seconds >= LONG_ENOUGH || n_rows >= most)
      return TRUE;
  }
}

static void
add_result(const DebyeBenchLimits *limits, gsize number, DebyeBenchResult result, double intensity,
           GArray *results)
{
  const DebyeLadderVariant *variant = &limits->device->backend->ladder->variants[number];
  result.variant = g_strdup(variant->id);
  result.device = g_strdup(limits->device->info.id);
  result.operations = variant->operations * result.rate;
  result.share = result.operations / limits->limits.operations;
  result.intensity = intensity;
  g_array_append_val(results, result);
}

static gboolean
time_variant(const VariantRun *run, guint repeat, GArray *results, GError **error)
{
  const DebyeLadderVariant *variant = &run->limits->device->backend->ladder->variants[run->variant];
  const double n_points = (double)debye_grid_n_points(&run->problem->grid);
  const double n_atoms = (double)run->problem->n_atoms;
  DebyeLadderProblem part;
  double best = INFINITY;
  if (!choose_part(run, &part, error))
    return FALSE;
  for (guint i = 0; i < repeat; i++) {
    double seconds = 0.0;
    if (!run_part(run, &part, &seconds, error))
      return FALSE;
    best = MIN(best, MAX(seconds, 1e-9));
  }
  const guint64 in_part = debye_grid_n_points(&part.grid);
  add_result(run->limits, run->variant,
             (DebyeBenchResult){
                 .seconds = best * n_points / (double)in_part,
                 .rate = (double)in_part * n_atoms / best,
                 .error = debye_bench_measure_error(run->problem, run->map, NULL, in_part),
             },
             debye_ladder_intensity(variant, n_points, n_atoms), results);
  return TRUE;
}

gboolean
debye_bench_variants(const DebyeBenchProblem *problem, const GArray *limits, const char *id, guint repeat,
                     GArray *results, GError **error)
{
  g_autofree float *map = g_new(float, debye_grid_n_points(&problem->grid));
  for (guint i = 0; i < limits->len; i++) {
    VariantRun run = {problem, &g_array_index(limits, DebyeBenchLimits, i), 0, map};
    const DebyeLadderKernel *ladder = run.limits->device->backend->ladder;
    for (; run.variant < ladder->n_variants; run.variant++)
      if (ladder->variants[run.variant].kind == DEBYE_LADDER_MAP &&
          (id == NULL || g_str_equal(ladder->variants[run.variant].id, id)) &&
          !time_variant(&run, repeat, results, error))
        return FALSE;
  }
  return TRUE;
}

/* No two atoms are farther apart: every pair counts. */
static double
find_range(const DebyeBenchProblem *problem)
{
  double farthest = 0.0;
  for (gsize i = 0; i < problem->n_atoms; i++) {
    const DebyeVec3 at = debye_vec3((double)problem->x[i], (double)problem->y[i], (double)problem->z[i]);
    farthest = MAX(farthest, debye_vec3_length(at));
  }
  return 2.001 * farthest + 1.0;
}

static gboolean
time_count(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number, guint repeat,
           GArray *results, GError **error)
{
  const DebyeLadderKernel *ladder = limits->device->backend->ladder;
  const DebyeLadderPairs pairs = {problem->x,       problem->y,          problem->z,
                                  problem->n_atoms, find_range(problem), N_BINS};
  const double n_pairs = 0.5 * (double)problem->n_atoms * (double)(problem->n_atoms - 1);
  double best = INFINITY, counted = 0.0;
  uint64_t counts[N_BINS];
  for (guint i = 0; i <= repeat; i++) {
    double seconds = 0.0;
    DebyeStatus status = {0};
    if (!check_status(ladder->count(limits->device->device, number, &pairs, counts, &seconds,
                                    debye_interrupt_flag(), &status),
                      &status, error))
      return FALSE;
    best = i > 0 ? MIN(best, MAX(seconds, 1e-9)) : best;
  }
  for (gsize bin = 0; bin < N_BINS; bin++)
    counted += (double)counts[bin];
  add_result(limits, number,
             (DebyeBenchResult){
                 .seconds = best,
                 .rate = n_pairs / best,
                 .error = n_pairs > 0.0 ? 1.0 - counted / n_pairs : 0.0,
             },
             debye_ladder_intensity(&ladder->variants[number], 1.0, 1.0), results);
  return TRUE;
}

gboolean
debye_bench_counts(const DebyeBenchProblem *problem, const GArray *limits, guint repeat, GArray *results,
                   GError **error)
{
  for (guint i = 0; i < limits->len; i++) {
    const DebyeBenchLimits *found = &g_array_index(limits, DebyeBenchLimits, i);
    const DebyeLadderKernel *ladder = found->device->backend->ladder;
    for (gsize number = 0; number < ladder->n_variants; number++)
      if (ladder->variants[number].kind == DEBYE_LADDER_COUNT &&
          !time_count(problem, found, number, repeat, results, error))
        return FALSE;
  }
  return TRUE;
}
