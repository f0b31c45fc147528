/* SPDX-License-Identifier: MIT */
/* Runs the sources of kernels/ladder/histogram, some atoms at a time, on one thread or on all; called by ladder.c. Its
 * twin is cuda/ladder/ladder_histogram.cu. */
#include <stdlib.h>

#include "direct.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/cpu/common/parallel.h"
#include "ladder_steps.h"

/* Of a thread, until a Stop is seen. */
#define PAIRS_AT_ONCE 1e7

typedef struct {
  const DebyeLadderPairs *pairs;
  DebyeLadderCount *count;
  unsigned long long *counts, *scratch;
  float bins_per_angstrom, edge[3];
  size_t first, end, n_threads;
} Work;

static void
do_thread(void *context, size_t thread)
{
  const Work *work = context;
  const DebyeLadderPairs *pairs = work->pairs;
  work->count(work->counts, (int)pairs->n_bins, work->bins_per_angstrom, pairs->x, pairs->y, pairs->z,
              (int)pairs->n, (int)work->first, (int)work->end, work->edge[0], work->edge[1], work->edge[2],
              work->scratch, (int)thread, (int)work->n_threads);
}

/* FALSE where it was stopped. */
static bool
count_all(Work *work, DebyePool *pool, const volatile bool *cancel)
{
  const size_t n = work->pairs->n;
  const size_t some = (size_t)(PAIRS_AT_ONCE * (double)work->n_threads / ((double)n + 1.0)) + 1;
  for (work->first = 0; work->first < n; work->first = work->end) {
    work->end = n - work->first < some ? n : work->first + some;
    if (debye_is_cancelled(cancel))
      return false;
    debye_parallel_for(pool, work->n_threads, do_thread, work, NULL);
  }
  return true;
}

static DebyeStatusCode
run_code(Work *work, DebyePool *pool, uint64_t *counts, double *seconds, const volatile bool *cancel,
         DebyeStatus *status)
{
  const size_t n_bins = work->pairs->n_bins;
  const double start = debye_ladder_now();
  const bool is_whole = count_all(work, pool, cancel);
  *seconds = debye_ladder_now() - start;
  for (size_t bin = 0; bin < n_bins; bin++)
    counts[bin] = work->counts[bin];
  return is_whole ? debye_status_ok(status) : debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
}

DebyeStatusCode
debye_ladder_count_pairs(const char *source, const DebyeLadderPairs *pairs, uint64_t *counts, double *seconds,
                         const volatile bool *cancel, DebyeStatus *status)
{
  const DebyeLadderCode *found = debye_ladder_find_code(source);
  DebyePool *pool = found->uses_threads ? debye_pool_new(debye_cpu_get_threads()) : NULL;
  Work work = {.pairs = pairs,
               .count = found->count,
               .bins_per_angstrom = debye_ladder_bins_per_angstrom(pairs),
               .n_threads = debye_pool_get_threads(pool)};
  for (int axis = 0; axis < 3; axis++)
    work.edge[axis] = debye_ladder_edge(pairs, axis);
  work.counts = calloc(pairs->n_bins, sizeof *work.counts);
  work.scratch = calloc((pairs->n_bins + 1) * work.n_threads, sizeof *work.scratch);
  DebyeStatusCode code = work.counts != NULL && work.scratch != NULL
                             ? run_code(&work, pool, counts, seconds, cancel, status)
                             : debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                                                "There is no memory for %zu bins.", pairs->n_bins);
  debye_pool_free(pool);
  free(work.counts);
  free(work.scratch);
  return code;
}
