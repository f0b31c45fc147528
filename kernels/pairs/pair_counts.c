/* SPDX-License-Identifier: MIT */
/* Histograms of pair distances on all devices at once; called by the analysis of pairs and the Debye formula.
 * Items of the lanes are slices of frames. A lane counts into an array of its own and adds it to the frame's
 * when it is complete; a note of the slices that were added keeps one that is repeated after a failure from
 * counting twice. */
#include "pair_counts.h"

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

struct DebyePairCounts {
  DebyePairCountsSettings settings;
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
n_values(const DebyePairCounts *counts)
{
  return counts->settings.pair.n_pairs * counts->settings.pair.n_bins;
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

/* The lane's counts are the host's, where the processor has its plan, too. */
static DebyeStatusCode
check_memory(const DebyePairCounts *counts, const DebyeDeviceEntry *device, DebyeStatus *status)
{
  const uint64_t plan = device->backend->pair_histogram->bytes_needed(device->device, &counts->settings.pair);
  const uint64_t own = n_values(counts) * sizeof(uint64_t), limit = counts->settings.memory_limit;
  if (debye_device_is_processor(device))
    return debye_lane_check_memory(plan < UINT64_MAX - own ? plan + own : plan, limit, status);
  return debye_lane_check_memory(plan > own ? plan : own, limit, status);
}

static DebyeStatusCode
open_lane(void *context, const DebyeDeviceEntry *device, void *lane_state, DebyeStatus *status)
{
  const DebyePairCounts *counts = context;
  const DebyePairSettings *settings = &counts->settings.pair;
  LanePlan *lane = lane_state;
  const DebyePairHistogramKernel *kernel = lane->kernel = device->backend->pair_histogram;
  DebyeStatusCode code = debye_lane_check_kernel(device, kernel, "count pairs", status);
  if (code == DEBYE_STATUS_OK)
    code = check_memory(counts, device, status);
  if (code == DEBYE_STATUS_OK && (lane->counts = malloc(n_values(counts) * sizeof *lane->counts)) == NULL)
    code = out_of_memory(status);
  return code == DEBYE_STATUS_OK ? kernel->create(device->device, settings, &lane->plan, status) : code;
}

static DebyeStatusCode
set_frame(DebyePairCounts *counts, LanePlan *lane, size_t frame, DebyeStatus *status)
{
  if (debye_lane_input_is(&lane->set, counts->execution, frame))
    return debye_status_ok(status);
  const DebyeStatusCode code = lane->kernel->set_frame(lane->plan, &counts->frames[frame], status);
  if (code == DEBYE_STATUS_INVALID) {
    pthread_mutex_lock(&counts->mutex);
    counts->bad_frame = frame;
    pthread_mutex_unlock(&counts->mutex);
  }
  return debye_lane_input_note(&lane->set, counts->execution, frame, code);
}

static void
add_counts(DebyePairCounts *counts, const LanePlan *lane, size_t first, size_t count)
{
  uint64_t *out = counts->out + lane->set.index * n_values(counts);
  pthread_mutex_lock(&counts->mutex);
  for (size_t i = 0; i < n_values(counts); i++)
    out[i] += lane->counts[i];
  memset(counts->added + first, true, count * sizeof *counts->added);
  pthread_mutex_unlock(&counts->mutex);
}

/* Slices of one frame that are not yet added, as many as stand side by side. */
static size_t
run_length(DebyePairCounts *counts, size_t item, size_t end)
{
  size_t length = 0, frame_end = (item / counts->n_slices + 1) * counts->n_slices;
  pthread_mutex_lock(&counts->mutex);
  while (item + length < end && item + length < frame_end && !counts->added[item + length])
    length++;
  pthread_mutex_unlock(&counts->mutex);
  return length;
}

static DebyeStatusCode
work_slices(void *context, void *lane_state, size_t first, size_t count, const volatile bool *cancel,
            DebyeStatus *status)
{
  DebyePairCounts *counts = context;
  LanePlan *lane = lane_state;
  for (size_t item = first; item < first + count;) {
    size_t length = run_length(counts, item, first + count);
    if (length == 0) {
      item++;
      continue;
    }
    DebyeStatusCode code = set_frame(counts, lane, item / counts->n_slices, status);
    memset(lane->counts, 0, n_values(counts) * sizeof *lane->counts);
    if (code == DEBYE_STATUS_OK)
      code = lane->kernel->execute(lane->plan, item % counts->n_slices, length, counts->n_slices,
                                   lane->counts, cancel, status);
    if (code != DEBYE_STATUS_OK)
      return code;
    add_counts(counts, lane, item, length);
    item += length;
  }
  return DEBYE_STATUS_OK;
}

static void
slices_finished(void *context, size_t first, size_t count, size_t n_done)
{
  const DebyePairCounts *counts = context;
  (void)first;
  (void)count;
  if (counts->progress != NULL)
    counts->progress(counts->progress_data, n_done, counts->n_frames * counts->n_slices);
}

static bool
init(DebyePairCounts *counts, const DebyePairCountsSettings *settings, unsigned n_accelerators)
{
  pthread_mutex_init(&counts->mutex, NULL);
  counts->settings = *settings;
  counts->pairs = calloc(settings->pair.n_pairs, sizeof *counts->pairs);
  if (counts->pairs == NULL)
    return false;
  memcpy(counts->pairs, settings->pair.pairs, settings->pair.n_pairs * sizeof *counts->pairs);
  counts->settings.pair.pairs = counts->pairs;
  counts->settings.pair.spare_processors = n_accelerators;
  return true;
}

DebyeStatusCode
debye_pair_counts_create(const DebyePairCountsSettings *settings, const DebyeDeviceEntry *const *devices,
                         size_t n_devices, DebyePairCounts **counts, DebyeStatus *status)
{
  *counts = NULL;
  DebyeStatusCode code = debye_pair_settings_check(&settings->pair, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  DebyePairCounts *made = calloc(1, sizeof *made);
  if (made == NULL || !init(made, settings, debye_lane_count_accelerators(devices, n_devices))) {
    debye_pair_counts_destroy(made);
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
    *counts = made;
  else
    debye_pair_counts_destroy(made);
  return code;
}

/* One where a frame is little work, or where there are frames enough for all lanes. */
static size_t
slices_for(const DebyePairCounts *counts, double frame_pairs)
{
  const DebyeLaneReport *reports;
  size_t n_lanes = debye_lanes_get_reports(counts->lanes, &reports);
  if (n_lanes < 2 || counts->n_frames >= 8 * n_lanes || !(frame_pairs > SLICE_PAIRS))
    return 1;
  return (size_t)fmin(frame_pairs / SLICE_PAIRS + 1.0, MAX_SLICES);
}

static double
mean_work(const DebyePairCounts *counts)
{
  double work = 0.0;
  for (size_t i = 0; i < counts->n_frames; i++)
    work += debye_pair_work(&counts->settings.pair, counts->frames[i].n, counts->frames[i].cell);
  return work / (double)counts->n_frames;
}

DebyeStatusCode
debye_pair_counts_execute(DebyePairCounts *counts, const DebyePairFrame *frames, size_t n_frames,
                          uint64_t *out, size_t *bad_frame, const volatile bool *cancel,
                          DebyePairProgress progress, void *data, DebyeStatus *status)
{
  if (n_frames == 0)
    return debye_status_ok(status);
  counts->frames = frames;
  counts->n_frames = n_frames;
  counts->out = out;
  counts->execution++;
  counts->bad_frame = 0;
  counts->progress = progress;
  counts->progress_data = data;
  double work = mean_work(counts);
  counts->n_slices = slices_for(counts, work);
  counts->added = calloc(n_frames * counts->n_slices, sizeof *counts->added);
  if (counts->added == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for %zu frames.", n_frames);
  memset(out, 0, n_frames * n_values(counts) * sizeof *out);
  DebyeStatusCode code = debye_lanes_run(counts->lanes, n_frames * counts->n_slices,
                                         PAIR_COST * work / (double)counts->n_slices, cancel, status);
  for (size_t i = 0; i < n_frames && code == DEBYE_STATUS_OK; i++)
    code = debye_pair_add_self_images(&counts->settings.pair, &frames[i], out + i * n_values(counts), status);
  free(counts->added);
  counts->added = NULL;
  if (bad_frame != NULL)
    *bad_frame = counts->bad_frame;
  return code;
}

size_t
debye_pair_counts_get_reports(const DebyePairCounts *counts, const DebyeLaneReport **reports)
{
  return debye_lanes_get_reports(counts->lanes, reports);
}

void
debye_pair_counts_destroy(DebyePairCounts *counts)
{
  if (counts == NULL)
    return;
  debye_lanes_free(counts->lanes);
  pthread_mutex_destroy(&counts->mutex);
  free(counts->pairs);
  free(counts);
}
