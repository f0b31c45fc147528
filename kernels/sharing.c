/* SPDX-License-Identifier: MIT */
/* Implementation of sharing.h: what every family of kernels does alike when its work is shared over devices. */
#include "sharing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chunk_threads.h"

/* Values that a thread adds at a time. */
#define ADDED_VALUES ((size_t)1 << 15)

unsigned
debye_sharing_count_accelerators(const DebyeDeviceEntry *const *devices, size_t n_devices)
{
  unsigned n = 0;
  for (size_t i = 0; i < n_devices; i++)
    n += !debye_device_is_cpu(devices[i]);
  return n;
}

/* Memory. */

uint64_t
debye_sharing_fit(const DebyeKernelHead *kernel, const DebyeDeviceEntry *device, const void *settings,
                  size_t *chunk, uint64_t limit)
{
  for (;; *chunk = (*chunk + 1) / 2) {
    const uint64_t bytes = kernel->bytes_needed(device->device, settings);
    if (chunk == NULL || *chunk <= 1 || (bytes < UINT64_MAX && (limit == 0 || bytes <= limit)))
      return bytes;
  }
}

static size_t *
chunk_of(const DebyeSharingFamily *family, void *settings)
{
  return family->chunk > 0 ? (size_t *)(void *)((char *)settings + family->chunk) : NULL;
}

/* What is needed is rounded up: a limit of that size is enough. */
static DebyeStatusCode
check_memory(uint64_t bytes, uint64_t limit, DebyeStatus *status)
{
  const bool is_small = limit < 1000000;
  const double unit = is_small ? 1e3 : 1e6;
  if (limit == 0 || bytes <= limit)
    return debye_status_ok(status);
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "It needs %.1f %s, the limit is %.1f %s.",
                          0.1 * ceil(10.0 * (double)bytes / unit), is_small ? "kB" : "MB",
                          (double)limit / unit, is_small ? "kB" : "MB");
}

/* The lane's values are the host's, where the CPU has its plan, too. What can't be planned at all, the kernel
 * refuses with the reason. */
static DebyeStatusCode
fit_memory(const DebyeSharing *share, DebyeSharingLane *lane, DebyeStatus *status)
{
  const uint64_t own = lane->values_bytes, limit = lane->memory_limit;
  const uint64_t beside = debye_device_is_cpu(lane->device) ? own : 0;
  const uint64_t left = limit > beside ? limit - beside : limit > 0 ? 1 : 0;
  const uint64_t plan = debye_sharing_fit(lane->kernel, lane->device, lane->settings,
                                          chunk_of(share->family, lane->settings), left);
  if (plan == UINT64_MAX)
    return debye_status_ok(status);
  return check_memory(beside > 0 ? plan + beside : plan > own ? plan : own, limit, status);
}

void *
debye_sharing_values(DebyeSharingLane *lane, size_t bytes)
{
  if (bytes > lane->values_bytes || lane->values == NULL) {
    free(lane->values);
    lane->values = calloc(bytes > 0 ? bytes : 1, 1);
    lane->values_bytes = lane->values != NULL ? bytes : 0;
  }
  return lane->values;
}

/* A lane. */

