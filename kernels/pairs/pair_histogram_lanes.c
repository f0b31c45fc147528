/* SPDX-License-Identifier: MIT */
/* Items of the lanes are slices of frames. A lane counts into an array of its own and adds it to the frame's
 * when it is complete; a note of the slices that were added keeps one that is repeated after a failure from
 * counting twice. */
#include "pair_histogram_lanes.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/lane_plan.h"

/* A slice is about this many pairs: some milliseconds of an accelerator. */
#define SLICE_PAIRS 4e9
#define MAX_SLICES 256
/* What a pair and bin cost against the Coulomb pair that devices' scores are given in. */
#define PAIR_COST 5.0

struct DebyePairLanes {
  DebyePairLanesSettings settings;
  DebyeGroupPair *pairs;
  DebyeLanes *lanes;
  DebyeLaneWork work;
  pthread_mutex_t mutex; /* the output and `added` */

  /* The execution under way. */
  const DebyePairFrame *frames;
  size_t n_frames, n_slices; /* slices a frame */
  uint64_t *out;
  bool *added; /* by item */
  unsigned long execution;
  size_t bad_frame;
  DebyePairProgress progress;
  void *progress_data;
};

/* A lane's own. */
typedef struct {
  const DebyePairHistogramKernel *kernel;
  DebyePairPlan *plan;
  uint64_t *counts;
  DebyeLaneInput set; /* a frame */
} LanePlan;

static size_t
n_values(const DebyePairLanes *lanes)
{
  return lanes->settings.pair.n_pairs * lanes->settings.pair.n_bins;
}

static DebyeStatusCode
out_of_memory(DebyeStatus *status)
{
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for counting pairs.");
}

static void
close_lane(void *context, void *lane_state)
{
  (void)context;
  LanePlan *lane = lane_state;
  if (lane->plan != NULL)
    lane->kernel->destroy(lane->plan);
  free(lane->counts);
}

/* The lane's counts are the host's, where the CPU has its plan, too. */
static DebyeStatusCode
check_memory(const DebyePairLanes *lanes, const DebyeDeviceEntry *device, DebyeStatus *status)
{
  const uint64_t plan = device->backend->pair_histogram->bytes_needed(device->device, &lanes->settings.pair);
  const uint64_t own = n_values(lanes) * sizeof(uint64_t), limit = lanes->settings.memory_limit;
  if (debye_device_is_cpu(device))
    return debye_lane_check_memory(plan < UINT64_MAX - own ? plan + own : plan, limit, status);
  return debye_lane_check_memory(plan > own ? plan : own, limit, status);
}

static DebyeStatusCode
open_lane(void *context, const DebyeDeviceEntry *device, void *lane_state, DebyeStatus *status)
{
  const DebyePairLanes *lanes = context;
  const DebyePairSettings *settings = &lanes->settings.pair;
  LanePlan *lane = lane_state;
  const DebyePairHistogramKernel *kernel = lane->kernel = device->backend->pair_histogram;
  DebyeStatusCode code = debye_lane_check_kernel(device, kernel, "count pairs", status);
  if (code == DEBYE_STATUS_OK)
    code = check_memory(lanes, device, status);
  if (code == DEBYE_STATUS_OK && (lane->counts = malloc(n_values(lanes) * sizeof *lane->counts)) == NULL)
    code = out_of_memory(status);
  return code == DEBYE_STATUS_OK ? kernel->create(device->device, settings, &lane->plan, status) : code;
}

static DebyeStatusCode
set_frame(DebyePairLanes *lanes, LanePlan *lane, size_t frame, DebyeStatus *status)
{
  if (debye_lane_input_is(&lane->set, lanes->execution, frame))
    return debye_status_ok(status);
  const DebyeStatusCode code = lane->kernel->set_frame(lane->plan, &lanes->frames[frame], status);
  if (code == DEBYE_STATUS_INVALID) {
    pthread_mutex_lock(&lanes->mutex);
    lanes->bad_frame = frame;
    pthread_mutex_unlock(&lanes->mutex);
  }
  return debye_lane_input_note(&lane->set, lanes->execution, frame, code);
}

static void
add_counts(DebyePairLanes *lanes, const LanePlan *lane, size_t first, size_t count)
{
  uint64_t *out = lanes->out + lane->set.index * n_values(lanes);
  pthread_mutex_lock(&lanes->mutex);
  for (size_t i = 0; i < n_values(lanes); i++)
    out[i] += lane->counts[i];
  memset(lanes->added + first, true, count * sizeof *lanes->added);
  pthread_mutex_unlock(&lanes->mutex);
}

/* Slices of one frame that are not yet added, as many as stand side by side. */
static size_t
run_length(DebyePairLanes *lanes, size_t item, size_t end)
{
  size_t length = 0, frame_end = (item / lanes->n_slices + 1) * lanes->n_slices;
  pthread_mutex_lock(&lanes->mutex);
  while (item + length < end && item + length < frame_end && !lanes->added[item + length])
    length++;
  pthread_mutex_unlock(&lanes->mutex);
  return length;
}

