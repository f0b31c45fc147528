/* SPDX-License-Identifier: MIT */
/* The memory of pair histograms on the CPU; its twin is cuda/pairs/pair_plan.cu. */
#include "pair_plan.h"

#include <string.h>

#include "kernels/cpu/common/cpu_settings.h"

/* With more bins the copies would not stay in the caches: then there is one. */
#define MAX_COPIED_BINS 4096

unsigned
debye_pair_copies(size_t n_bins)
{
  return n_bins <= MAX_COPIED_BINS ? DEBYE_PAIR_COPIES : 1;
}

static size_t
histogram_length(size_t n_bins)
{
  return debye_pair_copies(n_bins) * (n_bins + DEBYE_PAIR_WASTE);
}

#define N_DOUBTS ((size_t)DEBYE_PAIR_MAX_TILE * DEBYE_PAIR_MAX_TILE)

DebyePairScratch
debye_pair_scratch_lay_out(void *piece)
{
  DebyePairDoubt *doubts = piece;
  return (DebyePairScratch){.doubts = doubts, .histogram = (uint32_t *)(doubts + N_DOUBTS)};
}

void
debye_pair_scratch_empty(const DebyeCpuPairPlan *plan, DebyePairScratch *scratch, uint64_t *counts)
{
  size_t n_bins = plan->settings.n_bins, stride = n_bins + DEBYE_PAIR_WASTE;
  for (size_t bin = 0; bin < n_bins; bin++) {
    uint64_t sum = 0;
    for (unsigned copy = 0; copy < debye_pair_copies(n_bins); copy++)
      sum += scratch->histogram[copy * stride + bin];
    if (sum > 0)
      __atomic_fetch_add(&counts[bin], sum, __ATOMIC_RELAXED);
  }
  memset(scratch->histogram, 0, histogram_length(n_bins) * sizeof *scratch->histogram);
  scratch->n_since = 0;
}

void
debye_pair_count_exact(const DebyeCpuPairPlan *plan, uint64_t *counts, double square, uint64_t by)
{
  size_t bin = debye_pair_bin(&plan->bins, square);
  if (bin < plan->settings.n_bins)
    __atomic_fetch_add(&counts[bin], by, __ATOMIC_RELAXED);
}

static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  DebyeCpuPairPlan *plan = made;
  (void)device;
  plan->settings = *(const DebyePairSettings *)settings;
  plan->n_threads = debye_cpu_threads_beside(plan->settings.spare_cores);
  return debye_pair_settings_check(&plan->settings, status);
}

/* Exclusions are the caller's, and may be gone before the plan is. */
static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeCpuPairPlan *plan = made;
  const DebyePairSettings *settings = &plan->settings;
  const uint64_t groups = settings->n_groups;
  const size_t a_thread =
      N_DOUBTS * sizeof(DebyePairDoubt) + histogram_length(settings->n_bins) * sizeof(uint32_t);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->pairs, settings->n_pairs);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->edge2, settings->n_bins + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->histogram_of, groups * groups);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->first_task, settings->n_pairs + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->unpacked, 3 * (uint64_t)settings->max_packed_atoms);
  debye_pair_tiles_list(&plan->tiles, settings, memory);
  debye_scratch_list(&plan->scratch, plan->n_threads, a_thread, memory);
}

static DebyeStatusCode
no_memory(const void *made, DebyeStatus *status)
{
  const DebyeCpuPairPlan *plan = made;
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for the pairs of %zu atoms.",
                          plan->settings.max_atoms);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeCpuPairPlan *plan = made;
  DebyePairSettings *settings = &plan->settings;
  plan->loops = debye_pair_block_loops(debye_cpu_get_level());
  plan->pool = debye_pool_new(plan->n_threads);
  if (plan->pool == NULL)
    return no_memory(plan, status);
  debye_scratch_init(&plan->scratch);
  memcpy(plan->pairs, settings->pairs, settings->n_pairs * sizeof *plan->pairs);
  settings->pairs = plan->pairs;
  debye_pair_set_edges(plan->edge2, settings->r_max, settings->n_bins);
  plan->bins = debye_pair_bins(plan->edge2, settings->r_max, settings->n_bins);
  debye_pair_set_numbers(settings, plan->histogram_of);
  return debye_status_ok(status);
}

DEBYE_SCRATCH_CLEAR_PLAN(DebyeCpuPairPlan)

const DebyePlanKind debye_cpu_pair_plan_kind = DEBYE_PLAN_KIND(
    DebyeCpuPairPlan, debye_host_memory_source, .no_memory = no_memory, .prepare = prepare, .clear = clear);
