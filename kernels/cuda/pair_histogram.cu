/* SPDX-License-Identifier: MIT */
/* Pair histograms on a GPU; its twin is cpu/pair_histogram.c. Sorting, tiles and counting all happen on the
 * device: the host sends positions and gets counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "device.cuh"
#include "kernels/pair_histogram.h"
#include "pair_histogram.cuh"
#include "pair_tiles.cuh"

/* One block a multiprocessor, so that its histogram has room for a counter a lane. */
constexpr int WARPS = 32;
constexpr int MIN_BLOCKS = 1;
/* Items for each warp of the device, so that all end together. */
constexpr double ITEMS_A_WARP = 32.0;
constexpr uint32_t MAX_PARTS = 64;

struct Plan {
  int device;
  DebyePairSettings settings;
  DebyeGroupPair *pairs;
  DebyePairColumns *columns_host;
  uint32_t *group_tile; /* n_groups + 1, pinned */
  DebyePairWork *work_host;
  uint64_t *counts_host; /* pinned */
  DebyePairScan scan;
  cudaStream_t stream, control; /* the second one brings the wish to stop past the kernels */
  cudaEvent_t done;
  unsigned long long *one; /* pinned: what is copied to stop */
  int multiprocessors;
  size_t shared_limit; /* bytes a block may have */

  float *xyz;
  uint32_t *group;
  double *place;
  uint64_t *key, *key_sorted;
  uint32_t *order, *order_sorted;
  void *temporary;
  size_t temporary_bytes;
  DebyePairColumns *columns;
  uint32_t *column_atom, *n_tiles_of, *column_tile, *group_tile_device;
  DebyeTileBox *box;
  uint32_t *n_atoms, *atom;
  float4 *slots;
  double *edge2;
  DebyePairWork *work;
  unsigned long long *counts; /* and behind them the next item of each work, and the wish to stop */
  uint32_t *members, *class_first, *member_end, *partners, *partner_first, *histogram_of;
  bool has_frame;
  size_t n_frame;
  DebyePairLaunch launch;
};

static size_t
n_values(const DebyePairSettings *settings)
{
  return settings->n_pairs * settings->n_bins;
}

/* All that stands in `counts`. */
static size_t
n_counters(const DebyePairSettings *settings)
{
  return n_values(settings) + settings->n_pairs + 1;
}

static uint64_t
room_for_atoms(const DebyePairSettings *settings)
{
  return settings->max_atoms > 0 ? settings->max_atoms : 1;
}

static uint64_t
most_tiles(const DebyePairSettings *settings)
{
  return debye_pair_max_tiles(settings, settings->tile_atoms > 0 ? settings->tile_atoms : 32);
}

/* Every allocation on the device, made or only added up. */
static cudaError_t
visit_memory(Plan *plan, const DebyePairSettings *settings, uint64_t *bytes)
{
  const uint64_t atoms = room_for_atoms(settings), slots = debye_pair_max_slots(settings);
  const uint64_t tiles = most_tiles(settings), columns = debye_pair_max_columns(settings) + 1;
  const DebyePairExclusions *exclusions = &settings->exclusions;
  const uint64_t members = debye_pair_exclusion_members(exclusions);
  const uint64_t partners = exclusions->n_listed > 0 ? exclusions->partner_first[exclusions->n_listed] : 0;
  Plan none = {};
  Plan *to = plan != NULL ? plan : &none;
  const struct {
    void **memory;
    uint64_t bytes;
  } parts[] = {
      {(void **)&to->xyz, 3 * atoms * sizeof(float)},
      {(void **)&to->group, atoms * sizeof(uint32_t)},
      {(void **)&to->place, 3 * atoms * sizeof(double)},
      {(void **)&to->key, atoms * sizeof(uint64_t)},
      {(void **)&to->key_sorted, atoms * sizeof(uint64_t)},
      {(void **)&to->order, atoms * sizeof(uint32_t)},
      {(void **)&to->order_sorted, atoms * sizeof(uint32_t)},
      {(void **)&to->columns, settings->n_groups * sizeof(DebyePairColumns)},
      {(void **)&to->column_atom, columns * sizeof(uint32_t)},
      {(void **)&to->n_tiles_of, columns * sizeof(uint32_t)},
      {(void **)&to->column_tile, columns * sizeof(uint32_t)},
      {(void **)&to->group_tile_device, (settings->n_groups + 1) * sizeof(uint32_t)},
      {(void **)&to->box, tiles * sizeof(DebyeTileBox)},
      {(void **)&to->n_atoms, tiles * sizeof(uint32_t)},
      {(void **)&to->atom, slots * sizeof(uint32_t)},
      {(void **)&to->slots, slots * sizeof(float4)},
      {(void **)&to->edge2, (settings->n_bins + 1) * sizeof(double)},
      {(void **)&to->work, settings->n_pairs * sizeof(DebyePairWork)},
      {(void **)&to->counts, n_counters(settings) * sizeof(uint64_t)},
      {(void **)&to->members, (members + 1) * sizeof(uint32_t)},
      {(void **)&to->member_end, (members + 1) * sizeof(uint32_t)},
      {(void **)&to->partners, (partners + 1) * sizeof(uint32_t)},
      {(void **)&to->partner_first, (exclusions->n_listed + 1) * sizeof(uint32_t)},
      {(void **)&to->histogram_of, settings->n_groups * settings->n_groups * sizeof(uint32_t)},
  };
  cudaError_t error = cudaSuccess;
  *bytes = 0;
  for (const auto &part : parts) {
    *bytes += part.bytes;
    if (plan != NULL && error == cudaSuccess)
      error = cudaMalloc(part.memory, part.bytes);
  }
  return error;
}

