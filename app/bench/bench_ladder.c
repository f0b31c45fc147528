/* SPDX-License-Identifier: MIT */
/* Times the teaching variants and what devices can do; called by debye-cli bench and the classroom. */
#include "bench_ladder_private.h"

#include <string.h>

#include "app/analysis/driver/device_choice.h"

#define FIRST_PAIRS 1e7 /* of the first part that is tried */
#define LONG_ENOUGH 0.1 /* s: a part that takes this long is measured */
#define GROWTH 4        /* else the next part is so much larger */
/* As many times as long as limits were measured, at least, before they are once more: a fifth of all time. */
#define REST_OF_LIMITS 4

gboolean
debye_bench_raise_limits(DebyeBenchLimits *found, GError **error)
{
  DebyeLadderLimits limits = {0};
  DebyeStatus status = {0};
  const gint64 begin = g_get_monotonic_time();
  if (begin < found->next)
    return TRUE;
  if (!debye_device_check(
          found->device->backend->ladder->measure_limits(found->device->device, &limits, &status), &status,
          error))
    return FALSE;
  const gint64 end = g_get_monotonic_time();
  found->next = end + REST_OF_LIMITS * ((end - begin) / 1000) * 1000; /* at once where it took no time */
  found->limits.operations = MAX(found->limits.operations, limits.operations);
  found->limits.reciprocal_roots = MAX(found->limits.reciprocal_roots, limits.reciprocal_roots);
  found->limits.bandwidth = MAX(found->limits.bandwidth, limits.bandwidth);
  return TRUE;
}

gboolean
debye_bench_measure_limits(const DebyeDeviceEntry *const *devices, gsize n_devices, GArray *limits,
                           GError **error)
{
  for (gsize i = 0; i < n_devices; i++) {
    DebyeBenchLimits found = {.device = devices[i]};
    if (devices[i]->backend->ladder == NULL)
      continue;
    if (!debye_bench_raise_limits(&found, error))
      return FALSE;
    g_array_append_val(limits, found);
  }
  return TRUE;
}

gboolean
debye_bench_has_variant(const DebyeDeviceEntry *const *devices, gsize n_devices, DebyeLadderKind kind,
                        const char *id)
{
  for (gsize i = 0; i < n_devices; i++) {
    const DebyeLadderKernel *ladder = devices[i]->backend->ladder;
    gsize number = ladder != NULL ? debye_ladder_find(ladder, id) : 0;
    if (ladder != NULL && number < ladder->n_variants && ladder->variants[number].kind == kind)
      return TRUE;
  }
  return FALSE;
}

gboolean
debye_bench_is_variant(DebyeLadderKind kind, const char *id)
{
  gboolean found = FALSE;
  for (gsize i = 0; i < DEBYE_LADDER_N_CPU; i++)
    found |= debye_ladder_cpu_variants[i].kind == kind && strcmp(debye_ladder_cpu_variants[i].id, id) == 0;
  for (gsize i = 0; i < DEBYE_LADDER_N_CUDA; i++)
    found |= debye_ladder_cuda_variants[i].kind == kind && strcmp(debye_ladder_cuda_variants[i].id, id) == 0;
  return found;
}

char *
debye_bench_list_variants(const DebyeDeviceEntry *const *devices, gsize n_devices, DebyeLadderKind kind)
{
  GString *text = g_string_new(NULL);
  g_string_append_printf(text, "%s%sall, or of the teaching variants",
                         kind == DEBYE_LADDER_MAP || kind == DEBYE_LADDER_CUTOFF ? "double, " : "",
                         kind == DEBYE_LADDER_MAP ? "naive, " : "");
  for (gsize i = 0; i < n_devices; i++) {
    const DebyeLadderKernel *ladder = devices[i]->backend->ladder;
    const gsize n_variants = ladder != NULL ? ladder->n_variants : 0;
    g_string_append_printf(text, "%s on %s:", i > 0 ? ";" : "", devices[i]->info.id);
    for (gsize number = 0; number < n_variants; number++)
      if (ladder->variants[number].kind == kind)
        g_string_append_printf(text, " %s", ladder->variants[number].id);
  }
  return g_string_free(text, FALSE);
}