static DebyeStatusCode
work_slices(void *context, void *lane_state, size_t first, size_t count, const volatile bool *cancel,
            DebyeStatus *status)
{
  DebyePairLanes *lanes = context;
  LanePlan *lane = lane_state;
  for (size_t item = first; item < first + count;) {
    size_t length = run_length(lanes, item, first + count);
    if (length == 0) {
      item++;
      continue;
    }
    DebyeStatusCode code = set_frame(lanes, lane, item / lanes->n_slices, status);
    memset(lane->counts, 0, n_values(lanes) * sizeof *lane->counts);
    if (code == DEBYE_STATUS_OK)
      code = lane->kernel->execute(lane->plan, item % lanes->n_slices, length, lanes->n_slices, lane->counts,
                                   cancel, status);
    if (code != DEBYE_STATUS_OK)
      return code;
    add_counts(lanes, lane, item, length);
    item += length;
  }
  return DEBYE_STATUS_OK;
}

static void
slices_finished(void *context, size_t first, size_t count, size_t n_done)
{
  const DebyePairLanes *lanes = context;
  (void)first;
  (void)count;
  if (lanes->progress != NULL)
    lanes->progress(lanes->progress_data, n_done, lanes->n_frames * lanes->n_slices);
}

static bool
init(DebyePairLanes *lanes, const DebyePairLanesSettings *settings, unsigned n_accelerators)
{
  pthread_mutex_init(&lanes->mutex, NULL);
  lanes->settings = *settings;
  lanes->pairs = calloc(settings->pair.n_pairs, sizeof *lanes->pairs);
  if (lanes->pairs == NULL)
    return false;
  memcpy(lanes->pairs, settings->pair.pairs, settings->pair.n_pairs * sizeof *lanes->pairs);
  lanes->settings.pair.pairs = lanes->pairs;
  lanes->settings.pair.spare_cores = n_accelerators;
  return true;
}

DebyeStatusCode
debye_pair_lanes_create(const DebyePairLanesSettings *settings, const DebyeDeviceEntry *const *devices,
                        size_t n_devices, DebyePairLanes **lanes, DebyeStatus *status)
{
  *lanes = NULL;
  DebyeStatusCode code = debye_pair_settings_check(&settings->pair, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  DebyePairLanes *made = calloc(1, sizeof *made);
  if (made == NULL || !init(made, settings, debye_lane_count_accelerators(devices, n_devices))) {
    debye_pair_lanes_destroy(made);
    return out_of_memory(status);
  }
  made->work = (DebyeLaneWork){.context = made,
                               .state_bytes = sizeof(LanePlan),
                               .open = open_lane,
                               .work = work_slices,
                               .close = close_lane,
                               .finished = slices_finished};
  code = debye_lanes_start(devices, n_devices, &made->work, &made->lanes, status);
  if (code == DEBYE_STATUS_OK)
    *lanes = made;
  else
    debye_pair_lanes_destroy(made);
  return code;
}

/* One where a frame is little work, or where there are frames enough for all lanes. */
static size_t
slices_for(const DebyePairLanes *lanes, double frame_pairs)
{
  const DebyeLaneReport *reports;
  size_t n_lanes = debye_lanes_get_reports(lanes->lanes, &reports);
  if (n_lanes < 2 || lanes->n_frames >= 8 * n_lanes || !(frame_pairs > SLICE_PAIRS))
    return 1;
  return (size_t)fmin(frame_pairs / SLICE_PAIRS + 1.0, MAX_SLICES);
}

static double
mean_work(const DebyePairLanes *lanes)
{
  double work = 0.0;
  for (size_t i = 0; i < lanes->n_frames; i++)
    work += debye_pair_work(&lanes->settings.pair, lanes->frames[i].n, lanes->frames[i].cell);
  return work / (double)lanes->n_frames;
}

DebyeStatusCode
debye_pair_lanes_execute(DebyePairLanes *lanes, const DebyePairFrame *frames, size_t n_frames, uint64_t *out,
                         size_t *bad_frame, const volatile bool *cancel, DebyePairProgress progress,
                         void *data, DebyeStatus *status)
{
  if (n_frames == 0)
    return debye_status_ok(status);
  lanes->frames = frames;
  lanes->n_frames = n_frames;
  lanes->out = out;
  lanes->execution++;
  lanes->bad_frame = 0;
  lanes->progress = progress;
  lanes->progress_data = data;
  double work = mean_work(lanes);
  lanes->n_slices = slices_for(lanes, work);
  lanes->added = calloc(n_frames * lanes->n_slices, sizeof *lanes->added);
  if (lanes->added == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for %zu frames.", n_frames);
  memset(out, 0, n_frames * n_values(lanes) * sizeof *out);
  DebyeStatusCode code = debye_lanes_run(lanes->lanes, n_frames * lanes->n_slices,
                                         PAIR_COST * work / (double)lanes->n_slices, cancel, status);
  for (size_t i = 0; i < n_frames && code == DEBYE_STATUS_OK; i++)
    code = debye_pair_add_self_images(&lanes->settings.pair, &frames[i], out + i * n_values(lanes), status);
  free(lanes->added);
  lanes->added = NULL;
  if (bad_frame != NULL)
    *bad_frame = lanes->bad_frame;
  return code;
}

size_t
debye_pair_lanes_get_reports(const DebyePairLanes *lanes, const DebyeLaneReport **reports)
{
  return debye_lanes_get_reports(lanes->lanes, reports);
}

void
debye_pair_lanes_destroy(DebyePairLanes *lanes)
{
  if (lanes == NULL)
    return;
  debye_lanes_free(lanes->lanes);
  pthread_mutex_destroy(&lanes->mutex);
  free(lanes->pairs);
  free(lanes);
}
