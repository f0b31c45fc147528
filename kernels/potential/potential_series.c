/* SPDX-License-Identifier: MIT */
/* Implementation of potential_series.h: maps of many frames, each on one lane; called by map_run_series.c. */
#include "potential_series.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "potential_lane.h"

/* One computes while the other is fed or emptied; more would only wait in the device's queue. */
#define LANES_PER_ACCELERATOR 2
/* The speed that a processor beside accelerators is given: it takes frames when they have all failed, and
 * feeds them otherwise. Measured with 16 cores and an H200, frames that it took itself cost a third of all
 * (tests/bench/RESULTS.md). */
#define IDLE_SCORE 1.0

struct DebyePotentialSeries {
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
  DebyePotentialSeriesProgress progress;
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
  return debye_device_is_processor(device) ? 1 : LANES_PER_ACCELERATOR;
}

size_t
debye_potential_series_count_lanes(const DebyeDeviceEntry *const *devices, size_t n_devices)
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
take_index(DebyePotentialSeries *series, const DebyeDeviceEntry *device)
{
  size_t first = (size_t)(device - series->entries);
  while (first > 0 && strcmp(series->entries[first - 1].info.id, device->info.id) == 0)
    first--;
  pthread_mutex_lock(&series->mutex);
  size_t index = first + series->n_opened[first]++;
  pthread_mutex_unlock(&series->mutex);
  return index;
}