/* The map's first rows: a part of its first plane, or whole planes. */
static DebyeLadderProblem
take_rows(const DebyeBenchProblem *problem, gsize n_rows)
{
  DebyeLadderProblem part = {
      .grid = problem->grid, .charges = problem->charges, .core_radius = DEBYE_BENCH_CORE_RADIUS};
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
  return debye_device_check(device->backend->ladder->run(device->device, run->variant, part, run->map,
                                                         seconds, run->problem->cancel, &status),
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

/* A limit that was measured while another program had the device is too low: the highest of all counts, for
 * the variants that came before it as well. */
static void
settle_shares(const DebyeBenchLimits *limits, GArray *results)
{
  for (guint i = 0; i < results->len; i++) {
    DebyeBenchResult *result = &g_array_index(results, DebyeBenchResult, i);
    if (g_strcmp0(result->device, limits->device->info.id) == 0 && result->operations > 0.0)
      result->share = debye_bench_share(limits, result->operations);
  }
}

static gboolean
time_direct(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number, guint repeat,
            DebyeBenchResult *result, GError **error)
{
  g_autofree float *map = g_new(float, debye_grid_n_points(&problem->grid));
  const VariantRun run = {problem, limits, number, map};
  const double n_points = (double)debye_grid_n_points(&problem->grid);
  const double n_atoms = (double)problem->n_atoms;
  DebyeLadderProblem part;
  double seconds = 0.0;
  if (!choose_part(&run, &part, error))
    return FALSE;
  gboolean ok = TRUE;
  DebyeBenchRuns runs = debye_bench_runs_begin(repeat, FALSE, limits->device->info.id);
  while (ok && debye_bench_runs_want_more(&runs)) {
    ok = run_part(&run, &part, &seconds, error);
    debye_bench_runs_note(&runs, seconds);
  }
  const guint64 in_part = debye_grid_n_points(&part.grid);
  debye_bench_runs_end(&runs, n_points / (double)in_part, ok ? result : NULL);
  if (!ok)
    return FALSE;
  result->rate = (double)in_part * n_atoms / runs.best;
  result->error = debye_bench_measure_error(problem, map, NULL, in_part);
  debye_bench_fill_result(limits, number, n_points, n_atoms, result);
  return TRUE;
}

static gboolean
count_variant(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number, guint repeat,
              DebyeBenchResult *result, GError **error)
{
  return limits->device->backend->ladder->variants[number].is_race
             ? debye_bench_count_race(problem, limits, number, repeat, DEBYE_BENCH_RACE_SECONDS, result,
                                      error)
             : debye_bench_count(problem, limits, number, repeat, result, error);
}

gboolean
debye_bench_variant(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number,
                    guint repeat, DebyeBenchResult *result, GError **error)
{
  static DebyeBenchFamilyTimer *const families[DEBYE_LADDER_N_KINDS] = {
      [DEBYE_LADDER_MAP] = time_direct,           [DEBYE_LADDER_COUNT] = count_variant,
      [DEBYE_LADDER_CUTOFF] = debye_bench_cutoff, [DEBYE_LADDER_SCATTERING] = debye_bench_scatter,
      [DEBYE_LADDER_ORBITAL] = debye_bench_draw,  [DEBYE_LADDER_LIGAND] = debye_bench_sample,
      [DEBYE_LADDER_DENSITY] = debye_bench_fill};
  const DebyeLadderKind kind = limits->device->backend->ladder->variants[number].kind;
  return families[kind](problem, limits, number, repeat, result, error);
}

gboolean
debye_bench_variants(const DebyeBenchProblem *problem, GArray *limits, DebyeLadderKind kind, const char *id,
                     guint repeat, GArray *results, GError **error)
{
  for (guint i = 0; i < limits->len; i++) {
    DebyeBenchLimits *found = &g_array_index(limits, DebyeBenchLimits, i);
    const DebyeLadderKernel *ladder = found->device->backend->ladder;
    for (gsize number = 0; number < ladder->n_variants; number++) {
      DebyeBenchResult result;
      const DebyeLadderVariant *variant = &ladder->variants[number];
      if (variant->kind != kind || (id != NULL ? !g_str_equal(variant->id, id) : variant->is_legacy))
        continue;
      if (!debye_bench_raise_limits(found, error) ||
          !debye_bench_variant(problem, found, number, repeat, &result, error))
        return FALSE;
      g_array_append_val(results, result);
    }
    settle_shares(found, results);
  }
  return TRUE;
}
