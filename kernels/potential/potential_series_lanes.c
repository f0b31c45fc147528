/* SPDX-License-Identifier: MIT */
/* Implementation of potential_series_lanes.h: maps of many frames, each on one lane; called by map_run_series.c. */
#include "potential_series_lanes.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "potential_lane.h"

/* One computes while the other is fed or emptied; more would only wait in the device's queue. */
#define LANES_PER_ACCELERATOR 2
/* The speed that a CPU beside accelerators is given: it takes frames when they have all failed, and
 * feeds them otherwise. Measured with 16 cores and an H200, frames that it took itself cost a third of all
 * (tests/bench/RESULTS.md). */
#define IDLE_SCORE 1.0

struct DebyePotentialSeriesLanes {
  DebyePotentialLaneSettings settings; /* of each lane */
  DebyeLanes *lanes;
  DebyeLaneWork work;
  double reach; /* debye_potential_reach */
  size_t n_devices, n_lanes;
  DebyeDeviceEntry *entries; /* one a lane; those of a device stand side by side */
  unsigned *n_opened;        /* lanes of a device that have begun to open, at its first lane's index */
  DebyeLaneReport *reports;  /* one a device */
  pthread_mutex_t mutex;     /* n_opened, bad_frame */

  /* The execution under way. */
  const DebyePotentialFrame *frames;
  bool *handed_out; /* by frame: what a lane took and gave back may partly have been done */
  size_t n_frames, room;
  size_t bad_frame;
  DebyePotentialSink sink;
  DebyePotentialSeriesLanesProgress progress;
  void *data;
};

/* A lane's own. */
typedef struct {
  DebyePotentialLane *lane;
  size_t index;
  float *single; /* a map in one of the two precisions */
  double *twice;
} SeriesLane;

static unsigned
lanes_of(const DebyeDeviceEntry *device)
{
  return debye_device_is_cpu(device) ? 1 : LANES_PER_ACCELERATOR;
}

size_t
debye_potential_series_lanes_count_lanes(const DebyeDeviceEntry *const *devices, size_t n_devices)
{
  size_t n = 0;
  for (size_t i = 0; i < n_devices; i++)
    n += lanes_of(devices[i]);
  return n;
}

/* Opening and closing, on the lane's thread. */

static void
close_lane(void *context, void *lane_state)
{
  (void)context;
  SeriesLane *lane = lane_state;
  debye_potential_lane_close(lane->lane);
  free(lane->single);
  free(lane->twice);
}

/* Lanes of one device are alike: which of them is the first doesn't matter. */
static size_t
take_index(DebyePotentialSeriesLanes *lanes, const DebyeDeviceEntry *device)
{
  size_t first = (size_t)(device - lanes->entries);
  while (first > 0 && strcmp(lanes->entries[first - 1].info.id, device->info.id) == 0)
    first--;
  pthread_mutex_lock(&lanes->mutex);
  size_t index = first + lanes->n_opened[first]++;
  pthread_mutex_unlock(&lanes->mutex);
  return index;
}