static DebyeStatusCode
open_lane(void *context, const DebyeDeviceEntry *device, void *lane_state, DebyeStatus *status)
{
  DebyePotentialSeries *series = context;
  DebyePotentialLaneSettings settings = series->settings;
  SeriesLane *lane = lane_state;
  size_t n_points = debye_grid_n_points(&settings.potential.grid);
  settings.memory_limit /= lanes_of(device);
  lane->index = take_index(series, device);
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
fill_zero(const DebyePotentialSeries *series, SeriesLane *lane)
{
  size_t n_points = debye_grid_n_points(&series->settings.potential.grid);
  if (lane->twice != NULL)
    memset(lane->twice, 0, n_points * sizeof *lane->twice);
  else
    memset(lane->single, 0, n_points * sizeof *lane->single);
}

static DebyeStatusCode
sum_frame(DebyePotentialSeries *series, SeriesLane *lane, size_t index, const volatile bool *cancel,
          DebyeStatus *status)
{
  const DebyePotentialFrame *frame = &series->frames[index];
  const DebyeSlab whole = {0, series->settings.potential.grid.shape[2]};
  if (frame->charges.n == 0) {
    fill_zero(series, lane);
    return debye_status_ok(status);
  }
  DebyeStatusCode code = debye_potential_lane_set_frame(lane->lane, &frame->charges, frame->cell, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_potential_lane_sum(lane->lane, whole, lane->single, lane->twice, cancel, status);
  if (code == DEBYE_STATUS_INVALID) {
    pthread_mutex_lock(&series->mutex);
    series->bad_frame = index;
    pthread_mutex_unlock(&series->mutex);
  }
  return code;
}

static DebyeStatusCode
work_frames(void *context, void *lane_state, size_t first, size_t count, const volatile bool *cancel,
            DebyeStatus *status)
{
  DebyePotentialSeries *series = context;
  SeriesLane *lane = lane_state;
  for (size_t i = first; i < first + count; i++) {
    if (series->handed_out[i])
      continue;
    if (debye_is_cancelled(cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
    DebyeStatusCode code = sum_frame(series, lane, i, cancel, status);
    if (code != DEBYE_STATUS_OK)
      return code;
    series->sink(series->data, lane->index, i, lane->single, lane->twice);
    series->handed_out[i] = true;
  }
  return debye_status_ok(status);
}

static void
frames_finished(void *context, size_t first, size_t count, size_t n_done)
{
  const DebyePotentialSeries *series = context;
  (void)first;
  (void)count;
  if (series->progress != NULL)
    series->progress(series->data, n_done, series->n_frames);
}

/* The public face. */

/* Entries of its lanes, that each share the device's speed. */
static bool
make_entries(DebyePotentialSeries *series, const DebyeDeviceEntry *const *devices, size_t n_devices)
{
  size_t room = series->n_lanes > 0 ? series->n_lanes : 1, n = 0;
  series->entries = calloc(room, sizeof *series->entries);
  series->n_opened = calloc(room, sizeof *series->n_opened);
  series->reports = calloc(room, sizeof *series->reports);
  if (series->entries == NULL || series->n_opened == NULL || series->reports == NULL)
    return false;
  for (size_t i = 0; i < n_devices; i++) {
    unsigned n_lanes = lanes_of(devices[i]);
    if (!debye_device_is_processor(devices[i]))
      series->settings.n_accelerators += n_lanes;
    for (unsigned k = 0; k < n_lanes; k++) {
      series->entries[n] = *devices[i];
      series->entries[n++].info.score /= n_lanes;
    }
  }
  for (size_t i = 0; i < series->n_lanes && series->settings.n_accelerators > 0; i++)
    if (debye_device_is_processor(&series->entries[i]))
      series->entries[i].info.score = IDLE_SCORE;
  return true;
}

static bool
init(DebyePotentialSeries *series, const DebyePotentialSeriesSettings *settings,
     const DebyeDeviceEntry *const *devices, size_t n_devices)
{
  pthread_mutex_init(&series->mutex, NULL);
  series->settings.potential = settings->potential;
  series->settings.memory_limit = settings->memory_limit;
  series->reach = debye_potential_reach(&settings->potential);
  series->n_devices = n_devices;
  series->n_lanes = debye_potential_series_count_lanes(devices, n_devices);
  return make_entries(series, devices, n_devices);
}

static DebyeStatusCode
out_of_memory(DebyeStatus *status)
{
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for maps of many frames.");
}

static DebyeStatusCode
start_lanes(DebyePotentialSeries *series, DebyeStatus *status)
{
  const DebyeDeviceEntry **pointers = calloc(series->n_lanes + 1, sizeof(const DebyeDeviceEntry *));
  if (pointers == NULL)
    return out_of_memory(status);
  for (size_t i = 0; i < series->n_lanes; i++)
    pointers[i] = &series->entries[i];
  const DebyeStatusCode code =
      debye_lanes_start(pointers, series->n_lanes, &series->work, &series->lanes, status);
  free(pointers);
  return code;
}

DebyeStatusCode
debye_potential_series_create(const DebyePotentialSeriesSettings *settings,
                              const DebyeDeviceEntry *const *devices, size_t n_devices,
                              DebyePotentialSeries **series, DebyeStatus *status)
{
  *series = NULL;
  DebyePotentialSeries *made = calloc(1, sizeof *made);
  if (made == NULL || !init(made, settings, devices, n_devices)) {
    debye_potential_series_destroy(made);
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
    *series = made;
  else
    debye_potential_series_destroy(made);
  return code;
}

static double
mean_pairs(const DebyePotentialSeries *series)
{
  double pairs = 0.0;
  for (size_t i = 0; i < series->n_frames; i++)
    pairs +=
        debye_potential_pairs_within(&series->settings.potential, series->reach, series->frames[i].charges.n);
  return pairs / (double)series->n_frames;
}

static bool
forget_frames(DebyePotentialSeries *series, size_t n_frames)
{
  if (n_frames > series->room) {
    bool *wider = realloc(series->handed_out, n_frames * sizeof *wider);
    if (wider == NULL)
      return false;
    series->handed_out = wider;
    series->room = n_frames;
  }
  memset(series->handed_out, 0, n_frames * sizeof *series->handed_out);
  return true;
}

DebyeStatusCode
debye_potential_series_execute(DebyePotentialSeries *series, const DebyePotentialFrame *frames,
                               size_t n_frames, DebyePotentialSink sink,
                               DebyePotentialSeriesProgress progress, void *data, size_t *bad_frame,
                               const volatile bool *cancel, DebyeStatus *status)
{
  if (n_frames == 0)
    return debye_status_ok(status);
  if (!forget_frames(series, n_frames))
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for %zu frames.", n_frames);
  series->frames = frames;
  series->n_frames = n_frames;
  series->bad_frame = 0;
  series->sink = sink;
  series->progress = progress;
  series->data = data;
  DebyeStatusCode code = debye_lanes_run(series->lanes, n_frames, mean_pairs(series), cancel, status);
  if (bad_frame != NULL)
    *bad_frame = series->bad_frame;
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
debye_potential_series_get_reports(DebyePotentialSeries *series, const DebyeLaneReport **reports)
{
  const DebyeLaneReport *of_lanes;
  size_t n_lanes = debye_lanes_get_reports(series->lanes, &of_lanes);
  for (size_t i = 0, device = 0; i < n_lanes; i++) {
    bool is_first = i == 0 || strcmp(of_lanes[i].id, of_lanes[i - 1].id) != 0;
    if (is_first && i > 0)
      device++;
    join_report(&series->reports[device], &of_lanes[i], is_first);
  }
  *reports = series->reports;
  return series->n_devices;
}

void
debye_potential_series_destroy(DebyePotentialSeries *series)
{
  if (series == NULL)
    return;
  debye_lanes_free(series->lanes);
  pthread_mutex_destroy(&series->mutex);
  free(series->entries);
  free(series->n_opened);
  free(series->reports);
  free(series->handed_out);
  free(series);
}
