/* SPDX-License-Identifier: MIT */
/* Pair histograms on the CPU; its twin is cuda/pairs/pair_histogram.cu.
 *
 * A chunk of work is a few tasks (pair_layout.h) of one pair of groups. They are counted into a histogram of
 * 32 bits that stays in first-level cache and is added to the total at the end of the chunk. */
#include "kernels/pairs/pair_histogram.h"

#include <string.h>

#include "pair_exclusions.h"
#include "pair_meetings.h"
#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/unpack.h"

/* Chunks a thread at least, so that all end together; tasks a chunk at most. */
#define CHUNKS_A_THREAD 16
#define MAX_CHUNK_TASKS 32

/* One call of execute, shared by its chunks. */
typedef struct {
  DebyeCpuPairPlan *plan;
  uint64_t *counts;
  size_t begin, end; /* tasks */
  size_t chunk_tasks;
} DebyePairExecution;

static size_t
pair_of_task(const DebyeCpuPairPlan *plan, size_t task)
{
  size_t low = 0, high = plan->settings.n_pairs;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (plan->first_task[middle] <= task)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void
do_task(const DebyeCpuPairPlan *plan, DebyePairScratch *scratch, size_t pair, size_t task, uint64_t *counts)
{
  const DebyePairTiles *tiles = &plan->tiles;
  const DebyeGroupPair groups = plan->pairs[pair];
  const uint32_t first = debye_pair_first_group(tiles->columns, groups);
  DebyePairMeeting meeting = {.plan = plan,
                              .scratch = scratch,
                              .counts = counts,
                              .tile = tiles->group_tile[first] + (uint32_t)(task - plan->first_task[pair]),
                              .group = first == groups.a ? groups.b : groups.a,
                              .same_group = groups.a == groups.b};
  if (tiles->layout.nearest_only)
    debye_pair_meet_nearest(&meeting);
  else
    debye_pair_meet_all(&meeting);
}

static void
do_chunk(void *context, size_t chunk)
{
  const DebyePairExecution *execution = context;
  DebyeCpuPairPlan *plan = execution->plan;
  void *piece = debye_scratch_take(&plan->scratch);
  DebyePairScratch scratch = debye_pair_scratch_lay_out(piece);
  size_t task = execution->begin + chunk * execution->chunk_tasks, end = task + execution->chunk_tasks;
  end = end < execution->end ? end : execution->end;
  while (task < end) {
    size_t pair = pair_of_task(plan, task);
    uint64_t *counts = execution->counts + pair * plan->settings.n_bins;
    for (; task < end && task < plan->first_task[pair + 1]; task++)
      do_task(plan, &scratch, pair, task, counts);
    debye_pair_scratch_empty(plan, &scratch, counts);
  }
  debye_scratch_give(&plan->scratch, piece);
}

static void
number_tasks(DebyeCpuPairPlan *plan)
{
  size_t n = 0;
  for (size_t pair = 0; pair < plan->settings.n_pairs; pair++) {
    uint32_t first = debye_pair_first_group(plan->tiles.columns, plan->pairs[pair]);
    plan->first_task[pair] = n;
    n += plan->tiles.group_tile[first + 1] - plan->tiles.group_tile[first];
  }
  plan->first_task[plan->settings.n_pairs] = n;
}

static size_t
tasks_in_chunk(const DebyeCpuPairPlan *plan, size_t n_tasks)
{
  size_t tasks = n_tasks / (plan->n_threads * CHUNKS_A_THREAD);
  return tasks < 1 ? 1 : tasks < MAX_CHUNK_TASKS ? tasks : MAX_CHUNK_TASKS;
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, size_t first, size_t count, size_t n_slices, uint64_t *counts,
        const volatile bool *cancel, DebyeStatus *status)
{
  DebyeCpuPairPlan *plan = (DebyeCpuPairPlan *)handle;
  size_t n_excluded =
      debye_pair_exclusion_members(&plan->settings.exclusions) + plan->settings.exclusions.n_listed;
  DebyePairExecution execution = {
      .plan = plan,
      .counts = counts,
      .begin = debye_pair_slice_begin(plan->first_task[plan->settings.n_pairs], first, n_slices),
      .end = debye_pair_slice_begin(plan->first_task[plan->settings.n_pairs], first + count, n_slices),
  };
  DebyePairExcluding excluding = {.plan = plan,
                                  .counts = counts,
                                  .begin = debye_pair_slice_begin(n_excluded, first, n_slices),
                                  .end = debye_pair_slice_begin(n_excluded, first + count, n_slices)};
  if (first > n_slices || count > n_slices - first)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There are no slices %zu to %zu of %zu.", first,
                            first + count, n_slices);
  execution.chunk_tasks = tasks_in_chunk(plan, execution.end - execution.begin);
  size_t n_chunks = (execution.end - execution.begin + execution.chunk_tasks - 1) / execution.chunk_tasks;
  size_t excluded = excluding.end - excluding.begin;
  if (!debye_parallel_for(plan->pool, n_chunks, do_chunk, &execution, cancel) ||
      !debye_parallel_for(plan->pool,
                          (excluded + DEBYE_PAIR_EXCLUSION_CHUNK - 1) / DEBYE_PAIR_EXCLUSION_CHUNK,
                          debye_pair_exclude_chunk, &excluding, cancel) ||
      debye_is_cancelled(cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  return debye_status_ok(status);
}

static DebyePairFrame
unpack(DebyeCpuPairPlan *plan, const DebyePairFrame *frame)
{
  const size_t n = plan->settings.max_packed_atoms;
  float *x = plan->unpacked, *y = x + n, *z = y + n;
  debye_unpack(frame->packed, frame->atoms, frame->n, plan->pool, x, y, z);
  DebyePairFrame whole = *frame;
  whole.x = x;
  whole.y = y;
  whole.z = z;
  whole.packed = NULL;
  return whole;
}

static DebyeStatusCode
set_frame(DebyeKernelPlan *handle, const DebyePairFrame *frame, DebyeStatus *status)
{
  DebyeCpuPairPlan *plan = (DebyeCpuPairPlan *)handle;
  memset(plan->first_task, 0, (plan->settings.n_pairs + 1) * sizeof *plan->first_task);
  plan->tiles.n_frame = 0;
  DebyeStatusCode code = debye_pair_frame_check(&plan->settings, frame, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const DebyePairFrame given = frame->packed != NULL ? unpack(plan, frame) : *frame;
  code = debye_pair_tiles_set(&plan->tiles, &plan->settings, &given, plan->pool, status);
  if (code == DEBYE_STATUS_OK)
    number_tasks(plan);
  return code;
}

DEBYE_PLAN_HEAD(debye_cpu_pair_plan_kind)

const DebyePairHistogramKernel debye_cpu_pair_histogram = {
    .head = {bytes_needed, create, destroy},
    .set_frame = set_frame,
    .execute = execute,
};
