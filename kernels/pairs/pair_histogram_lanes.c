/* SPDX-License-Identifier: MIT */
/* Counts pairs on all devices at once, for the analysis of pairs and the Debye formula. Inputs are frames,
 * items their slices: a lane counts into an array of its own and adds it to the frame's when it is complete. */
#include "pair_histogram_lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A slice is about this many pairs: some milliseconds of an accelerator. */
#define SLICE_PAIRS 4e9
#define MAX_SLICES 256
/* What a pair and bin cost against the Coulomb pair that devices' scores are given in. */
#define PAIR_COST 5.0

typedef struct {
  DebyeSharing share;
  DebyeGroupPair *pairs;
  /* The execution under way. */
  const DebyePairFrame *frames;
  uint64_t *out;
} PairShare;

static const DebyePairHistogramKernel *
kernel_of(const DebyeSharingLane *lane)
{
  return (const DebyePairHistogramKernel *)lane->kernel;
}

static DebyeStatusCode
set_frame(const DebyeSharing *share, DebyeSharingLane *lane, size_t frame, DebyeStatus *status)
{
  return kernel_of(lane)->set_frame(lane->plan, &((const PairShare *)share)->frames[frame], status);
}

static DebyeStatusCode
count_slices(DebyeSharing *share, DebyeSharingLane *lane, DebyeSharingRun run, const volatile bool *cancel,
             DebyeStatus *status)
{
  const size_t n_values = share->values_bytes / sizeof(uint64_t);
  uint64_t *counts = lane->values, *out = ((const PairShare *)share)->out + run.input * n_values;
  memset(counts, 0, share->values_bytes);
  const DebyeStatusCode code =
      kernel_of(lane)->execute(lane->plan, run.first, run.count, share->job.n_items, counts, cancel, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  pthread_mutex_lock(&share->mutex);
  for (size_t i = 0; i < n_values; i++)
    out[i] += counts[i];
  pthread_mutex_unlock(&share->mutex);
  return code;
}

static void
clear(DebyeSharing *share)
{
  free(((PairShare *)share)->pairs);
}

static const DebyeSharingFamily family = {
    .task = "count pairs",
    .kernel = offsetof(DebyeBackend, pair_histogram),
    .size = sizeof(PairShare),
    .settings_size = sizeof(DebyePairSettings),
    .spare_cores = offsetof(DebyePairSettings, spare_cores),
    .set = set_frame,
    .execute = count_slices,
    .clear = clear,
};

static bool
copy_pairs(PairShare *made)
{
  DebyePairSettings *settings = made->share.settings;
  made->share.values_bytes = settings->n_pairs * settings->n_bins * sizeof(uint64_t);
  made->pairs = calloc(settings->n_pairs, sizeof *made->pairs);
  if (made->pairs == NULL)
    return false;
  memcpy(made->pairs, settings->pairs, settings->n_pairs * sizeof *made->pairs);
  settings->pairs = made->pairs;
  return true;
}

DebyeStatusCode
debye_pair_lanes_create(const DebyePairLanesSettings *settings, const DebyeDeviceEntry *const *devices,
                        size_t n_devices, DebyeSharing **share, DebyeStatus *status)
{
  *share = NULL;
  DebyeStatusCode code = debye_pair_settings_check(&settings->pair, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  PairShare *made = debye_sharing_new(&family, &settings->pair, settings->memory_limit, devices, n_devices);
  return debye_sharing_start(made, made != NULL && copy_pairs(made), share, status);
}

/* One where a frame is little work, or where there are frames enough for all lanes. */
static size_t
slices_for(const DebyeSharing *share, size_t n_frames, double frame_pairs)
{
  if (share->n_lanes < 2 || n_frames >= 8 * share->n_lanes || !(frame_pairs > SLICE_PAIRS))
    return 1;
  return (size_t)fmin(frame_pairs / SLICE_PAIRS + 1.0, MAX_SLICES);
}

static double
mean_work(const DebyePairSettings *settings, const DebyePairFrame *frames, size_t n_frames)
{
  double work = 0.0;
  for (size_t i = 0; i < n_frames; i++)
    work += debye_pair_work(settings, frames[i].n, frames[i].cell);
  return work / (double)n_frames;
}

DebyeStatusCode
debye_pair_lanes_execute(DebyeSharing *share, const DebyePairFrame *frames, size_t n_frames, uint64_t *out,
                         size_t *bad_frame, const volatile bool *cancel, DebyeSharingProgress progress,
                         void *data, DebyeStatus *status)
{
  PairShare *pairs = (PairShare *)share;
  const size_t n_values = share->values_bytes / sizeof(uint64_t);
  if (n_frames == 0)
    return debye_status_ok(status);
  pairs->frames = frames;
  pairs->out = out;
  const double work = mean_work(share->settings, frames, n_frames);
  const size_t n_slices = slices_for(share, n_frames, work);
  const DebyeSharingJob job = {.n_inputs = n_frames,
                               .n_items = n_slices,
                               .item_cost = PAIR_COST * work / (double)n_slices,
                               .cancel = cancel,
                               .progress = progress,
                               .data = data,
                               .bad = bad_frame};
  memset(out, 0, n_frames * share->values_bytes);
  DebyeStatusCode code = debye_sharing_run(share, &job, status);
  for (size_t i = 0; i < n_frames && code == DEBYE_STATUS_OK; i++)
    code = debye_pair_add_self_images(share->settings, &frames[i], out + i * n_values, status);
  return code;
}
