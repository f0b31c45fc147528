/* SPDX-License-Identifier: MIT */
/* Histograms of displacements on the CPU; its twin is cuda/scattering/displacement_histogram.cu.
 *
 * A chunk is a few lags of all atoms, so that each sum is made by one thread in the order of the atoms. A few
 * atoms' positions are turned from frames into series once for all lags of a chunk. */
#include "kernels/scattering/displacement_histogram.h"

#include <stdlib.h>
#include <string.h>

#include "displacement_block.h"
#include "kernels/scattering/displacement_math.h"
#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/cpu/common/scratch.h"
#include "kernels/plan.h"

/* Atoms whose series are turned at once: a line of the cache of each frame. */
#define SLICE 16
#define MAX_LAGS 32
/* Increments that follow one another go to different copies, because a CPU that reads what it has just
 * written waits for it; short lags have few bins. */
#define COPIES 4
/* Counters of a chunk are 32 bits wide. */
#define MAX_PAIRS ((uint64_t)1 << 31)

typedef struct {
  DebyeDisplacementSettings settings;
  const DebyeDisplacementBlock *loops;
  uint32_t *lags;
  size_t row;  /* floats from one turned series to the next */
  size_t part; /* lags of a chunk */
  unsigned n_threads;
  double *edge2;
  DebyePairBins bins;
  DebyePool *pool;
  DebyeScratch scratch;
  DebyeSelfBlock block;
  uint32_t *order;
  size_t *group_end;
} Plan;

typedef struct {
  const Plan *plan;
  size_t first, count; /* lags */
  DebyeDisplacementSums *sums;
} Execution;

typedef struct {
  float *x, *y, *z;
  uint32_t *counts; /* [lag of the chunk][copy][n_bins + 1] */
} Scratch;

static size_t
row_of_series(size_t n_frames)
{
  /* Not a power of two apart: the rows of a slice would all fall on the same places of the cache. */
  return (n_frames + 15) / 16 * 16 + 16;
}

static size_t
counters_of_lag(const DebyeDisplacementSettings *settings)
{
  return COPIES * (settings->n_bins + 1);
}

static size_t
lags_of_chunk(const DebyeDisplacementSettings *settings, size_t n_threads)
{
  const size_t share = settings->n_lags / (4 * n_threads);
  return share < 1 ? 1 : share > MAX_LAGS ? MAX_LAGS : share;
}

static Scratch
lay_out(const Plan *plan, void *memory)
{
  const size_t n = SLICE * plan->row;
  float *positions = memory;
  return (Scratch){positions, positions + n, positions + 2 * n, (uint32_t *)(positions + 3 * n)};
}

static void
turn_slice(const Plan *plan, const uint32_t *atoms, size_t count, const Scratch *scratch)
{
  const DebyeSelfBlock *block = &plan->block;
  for (size_t t = 0; t < plan->settings.n_frames; t++)
    for (size_t i = 0; i < count; i++) {
      const size_t from = t * block->stride + atoms[i], to = i * plan->row + t;
      scratch->x[to] = block->x[from];
      scratch->y[to] = block->y[from];
      scratch->z[to] = block->z[from];
    }
}

static void
count_strip(const Plan *plan, const DebyeDisplacementStrip *strip, int32_t *bin, uint32_t *counts)
{
  const size_t copy = plan->settings.n_bins + 1;
  for (size_t t = 0; t < strip->n; t++) {
    size_t k = (size_t)bin[t];
    if (bin[t] < 0) {
      const size_t to = t + strip->lag;
      const float from_place[3] = {strip->x[t], strip->y[t], strip->z[t]};
      const float to_place[3] = {strip->x[to], strip->y[to], strip->z[to]};
      k = debye_displacement_bin(&plan->bins, from_place, to_place);
    }
    counts[t % COPIES * copy + k]++;
  }
}

static void
count_atom(const Plan *plan, const Scratch *scratch, size_t atom, size_t lag, uint32_t *counts,
           double *square, double *fourth)
{
  const size_t n = plan->settings.n_frames - lag;
  int32_t bin[DEBYE_DISPLACEMENT_STRIP];
  for (size_t first = 0; first < n; first += DEBYE_DISPLACEMENT_STRIP) {
    const size_t place = atom * plan->row + first, left = n - first;
    const DebyeDisplacementStrip strip = {
        .x = scratch->x + place,
        .y = scratch->y + place,
        .z = scratch->z + place,
        .lag = lag,
        .n = left < DEBYE_DISPLACEMENT_STRIP ? left : DEBYE_DISPLACEMENT_STRIP,
        .scale = (float)plan->bins.inverse_width,
        .end = (float)plan->settings.n_bins + 0.5f,
    };
    plan->loops->find(&strip, bin, square, fourth);
    count_strip(plan, &strip, bin, counts);
  }
}

static void
flush(const Plan *plan, uint32_t *counters, uint64_t *counts, uint64_t *beyond)
{
  const size_t n_bins = plan->settings.n_bins;
  for (size_t copy = 0; copy < COPIES; copy++) {
    const uint32_t *from = counters + copy * (n_bins + 1);
    for (size_t k = 0; k < n_bins; k++)
      counts[k] += from[k];
    *beyond += from[n_bins];
  }
  memset(counters, 0, counters_of_lag(&plan->settings) * sizeof *counters);
}

