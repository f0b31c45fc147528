/* SPDX-License-Identifier: MIT */
/* The memory of pair histograms on a GPU, and the tables that stay as long as the plan; its twin is
 * cpu/pairs/pair_plan.c. */
#include "pair_plan.cuh"

#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/common/device_sort.cuh"

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
visit_memory(DebyeCudaPairPlan *plan, const DebyePairSettings *settings, uint64_t *bytes)
{
  const uint64_t atoms = room_for_atoms(settings), slots = debye_pair_max_slots(settings);
  const uint64_t tiles = most_tiles(settings), columns = debye_pair_max_columns(settings) + 1;
  const DebyePairExclusions *exclusions = &settings->exclusions;
  const uint64_t members = debye_pair_exclusion_members(exclusions);
  const uint64_t partners = exclusions->n_listed > 0 ? exclusions->partner_first[exclusions->n_listed] : 0;
  DebyeCudaPairPlan none = {};
  DebyeCudaPairPlan *to = plan != NULL ? plan : &none;
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
      {(void **)&to->counts, debye_cuda_pair_counters(settings) * sizeof(uint64_t)},
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

uint64_t
debye_cuda_pair_bytes(int device, const DebyePairSettings *settings)
{
  uint64_t bytes;
  (void)device;
  if (debye_pair_settings_check(settings, NULL) != DEBYE_STATUS_OK)
    return SIZE_MAX;
  visit_memory(NULL, settings, &bytes);
  /* What sorting takes besides, roughly. */
  return bytes + room_for_atoms(settings) + (1 << 20);
}

void
debye_cuda_pair_plan_free(DebyeCudaPairPlan *plan)
{
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

/* The end of its class for each member, so that a thread need not look for its class. */
static cudaError_t
copy_exclusions(DebyeCudaPairPlan *plan)
{
  const DebyePairExclusions *exclusions = &plan->settings.exclusions;
  const size_t members = debye_pair_exclusion_members(exclusions);
  uint32_t *end = (uint32_t *)calloc(members + 1, sizeof *end);
  if (end == NULL)
    return cudaErrorMemoryAllocation;
  for (size_t c = 0; c < exclusions->n_classes; c++)
    for (size_t at = exclusions->class_first[c]; at < exclusions->class_first[c + 1]; at++)
      end[at] = exclusions->class_first[c + 1];
  cudaError_t error = debye_cuda_upload(plan->member_end, end, members * sizeof *end);
  free(end);
  if (error == cudaSuccess && members > 0)
    error = debye_cuda_upload(plan->members, exclusions->members, members * sizeof(uint32_t));
  if (error == cudaSuccess && exclusions->n_listed > 0)
    error = debye_cuda_upload(plan->partner_first, exclusions->partner_first,
                              (exclusions->n_listed + 1) * sizeof(uint32_t));
  if (error == cudaSuccess && exclusions->n_listed > 0)
    error = debye_cuda_upload(plan->partners, exclusions->partners,
                              exclusions->partner_first[exclusions->n_listed] * sizeof(uint32_t));
  return error;
}

static cudaError_t
copy_tables(DebyeCudaPairPlan *plan)
{
  const DebyePairSettings *settings = &plan->settings;
  const size_t groups = settings->n_groups;
  double *edge2 = (double *)calloc(settings->n_bins + 1, sizeof *edge2);
  uint32_t *histogram_of = (uint32_t *)calloc(groups * groups, sizeof *histogram_of);
  cudaError_t error = edge2 != NULL && histogram_of != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
  if (error == cudaSuccess) {
    debye_pair_set_edges(edge2, settings->r_max, settings->n_bins);
    debye_pair_set_numbers(settings, histogram_of);
    error = debye_cuda_upload(plan->edge2, edge2, (settings->n_bins + 1) * sizeof *edge2);
  }
  if (error == cudaSuccess)
    error = debye_cuda_upload(plan->histogram_of, histogram_of, groups * groups * sizeof *histogram_of);
  free(edge2);
  free(histogram_of);
  return error == cudaSuccess ? copy_exclusions(plan) : error;
}

static cudaError_t
make_temporary(DebyeCudaPairPlan *plan)
{
  size_t sort = 0, scan = 0;
  cudaError_t error =
      debye_cuda_sort_pairs_64(NULL, &sort, plan->key, plan->key_sorted, plan->order, plan->order_sorted,
                               (uint32_t)room_for_atoms(&plan->settings), 64, plan->stream);
  if (error == cudaSuccess)
    error = debye_cuda_exclusive_sums(NULL, &scan, plan->n_tiles_of, plan->column_tile,
                                      (uint32_t)debye_pair_max_columns(&plan->settings) + 1, plan->stream);
  plan->temporary_bytes = sort > scan ? sort : scan;
  return error == cudaSuccess ? cudaMalloc(&plan->temporary, plan->temporary_bytes) : error;
}

static cudaError_t
make_device_parts(DebyeCudaPairPlan *plan)
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
    error = cudaHostAlloc((void **)&plan->counts_host,
                          debye_cuda_pair_values(&plan->settings) * sizeof(uint64_t), cudaHostAllocDefault);
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
set_launch(DebyeCudaPairPlan *plan)
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
  const double behind = (plan->settings.n_bins + 0.5) / launch->inverse_width;
  launch->behind2 = (float)(behind * behind);
  launch->work = plan->work;
  launch->counts = plan->counts;
  launch->next_item = plan->counts + debye_cuda_pair_values(&plan->settings);
  launch->stop = plan->counts + debye_cuda_pair_counters(&plan->settings) - 1;
}

/* What the host keeps; false on exhausted memory. */
static bool
make_host_parts(DebyeCudaPairPlan *plan, const DebyePairSettings *settings)
{
  plan->pairs = (DebyeGroupPair *)calloc(settings->n_pairs, sizeof *plan->pairs);
  plan->columns_host = (DebyePairColumns *)calloc(settings->n_groups, sizeof *plan->columns_host);
  plan->work_host = (DebyePairWork *)calloc(settings->n_pairs, sizeof *plan->work_host);
  plan->scan.group_size = (uint64_t *)calloc(settings->n_groups, sizeof *plan->scan.group_size);
  if (plan->pairs == NULL || plan->columns_host == NULL || plan->work_host == NULL ||
      plan->scan.group_size == NULL)
    return false;
  memcpy(plan->pairs, settings->pairs, settings->n_pairs * sizeof *plan->pairs);
  plan->settings.pairs = plan->pairs;
  return true;
}

DebyeCudaPairPlan *
debye_cuda_pair_plan_new(int device, const DebyePairSettings *settings, DebyeStatus *status)
{
  if (debye_pair_settings_check(settings, status) != DEBYE_STATUS_OK)
    return NULL;
  DebyeCudaPairPlan *plan = (DebyeCudaPairPlan *)calloc(1, sizeof *plan);
  if (plan != NULL) {
    plan->device = device;
    plan->settings = *settings;
  }
  if (plan == NULL || !make_host_parts(plan, settings)) {
    debye_cuda_pair_plan_free(plan);
    debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "The host has no memory for %zu pairs of groups.",
                     settings->n_pairs);
    return NULL;
  }
  const cudaError_t error = make_device_parts(plan);
  if (error != cudaSuccess) {
    debye_cuda_pair_plan_free(plan);
    debye_cuda_status(error, "planning the pair histogram", status);
    return NULL;
  }
  set_launch(plan);
  debye_status_ok(status);
  return plan;
}