static uint64_t
bytes_needed(int device, const DebyePairSettings *settings)
{
  uint64_t bytes;
  (void)device;
  if (debye_pair_settings_check(settings, NULL) != DEBYE_STATUS_OK)
    return SIZE_MAX;
  visit_memory(NULL, settings, &bytes);
  /* What sorting takes besides, roughly. */
  return bytes + room_for_atoms(settings) + (1 << 20);
}

static void
destroy(DebyePairPlan *handle)
{
  Plan *plan = (Plan *)handle;
  if (plan == NULL)
    return;
  /* After a failure of the device these fail too; there is nothing else to do with it then. */
  cudaSetDevice(plan->device);
  void *const on_device[] = {plan->xyz,
                             plan->group,
                             plan->place,
                             plan->key,
                             plan->key_sorted,
                             plan->order,
                             plan->order_sorted,
                             plan->temporary,
                             plan->columns,
                             plan->column_atom,
                             plan->n_tiles_of,
                             plan->column_tile,
                             plan->group_tile_device,
                             plan->box,
                             plan->n_atoms,
                             plan->atom,
                             plan->slots,
                             plan->edge2,
                             plan->work,
                             plan->counts,
                             plan->members,
                             plan->member_end,
                             plan->partners,
                             plan->partner_first,
                             plan->histogram_of};
  for (void *memory : on_device)
    cudaFree(memory);
  if (plan->stream != NULL)
    cudaStreamDestroy(plan->stream);
  if (plan->control != NULL)
    cudaStreamDestroy(plan->control);
  if (plan->done != NULL)
    cudaEventDestroy(plan->done);
  cudaFreeHost(plan->one);
  cudaFreeHost(plan->counts_host);
  cudaFreeHost(plan->group_tile);
  cudaGetLastError();
  free(plan->pairs);
  free(plan->columns_host);
  free(plan->work_host);
  free(plan->scan.group_size);
  free(plan);
}

/* The kernel for tiles of so many atoms. */
static const void *
choose_kernel(unsigned tile_atoms, bool shared)
{
  switch (tile_atoms) {
  case 32:
    return shared ? (const void *)debye_count_pairs<1, WARPS, MIN_BLOCKS, true>
                  : (const void *)debye_count_pairs<1, WARPS, MIN_BLOCKS, false>;
  case 64:
    return shared ? (const void *)debye_count_pairs<2, WARPS, MIN_BLOCKS, true>
                  : (const void *)debye_count_pairs<2, WARPS, MIN_BLOCKS, false>;
  case 128:
    return shared ? (const void *)debye_count_pairs<4, WARPS, MIN_BLOCKS, true>
                  : (const void *)debye_count_pairs<4, WARPS, MIN_BLOCKS, false>;
  default:
    return shared ? (const void *)debye_count_pairs<8, WARPS, MIN_BLOCKS, true>
                  : (const void *)debye_count_pairs<8, WARPS, MIN_BLOCKS, false>;
  }
}

