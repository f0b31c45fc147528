/* SPDX-License-Identifier: MIT */
/* Pair distances counted by all threads into one histogram, without and with atomic additions; its twin is
 * cuda/ladder/ladder_histogram.cu. */
#include <stdatomic.h>
#include <stdlib.h>

#include "kernels/ladder/ladder_math.h"
#include "ladder_steps.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/cpu/common/cpu_settings.h"

typedef struct {
  const DebyeLadderPairs *pairs;
  float inverse_width, range2;
  bool atomically;
  _Atomic uint64_t *counts;
} Count;

/* Load, add, store: between the load and the store another thread may have counted, and that is lost. Each of
 * the two is atomic by itself, so that the program stays a defined one and only its result is wrong. */
static void
add_apart(_Atomic uint64_t *count)
{
  uint64_t before = atomic_load_explicit(count, memory_order_relaxed);
  atomic_store_explicit(count, before + 1, memory_order_relaxed);
}

static void
count_of_atom(void *context, size_t i)
{
  const Count *count = context;
  const DebyeLadderPairs *pairs = count->pairs;
  const float x = pairs->x[i], y = pairs->y[i], z = pairs->z[i];
  for (size_t j = i + 1; j < pairs->n; j++) {
    const float dx = pairs->x[j] - x, dy = pairs->y[j] - y, dz = pairs->z[j] - z;
    const float r2 = dx * dx + dy * dy + dz * dz;
    if (!(r2 < count->range2))
      continue;
    const unsigned bin = debye_ladder_bin(r2, count->inverse_width);
    if (bin >= pairs->n_bins)
      continue;
    if (count->atomically)
      atomic_fetch_add_explicit(&count->counts[bin], 1, memory_order_relaxed);
    else
      add_apart(&count->counts[bin]);
  }
}

DebyeStatusCode
debye_ladder_count_pairs(const DebyeLadderPairs *pairs, bool atomically, uint64_t *counts, double *seconds,
                         const volatile bool *cancel, DebyeStatus *status)
{
  Count count = {.pairs = pairs,
                 .inverse_width = (float)((double)pairs->n_bins / pairs->r_max),
                 .range2 = (float)(pairs->r_max * pairs->r_max),
                 .atomically = atomically,
                 .counts = calloc(pairs->n_bins, sizeof *count.counts)};
  DebyePool *pool = debye_pool_new(debye_cpu_get_threads());
  DebyeStatusCode code = debye_status_ok(status);
  if (pool == NULL || count.counts == NULL) {
    code =
        debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for %zu bins.", pairs->n_bins);
  } else {
    double start = debye_ladder_now();
    if (!debye_parallel_for(pool, pairs->n, count_of_atom, &count, cancel))
      code = debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
    *seconds = debye_ladder_now() - start;
    for (size_t bin = 0; bin < pairs->n_bins; bin++)
      counts[bin] = atomic_load_explicit(&count.counts[bin], memory_order_relaxed);
  }
  debye_pool_free(pool);
  free(count.counts);
  return code;
}
