/* SPDX-License-Identifier: MIT */
/* The plan of pair histograms on a GPU: its memory and the tables that stay as long as it does; its twin is
 * cpu/pairs/pair_plan.c. */
#include "pair_plan.cuh"

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

/* Each frame chooses its own. */
static DebyePackedAtoms
packed_atoms(const DebyePairSettings *settings)
{
  return {settings->max_packed_atoms, NULL, settings->max_packed_atoms};
}

/* Of CUB, which only says how much it needs. 0 on an error, which the plan meets again when it sorts. */
static size_t
scratch_bytes(const DebyePairSettings *settings)
{
  size_t sort = 0, scan = 0;
  debye_cuda_sort_pairs_64(NULL, &sort, NULL, NULL, NULL, NULL, (uint32_t)room_for_atoms(settings), 64, NULL);
  debye_cuda_exclusive_sums(NULL, &scan, NULL, NULL, (uint32_t)debye_pair_max_columns(settings) + 1, NULL);
  return sort > scan ? sort : scan;
}

/* Exclusions are the caller's, and may be gone before the plan is. */
static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  DebyeCudaPairPlan *plan = (DebyeCudaPairPlan *)made;
  const DebyePairSettings *settings = (const DebyePairSettings *)data;
  const DebyePairExclusions *exclusions = &settings->exclusions;
  const DebyeStatusCode code = debye_pair_settings_check(settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  cudaSetDevice(device);
  plan->device = device;
  plan->settings = *settings;
  plan->n_members = debye_pair_exclusion_members(exclusions);
  plan->n_partners = exclusions->n_listed > 0 ? exclusions->partner_first[exclusions->n_listed] : 0;
  plan->temporary_bytes = scratch_bytes(settings);
  return code;
}

static void
list_exclusions(DebyeCudaPairPlan *plan, DebyePlanMemory *memory)
{
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->members, plan->n_members);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->member_end, plan->n_members);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->member_end_host, plan->n_members);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->partners, plan->n_partners);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->partner_first, plan->settings.exclusions.n_listed + 1);
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeCudaPairPlan *plan = (DebyeCudaPairPlan *)made;
  const DebyePairSettings *settings = &plan->settings;
  const uint64_t atoms = settings->max_atoms, slots = debye_pair_max_slots(settings),
                 groups = settings->n_groups;
  const DebyePackedAtoms packed = packed_atoms(settings);
  const uint64_t tiles = most_tiles(settings), columns = debye_pair_max_columns(settings) + 1;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->xyz, 3 * atoms);
  debye_cuda_packed_list(&plan->packed, &packed, memory);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->group, atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->chosen, settings->max_packed_atoms > 0 ? atoms : 0);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->place, 3 * atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->key, atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->key_sorted, atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->order, atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->order_sorted, atoms);
  debye_plan_memory_add(memory, DEBYE_MEMORY_DEVICE, &plan->temporary, plan->temporary_bytes, 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->columns, groups);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->columns_host, groups);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->column_atom, columns);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->n_tiles_of, columns);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->column_tile, columns);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->group_tile_device, groups + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->group_tile, groups + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->box, tiles);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->n_atoms, tiles);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->atom, slots);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->slots, slots);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->edge2, settings->n_bins + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->edge2_host, settings->n_bins + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->work, settings->n_pairs);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->work_host, settings->n_pairs);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->counts, debye_cuda_pair_counters(settings));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->counts_host, debye_cuda_pair_values(settings));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->one, 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->histogram_of, groups * groups);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->histogram_of_host, groups * groups);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->pairs, settings->n_pairs);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->scan.group_size, groups);
  list_exclusions(plan, memory);
}

/* The end of its class for each member, so that a thread need not look for its class. */
static void
upload_exclusions(DebyeCudaPairPlan *plan)
{
  const DebyePairExclusions *exclusions = &plan->settings.exclusions;
  DebyeStream *stream = &plan->stream;
  for (size_t c = 0; c < exclusions->n_classes; c++)
    for (size_t at = exclusions->class_first[c]; at < exclusions->class_first[c + 1]; at++)
      plan->member_end_host[at] = exclusions->class_first[c + 1];
  debye_stream_upload(stream, plan->member_end, plan->member_end_host, plan->n_members * sizeof(uint32_t));
  debye_stream_upload(stream, plan->members, exclusions->members, plan->n_members * sizeof(uint32_t));
  if (exclusions->n_listed == 0)
    return;
  debye_stream_upload(stream, plan->partner_first, exclusions->partner_first,
                      (exclusions->n_listed + 1) * sizeof(uint32_t));
  debye_stream_upload(stream, plan->partners, exclusions->partners, plan->n_partners * sizeof(uint32_t));
}

static void
upload_tables(DebyeCudaPairPlan *plan)
{
  const DebyePairSettings *settings = &plan->settings;
  const size_t groups = settings->n_groups;
  debye_pair_set_edges(plan->edge2_host, settings->r_max, settings->n_bins);
  debye_pair_set_numbers(settings, plan->histogram_of_host);
  debye_stream_upload(&plan->stream, plan->edge2, plan->edge2_host, (settings->n_bins + 1) * sizeof(double));
  debye_stream_upload(&plan->stream, plan->histogram_of, plan->histogram_of_host,
                      groups * groups * sizeof(uint32_t));
  upload_exclusions(plan);
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

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeCudaPairPlan *plan = (DebyeCudaPairPlan *)made;
  DebyeStream *stream = &plan->stream;
  int limit = 0;
  debye_stream_open(stream);
  debye_stream_open(&plan->control);
  debye_stream_note(stream, plan->control.error);
  debye_stream_note(
      stream, cudaDeviceGetAttribute(&plan->multiprocessors, cudaDevAttrMultiProcessorCount, plan->device));
  debye_stream_note(stream,
                    cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, plan->device));
  debye_stream_new_event(stream, &plan->done);
  const DebyePackedAtoms packed = packed_atoms(&plan->settings);
  debye_cuda_packed_open(&plan->packed, &packed, stream);
  plan->shared_limit = (size_t)limit;
  *plan->one = 1;
  memcpy(plan->pairs, plan->settings.pairs, plan->settings.n_pairs * sizeof *plan->pairs);
  plan->settings.pairs = plan->pairs;
  upload_tables(plan);
  set_launch(plan);
  return debye_stream_finish(stream, "planning the pair histogram", status);
}

static void
clear(void *made)
{
  DebyeCudaPairPlan *plan = (DebyeCudaPairPlan *)made;
  cudaSetDevice(plan->device);
  debye_stream_close(&plan->stream);
  debye_stream_close(&plan->control);
  debye_event_free(plan->done);
  debye_cuda_packed_close(&plan->packed);
}

const DebyePlanKind debye_cuda_pair_plan_kind =
    DEBYE_PLAN_KIND(DebyeCudaPairPlan, debye_cuda_memory_source, .prepare = prepare, .clear = clear);