static size_t
shared_bytes(unsigned tile_atoms, size_t n_counters)
{
  return WARPS * tile_atoms * sizeof(float4) + sizeof(DebyePairShared<WARPS>) + n_counters * sizeof(uint32_t);
}

/* As many counters for each bin as fit; 0 where not even one does. */
static unsigned
choose_copies(const Plan *plan, unsigned tile_atoms)
{
  const size_t limit = MIN_BLOCKS == 1 ? plan->shared_limit : plan->shared_limit / MIN_BLOCKS - 1024;
  unsigned copies = 32;
  while (copies > 0 &&
         shared_bytes(tile_atoms, debye_first_waste(plan->settings.n_bins, copies) + 32) > limit)
    copies /= 2;
  return copies;
}

/* The end of its class for each member, so that a thread need not look for its class. */
static cudaError_t
copy_exclusions(Plan *plan)
{
  const DebyePairExclusions *exclusions = &plan->settings.exclusions;
  const size_t members = debye_pair_exclusion_members(exclusions);
  uint32_t *end = (uint32_t *)calloc(members + 1, sizeof *end);
  if (end == NULL)
    return cudaErrorMemoryAllocation;
  for (size_t c = 0; c < exclusions->n_classes; c++)
    for (size_t at = exclusions->class_first[c]; at < exclusions->class_first[c + 1]; at++)
      end[at] = exclusions->class_first[c + 1];
  cudaError_t error = cudaMemcpy(plan->member_end, end, members * sizeof *end, cudaMemcpyHostToDevice);
  free(end);
  if (error == cudaSuccess && members > 0)
    error =
        cudaMemcpy(plan->members, exclusions->members, members * sizeof(uint32_t), cudaMemcpyHostToDevice);
  if (error == cudaSuccess && exclusions->n_listed > 0)
    error = cudaMemcpy(plan->partner_first, exclusions->partner_first,
                       (exclusions->n_listed + 1) * sizeof(uint32_t), cudaMemcpyHostToDevice);
  if (error == cudaSuccess && exclusions->n_listed > 0)
    error = cudaMemcpy(plan->partners, exclusions->partners,
                       exclusions->partner_first[exclusions->n_listed] * sizeof(uint32_t),
                       cudaMemcpyHostToDevice);
  return error;
}

static cudaError_t
copy_tables(Plan *plan)
{
  const DebyePairSettings *settings = &plan->settings;
  const size_t groups = settings->n_groups;
  double *edge2 = (double *)calloc(settings->n_bins + 1, sizeof *edge2);
  uint32_t *histogram_of = (uint32_t *)calloc(groups * groups, sizeof *histogram_of);
  cudaError_t error = edge2 != NULL && histogram_of != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
  if (error == cudaSuccess) {
    debye_pair_set_edges(edge2, settings->r_max, settings->n_bins);
    debye_pair_set_numbers(settings, histogram_of);
    error = cudaMemcpy(plan->edge2, edge2, (settings->n_bins + 1) * sizeof *edge2, cudaMemcpyHostToDevice);
  }
  if (error == cudaSuccess)
    error = cudaMemcpy(plan->histogram_of, histogram_of, groups * groups * sizeof *histogram_of,
                       cudaMemcpyHostToDevice);
  free(edge2);
  free(histogram_of);
  return error == cudaSuccess ? copy_exclusions(plan) : error;
}

static cudaError_t
make_temporary(Plan *plan)
{
  size_t sort = 0, scan = 0;
  cudaError_t error = cub::DeviceRadixSort::SortPairs(
      NULL, sort, plan->key, plan->key_sorted, plan->order, plan->order_sorted,
      (int)room_for_atoms(&plan->settings), 0, 64, plan->stream);
  if (error == cudaSuccess)
    error = cub::DeviceScan::ExclusiveSum(NULL, scan, plan->n_tiles_of, plan->column_tile,
                                          (int)debye_pair_max_columns(&plan->settings) + 1, plan->stream);
  plan->temporary_bytes = sort > scan ? sort : scan;
  return error == cudaSuccess ? cudaMalloc(&plan->temporary, plan->temporary_bytes) : error;
}