/* Atoms [first, end) of the order, all of one group, few enough for the counters. */
static void
count_atoms(const Execution *execution, size_t first, size_t end, size_t group, size_t first_lag,
            size_t n_lags, const Scratch *scratch)
{
  const Plan *plan = execution->plan;
  const DebyeDisplacementSums *sums = execution->sums;
  const size_t n_counters = counters_of_lag(&plan->settings);
  const size_t place = group * plan->settings.n_lags + first_lag;
  for (size_t atom = first; atom < end; atom += SLICE) {
    const size_t count = end - atom < SLICE ? end - atom : SLICE;
    turn_slice(plan, plan->order + atom, count, scratch);
    for (size_t l = 0; l < n_lags; l++)
      for (size_t i = 0; i < count; i++)
        count_atom(plan, scratch, i, debye_displacement_lag(&plan->settings, first_lag + l),
                   scratch->counts + l * n_counters, &sums->square[place + l], &sums->fourth[place + l]);
  }
  for (size_t l = 0; l < n_lags; l++)
    flush(plan, scratch->counts + l * n_counters, sums->counts + (place + l) * plan->settings.n_bins,
          &sums->beyond[place + l]);
}

static void
clear_sums(const Execution *execution, size_t group, size_t first, size_t count)
{
  const size_t n_bins = execution->plan->settings.n_bins;
  const size_t place = group * execution->plan->settings.n_lags + first;
  DebyeDisplacementSums *sums = execution->sums;
  memset(sums->counts + place * n_bins, 0, count * n_bins * sizeof *sums->counts);
  memset(sums->beyond + place, 0, count * sizeof *sums->beyond);
  memset(sums->square + place, 0, count * sizeof *sums->square);
  memset(sums->fourth + place, 0, count * sizeof *sums->fourth);
}

static void
count_chunk(void *context, size_t chunk)
{
  const Execution *execution = context;
  Plan *plan = (Plan *)execution->plan;
  const size_t first = execution->first + chunk * plan->part;
  const size_t left = execution->first + execution->count - first;
  const size_t n_lags = left < plan->part ? left : plan->part;
  const size_t max_atoms = MAX_PAIRS / plan->settings.n_frames;
  void *memory = debye_scratch_take(&plan->scratch);
  const Scratch scratch = lay_out(plan, memory);
  memset(scratch.counts, 0, n_lags * counters_of_lag(&plan->settings) * sizeof *scratch.counts);
  for (size_t group = 0, atom = 0; group < plan->settings.n_groups; group++) {
    clear_sums(execution, group, first, n_lags);
    while (atom < plan->group_end[group]) {
      const size_t in_group = plan->group_end[group] - atom,
                   count = in_group < max_atoms ? in_group : max_atoms;
      count_atoms(execution, atom, atom + count, group, first, n_lags, &scratch);
      atom += count;
    }
  }
  debye_scratch_give(&plan->scratch, memory);
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, size_t first, size_t count, DebyeDisplacementSums *sums,
        const volatile bool *cancel, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  Execution execution = {plan, first, count, sums};
  if (!debye_parallel_for(plan->pool, (count + plan->part - 1) / plan->part, count_chunk, &execution, cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Counting displacements was stopped.");
  return debye_status_ok(status);
}

static DebyeStatusCode
set_block(DebyeKernelPlan *handle, const DebyeSelfBlock *block, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  plan->block = (DebyeSelfBlock){.n_atoms = 0};
  memset(plan->group_end, 0, plan->settings.n_groups * sizeof *plan->group_end);
  DebyeStatusCode code = debye_displacement_block_check(&plan->settings, block, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_self_positions_check(block, 0, plan->settings.n_frames, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->block = *block;
  debye_self_sort_atoms(block, plan->settings.n_groups, plan->order, plan->group_end);
  return DEBYE_STATUS_OK;
}

/* The number of threads is asked for once: another job may set it meanwhile. */
static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  Plan *plan = made;
  (void)device;
  plan->settings = *(const DebyeDisplacementSettings *)settings;
  plan->row = row_of_series(plan->settings.n_frames);
  plan->part = lags_of_chunk(&plan->settings, debye_cpu_get_threads());
  plan->n_threads = debye_cpu_threads_beside(plan->settings.spare_cores);
  return debye_displacement_settings_check(&plan->settings, status);
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = made;
  const DebyeDisplacementSettings *settings = &plan->settings;
  const size_t a_thread =
      3 * SLICE * plan->row * sizeof(float) + plan->part * counters_of_lag(settings) * sizeof(uint32_t);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->order, settings->max_atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->group_end, settings->n_groups);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->edge2, settings->n_bins + 1);
  if (settings->lags != NULL)
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->lags, settings->n_lags);
  debye_scratch_list(&plan->scratch, plan->n_threads, a_thread, memory);
}

static DebyeStatusCode
no_memory(const void *made, DebyeStatus *status)
{
  const DebyeDisplacementSettings *settings = &((const Plan *)made)->settings;
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                          "There is no memory for displacements of %zu atoms in %zu bins.",
                          settings->max_atoms, settings->n_bins);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = made;
  DebyeDisplacementSettings *settings = &plan->settings;
  plan->loops = debye_displacement_block(debye_cpu_get_level());
  plan->pool = debye_pool_new(plan->n_threads);
  if (plan->pool == NULL)
    return no_memory(plan, status);
  debye_scratch_init(&plan->scratch);
  debye_displacement_set_edges(plan->edge2, settings->bin_width, settings->n_bins);
  plan->bins = (DebyePairBins){plan->edge2, settings->n_bins, 1.0 / settings->bin_width};
  if (settings->lags != NULL) {
    memcpy(plan->lags, settings->lags, settings->n_lags * sizeof *plan->lags);
    settings->lags = plan->lags;
  }
  return debye_status_ok(status);
}

DEBYE_SCRATCH_CLEAR_PLAN(Plan)
DEBYE_PLAN(Plan, debye_host_memory_source, .no_memory = no_memory, .prepare = prepare, .clear = clear)

const DebyeDisplacementKernel debye_cpu_displacement = {
    .head = {bytes_needed, create, destroy},
    .set_block = set_block,
    .execute = execute,
};
