/* SPDX-License-Identifier: MIT */
/* Implementation of potential_series_lanes.h: maps of many frames, each on one lane; called by map_run_series.c. */
#include "potential_series_lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "potential_lane.h"

/* One computes while the other is fed or emptied; more would only wait in the device's queue. */
#define LANES_PER_ACCELERATOR 2
/* The speed that a CPU beside accelerators is given: it takes frames when they have all failed, and
 * feeds them otherwise. Measured with 16 cores and an H200, frames that it took itself cost a third of all
 * (tests/bench/RESULTS.md). */
#define IDLE_SCORE 1.0

typedef struct {
  DebyeSharing share;
  double reach;              /* debye_potential_reach */
  DebyeDeviceEntry *entries; /* one a lane; those of a device stand side by side */
  DebyeLaneReport *reports;  /* one a device */

  /* The execution under way. */
  const DebyePotentialFrame *frames;
  DebyePotentialSink sink;
  void *data;
} SeriesShare;

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

static void
adjust(const DebyeSharing *share, DebyeSharingLane *lane)
{
  debye_potential_lane_adjust(share, lane);
  lane->memory_limit /= lanes_of(lane->device);
}

/* A sum over no charge is zero everywhere: nothing for a device to do. */
static DebyeStatusCode
sum_frame(DebyePotentialLane *lane, const DebyePotentialFrame *frame, float *single, double *twice,
          const volatile bool *cancel, DebyeStatus *status)
{
  const DebyePotentialSettings *settings = lane->lane.settings;
  const DebyeSlab whole = {0, settings->grid.shape[2]};
  if (frame->charges.n == 0) {
    memset(lane->lane.values, 0, lane->lane.values_bytes);
    return debye_status_ok(status);
  }
  const DebyeStatusCode code = debye_potential_lane_set_frame(lane, frame, status);
  return code == DEBYE_STATUS_OK ? debye_potential_lane_sum(lane, whole, single, twice, cancel, status)
                                 : code;
}

static DebyeStatusCode
hand_out_frame(DebyeSharing *share, DebyeSharingLane *lane, DebyeSharingRun run, const volatile bool *cancel,
               DebyeStatus *status)
{
  const SeriesShare *series = (const SeriesShare *)share;
  const DebyePotentialSettings *settings = share->settings;
  const bool is_double = settings->double_precision;
  void *map = debye_sharing_values(lane, debye_grid_n_points(&settings->grid) *
                                             (is_double ? sizeof(double) : sizeof(float)));
  if (map == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a frame's map.");
  float *single = is_double ? NULL : map;
  double *twice = is_double ? map : NULL;
  const DebyeStatusCode code =
      sum_frame((DebyePotentialLane *)lane, &series->frames[run.input], single, twice, cancel, status);
  if (code == DEBYE_STATUS_OK)
    series->sink(series->data, lane->number, run.input, single, twice);
  return code;
}

static void
clear(DebyeSharing *share)
{
  free(((SeriesShare *)share)->entries);
  free(((SeriesShare *)share)->reports);
}

static const DebyeSharingFamily family = {
    .size = sizeof(SeriesShare),
    .lane_size = sizeof(DebyePotentialLane),
    .settings_size = sizeof(DebyePotentialSettings),
    .spare_cores = offsetof(DebyePotentialSettings, spare_cores),
    .chunk = offsetof(DebyePotentialSettings, max_planes),
    .adjust = adjust,
    .execute = hand_out_frame,
    .close = debye_potential_lane_close,
    .clear = clear,
};

/* The public face. */

/* Entries of lanes, that each share the device's speed. */
static void
make_entries(const DebyeDeviceEntry *const *devices, size_t n_devices, DebyeDeviceEntry *entries,
             const DebyeDeviceEntry **pointers)
{
  const bool has_accelerators = debye_sharing_count_accelerators(devices, n_devices) > 0;
  size_t n = 0;
  for (size_t i = 0; i < n_devices; i++)
    for (unsigned k = 0; k < lanes_of(devices[i]); k++, n++) {
      entries[n] = *devices[i];
      entries[n].info.score /= lanes_of(devices[i]);
      if (has_accelerators && debye_device_is_cpu(devices[i]))
        entries[n].info.score = IDLE_SCORE;
      pointers[n] = &entries[n];
    }
}

DebyeStatusCode
debye_potential_series_lanes_create(const DebyePotentialSeriesLanesSettings *settings,
                                    const DebyeDeviceEntry *const *devices, size_t n_devices,
                                    DebyeSharing **share, DebyeStatus *status)
{
  const size_t n_lanes = debye_potential_series_lanes_count_lanes(devices, n_devices);
  DebyeDeviceEntry *entries = calloc(n_lanes + 1, sizeof *entries);
  DebyeLaneReport *reports = calloc(n_devices + 1, sizeof *reports);
  const DebyeDeviceEntry **pointers = calloc(n_lanes + 1, sizeof(const DebyeDeviceEntry *));
  SeriesShare *made = NULL;
  if (entries != NULL && reports != NULL && pointers != NULL) {
    make_entries(devices, n_devices, entries, pointers);
    made = debye_sharing_new(&family, &settings->potential, settings->memory_limit, pointers, n_lanes);
  }
  free(pointers);
  if (made == NULL) {
    free(entries);
    free(reports);
  } else {
    made->entries = entries;
    made->reports = reports;
    made->reach = debye_potential_reach(&settings->potential);
    debye_potential_share_init(&made->share);
  }
  return debye_sharing_start(made, made != NULL, share, status);
}

static double
mean_pairs(const SeriesShare *series, size_t n_frames)
{
  double pairs = 0.0;
  for (size_t i = 0; i < n_frames; i++)
    pairs += debye_potential_pairs_within(series->share.settings, series->reach, series->frames[i].charges.n);
  return pairs / (double)n_frames;
}

DebyeStatusCode
debye_potential_series_lanes_execute(DebyeSharing *share, const DebyePotentialFrame *frames, size_t n_frames,
                                     DebyePotentialSink sink, DebyeSharingProgress progress, void *data,
                                     size_t *bad_frame, const volatile bool *cancel, DebyeStatus *status)
{
  SeriesShare *series = (SeriesShare *)share;
  if (n_frames == 0)
    return debye_status_ok(status);
  series->frames = frames;
  series->sink = sink;
  series->data = data;
  const DebyeSharingJob job = {.n_inputs = n_frames,
                               .n_items = 1,
                               .item_cost = mean_pairs(series, n_frames),
                               .cancel = cancel,
                               .progress = progress,
                               .data = data,
                               .bad = bad_frame};
  return debye_sharing_run(share, &job, status);
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
debye_potential_series_lanes_get_reports(DebyeSharing *share, const DebyeLaneReport **reports)
{
  DebyeLaneReport *joined = ((SeriesShare *)share)->reports;
  const DebyeLaneReport *of_lanes;
  const size_t n_lanes = debye_sharing_get_reports(share, &of_lanes);
  size_t n = 0;
  for (size_t i = 0; i < n_lanes; i++) {
    const bool is_first = i == 0 || strcmp(of_lanes[i].id, of_lanes[i - 1].id) != 0;
    n += is_first;
    join_report(&joined[n - 1], &of_lanes[i], is_first);
  }
  *reports = joined;
  return n;
}