static cudaError_t
make_device_parts(Plan *plan)
{
  uint64_t bytes;
  int limit = 0;
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&plan->multiprocessors, cudaDevAttrMultiProcessorCount, plan->device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, plan->device);
  plan->shared_limit = (size_t)limit;
  if (error == cudaSuccess)
    error = cudaStreamCreateWithFlags(&plan->stream, cudaStreamNonBlocking);
  if (error == cudaSuccess)
    error = cudaStreamCreateWithFlags(&plan->control, cudaStreamNonBlocking);
  if (error == cudaSuccess)
    error = cudaEventCreateWithFlags(&plan->done, cudaEventDisableTiming);
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&plan->one, sizeof *plan->one, cudaHostAllocDefault);
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&plan->counts_host, n_values(&plan->settings) * sizeof(uint64_t),
                          cudaHostAllocDefault);
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&plan->group_tile, (plan->settings.n_groups + 1) * sizeof(uint32_t),
                          cudaHostAllocDefault);
  if (error == cudaSuccess)
    *plan->one = 1;
  if (error == cudaSuccess)
    error = visit_memory(plan, &plan->settings, &bytes);
  if (error == cudaSuccess)
    error = make_temporary(plan);
  return error == cudaSuccess ? copy_tables(plan) : error;
}

/* What of a launch does not change from frame to frame. */
static void
set_launch(Plan *plan)
{
  DebyePairLaunch *launch = &plan->launch;
  launch->columns = plan->columns;
  launch->column_tile = plan->column_tile;
  launch->tile_atoms = plan->n_atoms;
  launch->box = plan->box;
  launch->slots = plan->slots;
  launch->atom = plan->atom;
  launch->place = plan->place;
  launch->edge2 = plan->edge2;
  launch->n_bins = plan->settings.n_bins;
  launch->inverse_width = (double)plan->settings.n_bins / plan->settings.r_max;
  launch->work = plan->work;
  launch->counts = plan->counts;
  launch->next_item = plan->counts + n_values(&plan->settings);
  launch->stop = plan->counts + n_counters(&plan->settings) - 1;
}

static DebyeStatusCode
create(int device, const DebyePairSettings *settings, DebyePairPlan **handle, DebyeStatus *status)
{
  *handle = NULL;
  DebyeStatusCode code = debye_pair_settings_check(settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  Plan *plan = (Plan *)calloc(1, sizeof *plan);
  if (plan != NULL) {
    plan->device = device;
    plan->settings = *settings;
    plan->pairs = (DebyeGroupPair *)calloc(settings->n_pairs, sizeof *plan->pairs);
    plan->columns_host = (DebyePairColumns *)calloc(settings->n_groups, sizeof *plan->columns_host);
    plan->work_host = (DebyePairWork *)calloc(settings->n_pairs, sizeof *plan->work_host);
    plan->scan.group_size = (uint64_t *)calloc(settings->n_groups, sizeof *plan->scan.group_size);
  }
  if (plan == NULL || plan->pairs == NULL || plan->columns_host == NULL || plan->work_host == NULL ||
      plan->scan.group_size == NULL) {
    destroy((DebyePairPlan *)plan);
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "The host has no memory for %zu pairs of groups.",
                            settings->n_pairs);
  }
  memcpy(plan->pairs, settings->pairs, settings->n_pairs * sizeof *plan->pairs);
  plan->settings.pairs = plan->pairs;
  cudaError_t error = make_device_parts(plan);
  if (error != cudaSuccess) {
    destroy((DebyePairPlan *)plan);
    return debye_cuda_status(error, "planning the pair histogram", status);
  }
  set_launch(plan);
  *handle = (DebyePairPlan *)plan;
  return debye_status_ok(status);
}

static unsigned
blocks_for(uint64_t n, unsigned threads)
{
  return (unsigned)((n + threads - 1) / threads);
}

