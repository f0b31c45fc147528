/* SPDX-License-Identifier: MIT */
/* The memory of pair histograms on the CPU; its twin is cuda/pairs/pair_plan.cu. */
#include "pair_plan.h"

#include <stdlib.h>
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

DebyePairScratch *
debye_pair_scratch_take(DebyeCpuPairPlan *plan)
{
  pthread_mutex_lock(&plan->mutex);
  DebyePairScratch *scratch = plan->free_scratch[--plan->n_free];
  pthread_mutex_unlock(&plan->mutex);
  return scratch;
}

void
debye_pair_scratch_give(DebyeCpuPairPlan *plan, DebyePairScratch *scratch)
{
  pthread_mutex_lock(&plan->mutex);
  plan->free_scratch[plan->n_free++] = scratch;
  pthread_mutex_unlock(&plan->mutex);
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

static uint64_t
scratch_bytes(const DebyePairSettings *settings)
{
  return sizeof(DebyePairScratch) + histogram_length(settings->n_bins) * sizeof(uint32_t) +
         (uint64_t)DEBYE_PAIR_MAX_TILE * DEBYE_PAIR_MAX_TILE * sizeof(DebyePairDoubt);
}

uint64_t
debye_cpu_pair_bytes(const DebyePairSettings *settings)
{
  return debye_pair_tiles_bytes(settings) + scratch_bytes(settings) * debye_cpu_get_threads() +
         (settings->n_bins + 1) * sizeof(double) +
         settings->n_groups * settings->n_groups * sizeof(uint32_t) +
         settings->n_pairs * (sizeof(DebyeGroupPair) + sizeof(size_t));
}

void
debye_cpu_pair_plan_free(DebyeCpuPairPlan *plan)
{
  if (plan == NULL)
    return;
  debye_pool_free(plan->pool);
  debye_pair_tiles_clear(&plan->tiles);
  for (unsigned i = 0; i < plan->n_threads && plan->scratch != NULL; i++) {
    free(plan->scratch[i].histogram);
    free(plan->scratch[i].doubts);
  }
  free(plan->scratch);
  free(plan->free_scratch);
  free(plan->pairs);
  free(plan->edge2);
  free(plan->histogram_of);
  free(plan->first_task);
  pthread_mutex_destroy(&plan->mutex);
  free(plan);
}

static bool
make_scratch(DebyeCpuPairPlan *plan)
{
  size_t length = histogram_length(plan->settings.n_bins);
  plan->n_threads = debye_pool_get_threads(plan->pool);
  plan->scratch = calloc(plan->n_threads, sizeof *plan->scratch);
  plan->free_scratch = calloc(plan->n_threads, sizeof(DebyePairScratch *));
  if (plan->scratch == NULL || plan->free_scratch == NULL)
    return false;
  for (unsigned i = 0; i < plan->n_threads; i++) {
    DebyePairScratch *scratch = &plan->scratch[i];
    scratch->histogram = calloc(length, sizeof *scratch->histogram);
    scratch->doubts = calloc((size_t)DEBYE_PAIR_MAX_TILE * DEBYE_PAIR_MAX_TILE, sizeof *scratch->doubts);
    if (scratch->histogram == NULL || scratch->doubts == NULL)
      return false;
    plan->free_scratch[plan->n_free++] = scratch;
  }
  return true;
}

static bool
make_tables(DebyeCpuPairPlan *plan)
{
  const DebyePairSettings *settings = &plan->settings;
  size_t groups = settings->n_groups;
  plan->pairs = calloc(settings->n_pairs, sizeof *plan->pairs);
  plan->edge2 = calloc(settings->n_bins + 1, sizeof *plan->edge2);
  plan->histogram_of = calloc(groups * groups, sizeof *plan->histogram_of);
  plan->first_task = calloc(settings->n_pairs + 1, sizeof *plan->first_task);
  if (plan->pairs == NULL || plan->edge2 == NULL || plan->histogram_of == NULL || plan->first_task == NULL)
    return false;
  memcpy(plan->pairs, settings->pairs, settings->n_pairs * sizeof *plan->pairs);
  plan->settings.pairs = plan->pairs;
  debye_pair_set_edges(plan->edge2, settings->r_max, settings->n_bins);
  plan->bins = debye_pair_bins(plan->edge2, settings->r_max, settings->n_bins);
  debye_pair_set_numbers(settings, plan->histogram_of);
  return true;
}

DebyeCpuPairPlan *
debye_cpu_pair_plan_new(const DebyePairSettings *settings)
{
  DebyeCpuPairPlan *plan = calloc(1, sizeof *plan);
  if (plan == NULL)
    return NULL;
  pthread_mutex_init(&plan->mutex, NULL);
  plan->settings = *settings;
  plan->loops = debye_pair_block_loops(debye_cpu_get_level());
  plan->pool = debye_pool_new(debye_cpu_threads_beside(settings->spare_cores));
  if (plan->pool == NULL || !make_tables(plan) || !make_scratch(plan) ||
      !debye_pair_tiles_init(&plan->tiles, settings)) {
    debye_cpu_pair_plan_free(plan);
    return NULL;
  }
  return plan;
}
