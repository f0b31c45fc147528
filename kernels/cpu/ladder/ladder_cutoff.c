/* SPDX-License-Identifier: MIT */
/* Runs the sources of kernels/ladder/cutoff, some regions of the map at a time, on one thread or on all, and then adds the
 * atoms that had no slot; called by ladder.c. Its twin is cuda/ladder/ladder_cutoff.cu. */
#include <string.h>

#include "direct.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/ladder/ladder_bins.h"
#include "ladder_steps.h"

/* Of a thread, until a Stop is seen. */
#define TESTS_AT_ONCE 1e8
#define OVERFLOW_SOURCE "cutoff/02-cube.c"

typedef struct {
  const DebyeLadderBins *bins;
  DebyeLadderRegions *regions;
  DebyeLadderSumOverflow *sum_overflow;
  float *map;
  size_t first, end, n_threads;
} Work;

static void
do_regions(void *context, size_t thread)
{
  const Work *work = context;
  const DebyeLadderBins *bins = work->bins;
  const int *shape = bins->shape;
  const float *step = bins->step;
  work->regions(work->map, shape[0], shape[1], shape[2], step[0], step[1], step[2], &bins->frame.atoms->x,
                (int)bins->frame.n_atoms, &bins->slots->x, bins->head, bins->next, bins->bins[0],
                bins->bins[1], bins->reach, bins->offsets, bins->n_offsets, bins->cutoff2, bins->core2,
                (int)work->first, (int)work->end, (int)thread, (int)work->n_threads);
}

static void
do_overflow(void *context, size_t thread)
{
  const Work *work = context;
  const DebyeLadderBins *bins = work->bins;
  const int *shape = bins->shape;
  const float *step = bins->step;
  work->sum_overflow(work->map, shape[0], shape[1], shape[2], step[0], step[1], step[2], &bins->overflow->x,
                     (int)bins->count.n_overflowing, bins->cutoff2, bins->core2, (int)thread,
                     (int)work->n_threads);
}

/* FALSE where it was stopped. */
static bool
sum_regions(Work *work, bool tests_all, DebyePool *pool, const volatile bool *cancel)
{
  const size_t some =
      debye_ladder_bins_at_once(work->bins, tests_all, TESTS_AT_ONCE * (double)work->n_threads);
  for (work->first = 0; work->first < work->bins->n_regions; work->first = work->end) {
    work->end = work->bins->n_regions - work->first < some ? work->bins->n_regions : work->first + some;
    if (debye_is_cancelled(cancel))
      return false;
    debye_parallel_for(pool, work->n_threads, do_regions, work, NULL);
  }
  return !debye_is_cancelled(cancel);
}

static DebyeStatusCode
run_code(const DebyeLadderCode *code, DebyeLadderBins *bins, float *map, DebyePool *pool,
         const volatile bool *cancel, DebyeStatus *status)
{
  Work work = {.bins = bins,
               .regions = code->regions,
               .sum_overflow = debye_ladder_find_code(OVERFLOW_SOURCE)->sum_overflow,
               .map = map,
               .n_threads = debye_pool_get_threads(pool)};
  const double start = debye_ladder_now();
  const bool is_whole = sum_regions(&work, !code->has_bins, pool, cancel);
  const double middle = debye_ladder_now();
  if (is_whole && code->has_slots && bins->count.n_overflowing > 0)
    debye_parallel_for(pool, work.n_threads, do_overflow, &work, NULL);
  bins->count.device_seconds = middle - start;
  bins->count.host_seconds = debye_ladder_now() - middle;
  return is_whole ? debye_status_ok(status) : debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
}

DebyeStatusCode
debye_ladder_cutoff_run(const char *source, const DebyeLadderProblem *problem, float *map, double *seconds,
                        const volatile bool *cancel, DebyeStatus *status)
{
  const DebyeLadderCode *found = debye_ladder_find_code(source);
  DebyeLadderBins bins;
  DebyeStatusCode code = debye_ladder_bins_init(&bins, problem, status);
  if (code == DEBYE_STATUS_OK) {
    DebyePool *pool = found->uses_threads ? debye_pool_new(debye_cpu_get_threads()) : NULL;
    memset(map, 0, debye_grid_n_points(&problem->grid) * sizeof *map);
    code = run_code(found, &bins, map, pool, cancel, status);
    debye_pool_free(pool);
    *seconds = bins.count.device_seconds + bins.count.host_seconds;
    if (problem->overflow != NULL && found->has_slots)
      *problem->overflow = bins.count;
  }
  debye_ladder_bins_clear(&bins);
  return code;
}