static cudaError_t
copy_frame(Plan *plan, const DebyePairFrame *frame)
{
  const float *const from[3] = {frame->x, frame->y, frame->z};
  const size_t n = frame->n;
  cudaError_t error = cudaSuccess;
  for (int k = 0; k < 3 && error == cudaSuccess; k++)
    error =
        cudaMemcpyAsync(plan->xyz + k * n, from[k], n * sizeof(float), cudaMemcpyHostToDevice, plan->stream);
  if (error == cudaSuccess && frame->group != NULL)
    error = cudaMemcpyAsync(plan->group, frame->group, n * sizeof(uint32_t), cudaMemcpyHostToDevice,
                            plan->stream);
  else if (error == cudaSuccess)
    error = cudaMemsetAsync(plan->group, 0, n * sizeof(uint32_t), plan->stream);
  if (error == cudaSuccess)
    error =
        cudaMemcpyAsync(plan->columns, plan->columns_host, plan->settings.n_groups * sizeof *plan->columns,
                        cudaMemcpyHostToDevice, plan->stream);
  return error;
}

/* Sorted by key; those of no group, whose key is the largest, at the end. */
static cudaError_t
sort_atoms(Plan *plan, const DebyePairFrame *frame)
{
  const DebyePairLayout *layout = &plan->launch.layout;
  const uint32_t n = (uint32_t)frame->n;
  int bits = DEBYE_PAIR_HEIGHT_BITS;
  while ((uint64_t)layout->n_columns >> (bits - DEBYE_PAIR_HEIGHT_BITS) > 0)
    bits++;
  debye_place_atoms<<<blocks_for(n, DEBYE_TILES_THREADS), DEBYE_TILES_THREADS, 0, plan->stream>>>(
      *layout, plan->columns, (uint32_t)plan->settings.n_groups, plan->xyz, plan->xyz + n,
      plan->xyz + 2 * (size_t)n, plan->group, n, plan->place, plan->key, plan->order);
  cudaError_t error = cudaGetLastError();
  size_t bytes = plan->temporary_bytes;
  /* One bit more, for the largest key. */
  return error == cudaSuccess
             ? cub::DeviceRadixSort::SortPairs(plan->temporary, bytes, plan->key, plan->key_sorted,
                                               plan->order, plan->order_sorted, (int)n, 0, bits + 1,
                                               plan->stream)
             : error;
}

static cudaError_t
make_tiles(Plan *plan, uint32_t n_sorted)
{
  const DebyePairLayout *layout = &plan->launch.layout;
  const uint32_t columns = layout->n_columns;
  debye_find_columns<<<blocks_for((uint64_t)n_sorted + 1, DEBYE_TILES_THREADS), DEBYE_TILES_THREADS, 0,
                       plan->stream>>>(plan->key_sorted, n_sorted, columns, plan->column_atom);
  debye_count_tiles_of_columns<<<blocks_for((uint64_t)columns + 1, DEBYE_TILES_THREADS), DEBYE_TILES_THREADS,
                                 0, plan->stream>>>(plan->column_atom, columns, layout->tile_atoms,
                                                    plan->n_tiles_of);
  cudaError_t error = cudaGetLastError();
  size_t bytes = plan->temporary_bytes;
  if (error == cudaSuccess)
    error = cub::DeviceScan::ExclusiveSum(plan->temporary, bytes, plan->n_tiles_of, plan->column_tile,
                                          (int)columns + 1, plan->stream);
  if (error != cudaSuccess)
    return error;
  uint64_t tiles = (uint64_t)n_sorted / layout->tile_atoms + columns;
  debye_fill_tiles<<<blocks_for(32 * tiles, DEBYE_TILES_THREADS), DEBYE_TILES_THREADS, 0, plan->stream>>>(
      layout->tile_atoms, plan->column_tile, plan->column_atom, columns, plan->order_sorted, plan->place,
      plan->box, plan->n_atoms, plan->slots, plan->atom);
  debye_gather_group_tiles<<<1, DEBYE_TILES_THREADS, 0, plan->stream>>>(
      plan->columns, (uint32_t)plan->settings.n_groups, plan->column_tile, columns, plan->group_tile_device);
  return cudaGetLastError();
}

static DebyeStatusCode
set_frame(DebyePairPlan *handle, const DebyePairFrame *frame, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
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
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess)
    error = copy_frame(plan, frame);
  if (error == cudaSuccess)
    error = sort_atoms(plan, frame);
  if (error == cudaSuccess)
    error = make_tiles(plan, (uint32_t)n_sorted);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(plan->group_tile, plan->group_tile_device,
                            (plan->settings.n_groups + 1) * sizeof *plan->group_tile, cudaMemcpyDeviceToHost,
                            plan->stream);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(plan->stream);
  plan->has_frame = error == cudaSuccess;
  return debye_cuda_status(error, "sorting the atoms", status);
}