static DebyeStatusCode
open_lane(void *context, const DebyeDeviceEntry *device, void *lane_state, DebyeStatus *status)
{
  DebyePotentialSeriesLanes *lanes = context;
  DebyePotentialLaneSettings settings = lanes->settings;
  SeriesLane *lane = lane_state;
  size_t n_points = debye_grid_n_points(&settings.potential.grid);
  settings.memory_limit /= lanes_of(device);
  lane->index = take_index(lanes, device);
  if (settings.potential.double_precision)
    lane->twice = calloc(n_points, sizeof *lane->twice);
  else
    lane->single = calloc(n_points, sizeof *lane->single);
  if (lane->single == NULL && lane->twice == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a frame's map.");
  return debye_potential_lane_open(&settings, device, &lane->lane, status);
}

/* Working. */

/* A sum over no charge is zero everywhere: nothing for a device to do. */
static void
fill_zero(const DebyePotentialSeriesLanes *lanes, SeriesLane *lane)
{
  size_t n_points = debye_grid_n_points(&lanes->settings.potential.grid);
  if (lane->twice != NULL)
    memset(lane->twice, 0, n_points * sizeof *lane->twice);
  else
    memset(lane->single, 0, n_points * sizeof *lane->single);
}

static DebyeStatusCode
sum_frame(DebyePotentialSeriesLanes *lanes, SeriesLane *lane, size_t index, const volatile bool *cancel,
          DebyeStatus *status)
{
  const DebyePotentialFrame *frame = &lanes->frames[index];
  const DebyeSlab whole = {0, lanes->settings.potential.grid.shape[2]};
  if (frame->charges.n == 0) {
    fill_zero(lanes, lane);
    return debye_status_ok(status);
  }
  DebyeStatusCode code = debye_potential_lane_set_frame(lane->lane, &frame->charges, frame->cell, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_potential_lane_sum(lane->lane, whole, lane->single, lane->twice, cancel, status);
  if (code == DEBYE_STATUS_INVALID) {
    pthread_mutex_lock(&lanes->mutex);
    lanes->bad_frame = index;
    pthread_mutex_unlock(&lanes->mutex);
  }
  return code;
}

static DebyeStatusCode
work_frames(void *context, void *lane_state, size_t first, size_t count, const volatile bool *cancel,
            DebyeStatus *status)
{
  DebyePotentialSeriesLanes *lanes = context;
  SeriesLane *lane = lane_state;
  for (size_t i = first; i < first + count; i++) {
    if (lanes->handed_out[i])
      continue;
    if (debye_is_cancelled(cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
    DebyeStatusCode code = sum_frame(lanes, lane, i, cancel, status);
    if (code != DEBYE_STATUS_OK)
      return code;
    lanes->sink(lanes->data, lane->index, i, lane->single, lane->twice);
    lanes->handed_out[i] = true;
  }
  return debye_status_ok(status);
}

static void
frames_finished(void *context, size_t first, size_t count, size_t n_done)
{
  const DebyePotentialSeriesLanes *lanes = context;
  (void)first;
  (void)count;
  if (lanes->progress != NULL)
    lanes->progress(lanes->data, n_done, lanes->n_frames);
}

/* The public face. */

/* Entries of its lanes, that each share the device's speed. */
static bool
make_entries(DebyePotentialSeriesLanes *lanes, const DebyeDeviceEntry *const *devices, size_t n_devices)
{
  size_t room = lanes->n_lanes > 0 ? lanes->n_lanes : 1, n = 0;
  lanes->entries = calloc(room, sizeof *lanes->entries);
  lanes->n_opened = calloc(room, sizeof *lanes->n_opened);
  lanes->reports = calloc(room, sizeof *lanes->reports);
  if (lanes->entries == NULL || lanes->n_opened == NULL || lanes->reports == NULL)
    return false;
  for (size_t i = 0; i < n_devices; i++) {
    unsigned n_lanes = lanes_of(devices[i]);
    if (!debye_device_is_cpu(devices[i]))
      lanes->settings.n_accelerators += n_lanes;
    for (unsigned k = 0; k < n_lanes; k++) {
      lanes->entries[n] = *devices[i];
      lanes->entries[n++].info.score /= n_lanes;
    }
  }
  for (size_t i = 0; i < lanes->n_lanes && lanes->settings.n_accelerators > 0; i++)
    if (debye_device_is_cpu(&lanes->entries[i]))
      lanes->entries[i].info.score = IDLE_SCORE;
  return true;
}

static bool
init(DebyePotentialSeriesLanes *lanes, const DebyePotentialSeriesLanesSettings *settings,
     const DebyeDeviceEntry *const *devices, size_t n_devices)
{
  pthread_mutex_init(&lanes->mutex, NULL);
  lanes->settings.potential = settings->potential;
  lanes->settings.memory_limit = settings->memory_limit;
  lanes->reach = debye_potential_reach(&settings->potential);
  lanes->n_devices = n_devices;
  lanes->n_lanes = debye_potential_series_lanes_count_lanes(devices, n_devices);
  return make_entries(lanes, devices, n_devices);
}

static DebyeStatusCode
out_of_memory(DebyeStatus *status)
{
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for maps of many frames.");
}

static DebyeStatusCode
start_lanes(DebyePotentialSeriesLanes *lanes, DebyeStatus *status)
{
  const DebyeDeviceEntry **pointers = calloc(lanes->n_lanes + 1, sizeof(const DebyeDeviceEntry *));
  if (pointers == NULL)
    return out_of_memory(status);
  for (size_t i = 0; i < lanes->n_lanes; i++)
    pointers[i] = &lanes->entries[i];
  const DebyeStatusCode code =
      debye_lanes_start(pointers, lanes->n_lanes, &lanes->work, &lanes->lanes, status);
  free(pointers);
  return code;
}

DebyeStatusCode
debye_potential_series_lanes_create(const DebyePotentialSeriesLanesSettings *settings,
                                    const DebyeDeviceEntry *const *devices, size_t n_devices,
                                    DebyePotentialSeriesLanes **lanes, DebyeStatus *status)
{
  *lanes = NULL;
  DebyePotentialSeriesLanes *made = calloc(1, sizeof *made);
  if (made == NULL || !init(made, settings, devices, n_devices)) {
    debye_potential_series_lanes_destroy(made);
    return out_of_memory(status);
  }
  made->work = (DebyeLaneWork){.context = made,
                               .state_bytes = sizeof(SeriesLane),
                               .open = open_lane,
                               .work = work_frames,
                               .close = close_lane,
                               .finished = frames_finished};
  const DebyeStatusCode code = start_lanes(made, status);
  if (code == DEBYE_STATUS_OK)
    *lanes = made;
  else
    debye_potential_series_lanes_destroy(made);
  return code;
}

static double
mean_pairs(const DebyePotentialSeriesLanes *lanes)
{
  double pairs = 0.0;
  for (size_t i = 0; i < lanes->n_frames; i++)
    pairs +=
        debye_potential_pairs_within(&lanes->settings.potential, lanes->reach, lanes->frames[i].charges.n);
  return pairs / (double)lanes->n_frames;
}

static bool
forget_frames(DebyePotentialSeriesLanes *lanes, size_t n_frames)
{
  if (n_frames > lanes->room) {
    bool *wider = realloc(lanes->handed_out, n_frames * sizeof *wider);
    if (wider == NULL)
      return false;
    lanes->handed_out = wider;
    lanes->room = n_frames;
  }
  memset(lanes->handed_out, 0, n_frames * sizeof *lanes->handed_out);
  return true;
}

DebyeStatusCode
debye_potential_series_lanes_execute(DebyePotentialSeriesLanes *lanes, const DebyePotentialFrame *frames,
                                     size_t n_frames, DebyePotentialSink sink,
                                     DebyePotentialSeriesLanesProgress progress, void *data,
                                     size_t *bad_frame, const volatile bool *cancel, DebyeStatus *status)
{
  if (n_frames == 0)
    return debye_status_ok(status);
  if (!forget_frames(lanes, n_frames))
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for %zu frames.", n_frames);
  lanes->frames = frames;
  lanes->n_frames = n_frames;
  lanes->bad_frame = 0;
  lanes->sink = sink;
  lanes->progress = progress;
  lanes->data = data;
  DebyeStatusCode code = debye_lanes_run(lanes->lanes, n_frames, mean_pairs(lanes), cancel, status);
  if (bad_frame != NULL)
    *bad_frame = lanes->bad_frame;
  return code;
}

/* The lanes of a device work at the same time, so that the longest says how long it was busy. */
static void
join_report(DebyeLaneReport *device, const DebyeLaneReport *lane, bool is_first)
{
  if (is_first) {
    *device = *lane;
    return;
  }
  device->items_done += lane->items_done;
  device->busy_seconds = fmax(device->busy_seconds, lane->busy_seconds);
  device->retired = device->retired && lane->retired;
  if (!device->retired)
    device->reason[0] = '\0';
}

size_t
debye_potential_series_lanes_get_reports(DebyePotentialSeriesLanes *lanes, const DebyeLaneReport **reports)
{
  const DebyeLaneReport *of_lanes;
  size_t n_lanes = debye_lanes_get_reports(lanes->lanes, &of_lanes);
  for (size_t i = 0, device = 0; i < n_lanes; i++) {
    bool is_first = i == 0 || strcmp(of_lanes[i].id, of_lanes[i - 1].id) != 0;
    if (is_first && i > 0)
      device++;
    join_report(&lanes->reports[device], &of_lanes[i], is_first);
  }
  *reports = lanes->reports;
  return lanes->n_devices;
}

void
debye_potential_series_lanes_destroy(DebyePotentialSeriesLanes *lanes)
{
  if (lanes == NULL)
    return;
  debye_lanes_free(lanes->lanes);
  pthread_mutex_destroy(&lanes->mutex);
  free(lanes->entries);
  free(lanes->n_opened);
  free(lanes->reports);
  free(lanes->handed_out);
  free(lanes);
}