static DebyeStatusCode
plan_lane(const DebyeSharing *share, DebyeSharingLane *lane, DebyeStatus *status)
{
  lane->settings = malloc(share->family->settings_size);
  if (lane->settings == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  memcpy(lane->settings, share->settings, share->family->settings_size);
  if (share->family->adjust != NULL)
    share->family->adjust(share, lane);
  const DebyeStatusCode code = fit_memory(share, lane, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (debye_sharing_values(lane, lane->values_bytes) == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  return lane->kernel->create(lane->device->device, lane->settings, &lane->plan, status);
}

static DebyeStatusCode
open_lane(void *context, const DebyeDeviceEntry *device, size_t number, void *state, DebyeStatus *status)
{
  const DebyeSharing *share = context;
  DebyeSharingLane *lane = state;
  lane->device = device;
  lane->number = number;
  lane->memory_limit = share->memory_limit;
  lane->values_bytes = share->values_bytes;
  memcpy(&lane->kernel, (const char *)device->backend + share->kernel, sizeof(const DebyeKernelHead *));
  if (lane->kernel == NULL)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED, "%s can't %s.", device->backend->title,
                            share->task);
  return share->family->alone ? debye_status_ok(status) : plan_lane(share, lane, status);
}

static void
close_lane(void *context, void *state)
{
  const DebyeSharing *share = context;
  DebyeSharingLane *lane = state;
  if (share->family->close != NULL)
    share->family->close(lane);
  if (lane->plan != NULL)
    lane->kernel->destroy(lane->plan);
  free(lane->settings);
  free(lane->values);
}

static DebyeStatusCode
set_input(const DebyeSharing *share, DebyeSharingLane *lane, size_t input, DebyeStatus *status)
{
  if (share->family->set == NULL || (lane->execution == share->execution && lane->input == input))
    return debye_status_ok(status);
  const DebyeStatusCode code = share->family->set(share, lane, input, status);
  lane->execution = code == DEBYE_STATUS_OK ? share->execution : 0;
  lane->input = input;
  return code;
}

/* Items of one input that are not yet done, as many as stand side by side and the plan takes. */
static size_t
run_length(const DebyeSharing *share, DebyeSharingLane *lane, size_t item, size_t end)
{
  const size_t n_items = share->job.n_items;
  const size_t *chunk = lane->plan != NULL ? chunk_of(share->family, lane->settings) : NULL;
  const size_t of_input = n_items - item % n_items;
  size_t most = of_input < end - item ? of_input : end - item, length = 0;
  if (chunk != NULL && *chunk < most)
    most = *chunk;
  while (length < most && !share->done[item + length])
    length++;
  return length;
}

static DebyeStatusCode
do_run(DebyeSharing *share, DebyeSharingLane *lane, DebyeSharingRun run, const volatile bool *cancel,
       DebyeStatus *status)
{
  lane->bad = run.input;
  DebyeStatusCode code = lane->plan == NULL ? plan_lane(share, lane, status) : DEBYE_STATUS_OK;
  if (code == DEBYE_STATUS_OK)
    code = set_input(share, lane, run.input, status);
  if (code == DEBYE_STATUS_OK)
    code = share->family->execute(share, lane, run, cancel, status);
  if (code == DEBYE_STATUS_INVALID) {
    pthread_mutex_lock(&share->mutex);
    share->bad = lane->bad;
    pthread_mutex_unlock(&share->mutex);
  }
  return code;
}

static DebyeStatusCode
do_items(void *context, void *state, size_t first, size_t count, const volatile bool *cancel,
         DebyeStatus *status)
{
  DebyeSharing *share = context;
  for (size_t item = first, length; item<first + count; item += length> 0 ? length : 1) {
    length = run_length(share, state, item, first + count);
    if (length == 0)
      continue;
    if (debye_is_cancelled(cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
    const DebyeSharingRun run = {item / share->job.n_items, item % share->job.n_items, length};
    const DebyeStatusCode code = do_run(share, state, run, cancel, status);
    if (code != DEBYE_STATUS_OK)
      return code;
    memset(share->done + item, true, length * sizeof *share->done);
  }
  return debye_status_ok(status);
}

static void
items_finished(void *context, size_t first, size_t count, size_t n_done)
{
  const DebyeSharingJob *job = &((const DebyeSharing *)context)->job;
  (void)first;
  (void)count;
  if (job->progress != NULL)
    job->progress(job->data, n_done, job->n_inputs * job->n_items);
}

/* The share. */

void *
debye_sharing_new(const DebyeSharingFamily *family, const void *settings, uint64_t memory_limit,
                  const DebyeDeviceEntry *const *devices, size_t n_devices)
{
  DebyeSharing *share = calloc(1, family->size);
  if (share == NULL)
    return NULL;
  share->family = family;
  share->task = family->task;
  share->kernel = family->kernel;
  share->memory_limit = memory_limit;
  share->n_lanes = n_devices;
  pthread_mutex_init(&share->mutex, NULL);
  share->work = (DebyeLaneWork){
      .context = share,
      .state_bytes = family->lane_size > 0 ? family->lane_size : sizeof(DebyeSharingLane),
      .open = open_lane,
      .work = do_items,
      .close = close_lane,
      .finished = family->finished != NULL ? family->finished : items_finished,
      .alone = family->alone,
  };
  share->settings = malloc(family->settings_size);
  share->lanes = debye_lanes_new(devices, n_devices);
  if (share->settings == NULL || share->lanes == NULL) {
    debye_sharing_free(share);
    return NULL;
  }
  memcpy(share->settings, settings, family->settings_size);
  if (family->spare_cores > 0)
    *(unsigned *)(void *)((char *)share->settings + family->spare_cores) =
        debye_sharing_count_accelerators(devices, n_devices);
  return share;
}

DebyeStatusCode
debye_sharing_open(DebyeSharing *share, DebyeStatus *status)
{
  return debye_lanes_open(share->lanes, &share->work, status);
}

DebyeStatusCode
debye_sharing_start(void *made, bool is_complete, DebyeSharing **share, DebyeStatus *status)
{
  DebyeStatusCode code = DEBYE_STATUS_NO_MEMORY;
  *share = NULL;
  if (is_complete)
    code = debye_sharing_open(made, status);
  else
    debye_status_set(status, code, "There is no memory to share the work.");
  if (code == DEBYE_STATUS_OK)
    *share = made;
  else
    debye_sharing_free(made);
  return code;
}

static bool
forget_items(DebyeSharing *share, size_t n_items)
{
  if (n_items > share->room) {
    free(share->done);
    share->done = malloc(n_items * sizeof *share->done);
    share->room = share->done != NULL ? n_items : 0;
  }
  if (share->done != NULL)
    memset(share->done, false, n_items * sizeof *share->done);
  return share->done != NULL;
}

DebyeStatusCode
debye_sharing_run(DebyeSharing *share, const DebyeSharingJob *job, DebyeStatus *status)
{
  const size_t n_items = job->n_inputs * job->n_items;
  if (n_items == 0)
    return debye_status_ok(status);
  if (!forget_items(share, n_items))
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory to share the work.");
  share->job = *job;
  share->execution += !job->same_inputs;
  share->bad = 0;
  share->work.part_items = job->apart ? job->n_items : 0;
  const DebyeStatusCode code = debye_lanes_run(share->lanes, n_items, job->item_cost, job->cancel, status);
  if (job->bad != NULL)
    *job->bad = share->bad;
  return code;
}

size_t
debye_sharing_get_reports(const DebyeSharing *share, const DebyeLaneReport **reports)
{
  return debye_lanes_get_reports(share->lanes, reports);
}

void
debye_sharing_free(DebyeSharing *share)
{
  if (share == NULL)
    return;
  debye_lanes_free(share->lanes);
  if (share->family->clear != NULL)
    share->family->clear(share);
  pthread_mutex_destroy(&share->mutex);
  free(share->settings);
  free(share->done);
  free(share);
}

/* Sums over parts. */

typedef struct {
  void *sum;
  const void *parts;
  size_t n, n_parts;
  bool is_counts;
} Addition;

static void
add_chunk(void *context, size_t chunk)
{
  const Addition *addition = context;
  const size_t n = addition->n, first = chunk * ADDED_VALUES;
  const size_t end = first + ADDED_VALUES < n ? first + ADDED_VALUES : n;
  for (size_t part = 0; part < addition->n_parts; part++) {
    if (addition->is_counts) {
      uint64_t *restrict sum = addition->sum;
      const uint64_t *restrict added = (const uint64_t *)addition->parts + part * n;
      for (size_t i = first; i < end; i++)
        sum[i] += added[i];
    } else {
      double *restrict sum = addition->sum;
      const double *restrict added = (const double *)addition->parts + part * n;
      for (size_t i = first; i < end; i++)
        sum[i] += added[i];
    }
  }
}

void
debye_sharing_add_values(double *sum, const double *parts, size_t n, size_t n_parts)
{
  Addition addition = {sum, parts, n, n_parts, false};
  debye_chunk_threads_run((n + ADDED_VALUES - 1) / ADDED_VALUES, add_chunk, &addition);
}

typedef struct {
  double *sum;
  const double *const *parts;
  size_t n, n_parts;
} Summation;

static void
sum_chunk(void *context, size_t chunk)
{
  const Summation *summation = context;
  const size_t n = summation->n, first = chunk * ADDED_VALUES;
  const size_t n_chunk = first + ADDED_VALUES < n ? ADDED_VALUES : n - first;
  double *restrict sum = summation->sum + first;
  if (summation->n_parts == 0)
    memset(sum, 0, n_chunk * sizeof *sum);
  for (size_t part = 0; part < summation->n_parts; part++) {
    const double *restrict added = summation->parts[part] + first;
    if (part == 0)
      memcpy(sum, added, n_chunk * sizeof *sum);
    for (size_t i = 0; part > 0 && i < n_chunk; i++)
      sum[i] += added[i];
  }
}

void
debye_sharing_sum_values(double *sum, const double *const *parts, size_t n, size_t n_parts)
{
  Summation summation = {sum, parts, n, n_parts};
  debye_chunk_threads_run((n + ADDED_VALUES - 1) / ADDED_VALUES, sum_chunk, &summation);
}

void
debye_sharing_add_counts(uint64_t *sum, const uint64_t *parts, size_t n, size_t n_parts)
{
  Addition addition = {sum, parts, n, n_parts, true};
  debye_chunk_threads_run((n + ADDED_VALUES - 1) / ADDED_VALUES, add_chunk, &addition);
}