/* Exclusions. */

struct Exclusions {
  DebyeLattice lattice;
  const uint32_t *members, *member_end, *partners, *partner_first, *group, *histogram_of;
  uint64_t n_members, begin, end;
  uint32_t n_groups, n_pairs;
  size_t n_frame;
  const double *place, *edge2;
  size_t n_bins;
  double inverse_width;
  unsigned long long *counts;
};

static __device__ __forceinline__ void
exclude(const Exclusions &e, uint32_t i, uint32_t j)
{
  if (i >= e.n_frame || j >= e.n_frame || e.group[i] >= e.n_groups || e.group[j] >= e.n_groups)
    return;
  const uint32_t pair = e.histogram_of[(size_t)e.group[i] * e.n_groups + e.group[j]];
  const DebyePairBins bins = {e.edge2, e.n_bins, e.inverse_width};
  const size_t u = i < j ? i : j, v = i < j ? j : i;
  const size_t bin = debye_pair_bin(&bins, debye_pair_nearest(&e.lattice, &e.place[3 * u], &e.place[3 * v]));
  if (pair < e.n_pairs && bin < e.n_bins)
    atomicAdd(&e.counts[pair * e.n_bins + bin], ~0ull);
}

static __global__ void
take_exclusions(const __grid_constant__ Exclusions e)
{
  const uint64_t at = e.begin + (uint64_t)blockIdx.x * DEBYE_TILES_THREADS + threadIdx.x;
  if (at >= e.end)
    return;
  if (at < e.n_members) {
    for (uint32_t other = (uint32_t)at + 1; other < e.member_end[at]; other++)
      exclude(e, e.members[at], e.members[other]);
  } else {
    const uint32_t i = (uint32_t)(at - e.n_members);
    for (uint32_t k = e.partner_first[i]; k < e.partner_first[i + 1]; k++)
      exclude(e, i, e.partners[k]);
  }
}

static cudaError_t
launch_exclusions(const Plan *plan, size_t first, size_t end, size_t n_slices)
{
  const DebyePairLaunch *launch = &plan->launch;
  const uint64_t members = debye_pair_exclusion_members(&plan->settings.exclusions);
  const uint64_t all = members + plan->settings.exclusions.n_listed;
  const Exclusions exclusions = {launch->layout.lattice,
                                 plan->members,
                                 plan->member_end,
                                 plan->partners,
                                 plan->partner_first,
                                 plan->group,
                                 plan->histogram_of,
                                 members,
                                 debye_pair_slice_begin(all, first, n_slices),
                                 debye_pair_slice_begin(all, end, n_slices),
                                 (uint32_t)plan->settings.n_groups,
                                 (uint32_t)plan->settings.n_pairs,
                                 plan->n_frame,
                                 plan->place,
                                 plan->edge2,
                                 plan->settings.n_bins,
                                 launch->inverse_width,
                                 plan->counts};
  if (exclusions.begin < exclusions.end)
    take_exclusions<<<blocks_for(exclusions.end - exclusions.begin, DEBYE_TILES_THREADS), DEBYE_TILES_THREADS,
                      0, plan->stream>>>(exclusions);
  return cudaGetLastError();
}

/* Counting. */

/* The tasks [begin, end) as work for each pair of groups; returns how many pairs have some. */
static uint32_t
list_work(Plan *plan, uint64_t begin, uint64_t end, uint64_t *n_tiles)
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
count_tasks(const Plan *plan)
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
share_work(Plan *plan, uint32_t n_work, uint64_t n_tiles, unsigned n_blocks)
{
  DebyePairLaunch *launch = &plan->launch;
  const double wanted = ITEMS_A_WARP * WARPS * (double)n_blocks / (double)n_tiles;
  launch->n_parts = wanted <= 1.0 ? 1 : wanted < MAX_PARTS ? (uint32_t)wanted : MAX_PARTS;
  launch->parts_by_tile = launch->layout.n_columns < 4 * launch->n_parts * plan->settings.n_groups;
  launch->n_work = n_work;
  for (uint32_t i = 0; i < n_work; i++)
    plan->work_host[i].n_items *= launch->n_parts;
}

