/* SPDX-License-Identifier: MIT */
/* Pair histograms on a GPU; its twin is cpu/pairs/pair_histogram.c. Sorting, tiles and counting all happen on
 * the device: the host sends positions and gets counts. */
#include "pair_kernel.cuh"

#include <string.h>
#include <time.h>

#include "pair_plan.cuh"

/* Items for each warp of the device, so that all end together. */
constexpr double ITEMS_A_WARP = 32.0;
constexpr uint32_t MAX_PARTS = 64;

static DebyeStatusCode
set_frame(DebyeKernelPlan *handle, const DebyePairFrame *frame, DebyeStatus *status)
{
  DebyeCudaPairPlan *plan = (DebyeCudaPairPlan *)handle;
  plan->has_frame = false;
  DebyeStatusCode code = debye_pair_scan(&plan->settings, frame, &plan->scan, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_pair_layout_set(&plan->launch.layout, plan->columns_host, &plan->settings, frame, &plan->scan);
  uint64_t n_sorted = 0;
  for (size_t g = 0; g < plan->settings.n_groups; g++)
    n_sorted += plan->scan.group_size[g];
  memset(plan->group_tile, 0, (plan->settings.n_groups + 1) * sizeof *plan->group_tile);
  plan->n_frame = n_sorted > 0 ? frame->n : 0;
  plan->has_frame = true;
  if (n_sorted == 0)
    return debye_status_ok(status);
  debye_stream_note(&plan->stream, cudaSetDevice(plan->device));
  debye_cuda_pair_set_tiles(plan, frame, (uint32_t)n_sorted);
  code = debye_stream_finish(&plan->stream, "sorting the atoms", status);
  plan->has_frame = code == DEBYE_STATUS_OK;
  plan->groups_number = plan->has_frame ? frame->groups_number : 0;
  return code;
}

/* For tiles of so many atoms. */
static DebyePairKernel
kernel_for(unsigned tile_atoms, bool shared)
{
  switch (tile_atoms) {
  case 32:
    return debye_pair_kernel<1>(shared);
  case 64:
    return debye_pair_kernel<2>(shared);
  case 128:
    return debye_pair_kernel<4>(shared);
  default:
    return debye_pair_kernel<8>(shared);
  }
}

static size_t
shared_bytes(const DebyeCudaPairPlan *plan, const DebyePairKernel *kernel, unsigned copies)
{
  return kernel->shared + debye_pair_counters(plan->settings.n_bins, copies) * sizeof(uint32_t);
}

/* As many counters for each bin as fit; 0 where not even one does. */
static unsigned
choose_copies(const DebyeCudaPairPlan *plan, const DebyePairKernel *kernel)
{
  unsigned copies = 32;
  while (copies > 0 && shared_bytes(plan, kernel, copies) > plan->shared_limit)
    copies /= 2;
  return copies;
}

/* The tasks [begin, end) as work for each pair of groups; returns how many pairs have some. */
static uint32_t
list_work(DebyeCudaPairPlan *plan, uint64_t begin, uint64_t end, uint64_t *n_tiles)
{
  uint64_t task = 0;
  uint32_t n = 0;
  *n_tiles = 0;
  for (size_t pair = 0; pair < plan->settings.n_pairs; pair++) {
    const DebyeGroupPair groups = plan->pairs[pair];
    const uint32_t first = debye_pair_first_group(plan->columns_host, groups);
    const uint64_t tiles = plan->group_tile[first + 1] - plan->group_tile[first];
    const uint64_t from = begin > task ? begin - task : 0, to = end > task ? end - task : 0;
    const uint64_t last = to < tiles ? to : tiles;
    task += tiles;
    if (from >= last || plan->columns_host[groups.a].n_atoms == 0 ||
        plan->columns_host[groups.b].n_atoms == 0)
      continue;
    DebyePairWork *work = &plan->work_host[n++];
    memset(work, 0, sizeof *work);
    work->n_items = last - from;
    work->first_tile = plan->group_tile[first] + (uint32_t)from;
    work->group = first == groups.a ? groups.b : groups.a;
    work->histogram = (uint32_t)pair;
    work->same_group = groups.a == groups.b;
    *n_tiles += last - from;
  }
  return n;
}

static uint64_t
count_tasks(const DebyeCudaPairPlan *plan)
{
  uint64_t tasks = 0;
  for (size_t pair = 0; pair < plan->settings.n_pairs; pair++) {
    const uint32_t first = debye_pair_first_group(plan->columns_host, plan->pairs[pair]);
    tasks += plan->group_tile[first + 1] - plan->group_tile[first];
  }
  return tasks;
}

/* Items enough for all warps. */
static void
share_work(DebyeCudaPairPlan *plan, uint32_t n_work, uint64_t n_tiles, unsigned n_warps)
{
  DebyePairLaunch *launch = &plan->launch;
  const double wanted = ITEMS_A_WARP * (double)n_warps / (double)n_tiles;
  launch->n_parts = wanted <= 1.0 ? 1 : wanted < MAX_PARTS ? (uint32_t)wanted : MAX_PARTS;
  launch->parts_by_tile = launch->layout.n_columns < 4 * launch->n_parts * plan->settings.n_groups;
  launch->n_work = n_work;
  for (uint32_t i = 0; i < n_work; i++)
    plan->work_host[i].n_items *= launch->n_parts;
}

/* The tasks [begin, end) with a kernel that has room for its histogram, or needs none. */
static void
launch_kernel(DebyeCudaPairPlan *plan, uint64_t begin, uint64_t end, DebyePairKernel kernel)
{
  uint64_t n_tiles;
  const uint32_t n_work = list_work(plan, begin, end, &n_tiles);
  if (n_work == 0)
    return;
  const unsigned copies = kernel.has_histogram ? choose_copies(plan, &kernel) : 1;
  const unsigned threads = 32 * kernel.warps, n_blocks = (unsigned)plan->multiprocessors;
  const size_t bytes = kernel.has_histogram ? shared_bytes(plan, &kernel, copies) : kernel.shared;
  void *arguments[] = {&plan->launch};
  DebyeStream *stream = &plan->stream;
  plan->launch.copies = copies;
  share_work(plan, n_work, n_tiles, kernel.warps * n_blocks);
  debye_stream_note(
      stream, cudaFuncSetAttribute(kernel.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
  debye_stream_upload(stream, plan->work, plan->work_host, n_work * sizeof *plan->work);
  if (debye_stream_is_good(stream))
    debye_stream_note(stream, cudaLaunchKernel(kernel.kernel, dim3(n_blocks), dim3(threads), arguments, bytes,
                                               stream->handle));
}

static void
launch_counting(DebyeCudaPairPlan *plan, uint64_t begin, uint64_t end)
{
  const unsigned tile_atoms = plan->launch.layout.tile_atoms;
  const DebyePairKernel shared = kernel_for(tile_atoms, true);
  launch_kernel(plan, begin, end, choose_copies(plan, &shared) > 0 ? shared : kernel_for(tile_atoms, false));
}

/* Waits without spinning long: the CPU lane needs the cores. False where it was told to stop; it says so to
 * the device at every look, since the first time may have been before the device was ready to hear it. */
static bool
wait_for(DebyeCudaPairPlan *plan, const volatile bool *cancel)
{
  bool stopped = false;
  long nanoseconds = 2000;
  cudaError_t error;
  while (debye_stream_is_good(&plan->stream) && (error = cudaEventQuery(plan->done)) != cudaSuccess) {
    if (error != cudaErrorNotReady)
      debye_stream_note(&plan->stream, error);
    cudaGetLastError();
    if (debye_is_cancelled(cancel)) {
      stopped = true;
      cudaMemcpyAsync(plan->counts + debye_cuda_pair_counters(&plan->settings) - 1, plan->one,
                      sizeof *plan->one, cudaMemcpyHostToDevice, plan->control.handle);
    }
    const struct timespec pause = {0, nanoseconds};
    nanosleep(&pause, NULL);
    nanoseconds += nanoseconds < 100000 ? nanoseconds / 4 : 0;
  }
  if (stopped)
    cudaStreamSynchronize(plan->control.handle);
  return !stopped;
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, size_t first, size_t count, size_t n_slices, uint64_t *counts,
        const volatile bool *cancel, DebyeStatus *status)
{
  DebyeCudaPairPlan *plan = (DebyeCudaPairPlan *)handle;
  const size_t n = debye_cuda_pair_values(&plan->settings);
  if (first > n_slices || count > n_slices - first || !plan->has_frame)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There are no slices %zu to %zu of %zu.", first,
                            first + count, n_slices);
  if (debye_is_cancelled(cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  const uint64_t tasks = count_tasks(plan);
  DebyeStream *stream = &plan->stream;
  debye_stream_note(stream, cudaSetDevice(plan->device));
  debye_stream_clear(stream, plan->counts, debye_cuda_pair_counters(&plan->settings) * sizeof *plan->counts);
  launch_counting(plan, debye_pair_slice_begin(tasks, first, n_slices),
                  debye_pair_slice_begin(tasks, first + count, n_slices));
  if (plan->n_frame > 0)
    debye_cuda_pair_take_exclusions(plan, first, first + count, n_slices);
  debye_stream_download(stream, plan->counts_host, plan->counts, n * sizeof *counts);
  debye_stream_record(stream, plan->done);
  const bool finished = wait_for(plan, cancel);
  const DebyeStatusCode code = debye_stream_report(stream, "counting pairs", status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (!finished)
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  for (size_t i = 0; i < n; i++)
    counts[i] += plan->counts_host[i];
  return debye_status_ok(status);
}

DEBYE_PLAN_HEAD(debye_cuda_pair_plan_kind)

extern "C" const DebyePairHistogramKernel debye_cuda_pair_histogram = {
    .head = {bytes_needed, create, destroy},
    .set_frame = set_frame,
    .execute = execute,
};