static cudaError_t
launch_counting(Plan *plan, uint64_t begin, uint64_t end)
{
  const unsigned tile_atoms = plan->launch.layout.tile_atoms;
  uint64_t n_tiles;
  const uint32_t n_work = list_work(plan, begin, end, &n_tiles);
  if (n_work == 0)
    return cudaSuccess;
  const unsigned copies = choose_copies(plan, tile_atoms);
  const size_t bytes =
      shared_bytes(tile_atoms, copies > 0 ? debye_first_waste(plan->settings.n_bins, copies) + 32 : 0);
  const void *kernel = choose_kernel(tile_atoms, copies > 0);
  int blocks = 0;
  cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32 * WARPS, bytes);
  if (error != cudaSuccess)
    return error;
  const unsigned n_blocks = (unsigned)((blocks > 0 ? blocks : 1) * plan->multiprocessors);
  plan->launch.copies = copies > 0 ? copies : 1;
  share_work(plan, n_work, n_tiles, n_blocks);
  error = cudaMemcpyAsync(plan->work, plan->work_host, n_work * sizeof *plan->work, cudaMemcpyHostToDevice,
                          plan->stream);
  void *arguments[] = {&plan->launch};
  return error == cudaSuccess
             ? cudaLaunchKernel(kernel, dim3(n_blocks), dim3(32 * WARPS), arguments, bytes, plan->stream)
             : error;
}

/* Waits without spinning long: the CPU lane needs the cores. False where it was told to stop; it says so to
 * the device at every look, since the first time may have been before the device was ready to hear it. */
static bool
wait_for(const Plan *plan, const volatile bool *cancel, cudaError_t *error)
{
  bool stopped = false;
  for (long nanoseconds = 2000;; nanoseconds += nanoseconds < 100000 ? nanoseconds / 4 : 0) {
    *error = cudaEventQuery(plan->done);
    if (*error != cudaErrorNotReady)
      break;
    cudaGetLastError();
    if (debye_is_cancelled(cancel)) {
      stopped = true;
      cudaMemcpyAsync(plan->counts + n_counters(&plan->settings) - 1, plan->one, sizeof *plan->one,
                      cudaMemcpyHostToDevice, plan->control);
    }
    const struct timespec pause = {0, nanoseconds};
    nanosleep(&pause, NULL);
  }
  if (stopped)
    cudaStreamSynchronize(plan->control);
  return !stopped;
}

static DebyeStatusCode
execute(DebyePairPlan *handle, size_t first, size_t count, size_t n_slices, uint64_t *counts,
        const volatile bool *cancel, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  const size_t n = n_values(&plan->settings);
  if (first > n_slices || count > n_slices - first || !plan->has_frame)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There are no slices %zu to %zu of %zu.", first,
                            first + count, n_slices);
  if (debye_is_cancelled(cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  const uint64_t tasks = count_tasks(plan);
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess)
    error =
        cudaMemsetAsync(plan->counts, 0, n_counters(&plan->settings) * sizeof *plan->counts, plan->stream);
  if (error == cudaSuccess)
    error = launch_counting(plan, debye_pair_slice_begin(tasks, first, n_slices),
                            debye_pair_slice_begin(tasks, first + count, n_slices));
  if (error == cudaSuccess && plan->n_frame > 0)
    error = launch_exclusions(plan, first, first + count, n_slices);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(plan->counts_host, plan->counts, n * sizeof *counts, cudaMemcpyDeviceToHost,
                            plan->stream);
  if (error == cudaSuccess)
    error = cudaEventRecord(plan->done, plan->stream);
  bool finished = error == cudaSuccess && wait_for(plan, cancel, &error);
  if (error != cudaSuccess)
    return debye_cuda_status(error, "counting pairs", status);
  if (!finished)
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  for (size_t i = 0; i < n; i++)
    counts[i] += plan->counts_host[i];
  return debye_status_ok(status);
}

extern "C" const DebyePairHistogramKernel debye_cuda_pair_histogram = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_frame = set_frame,
    .execute = execute,
    .destroy = destroy,
};
