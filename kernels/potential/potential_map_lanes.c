/* SPDX-License-Identifier: MIT */
/* Computes one map on all devices for the analyses of maps and ions. A map's planes are the items of its
 * lanes: each lane writes the planes it took straight into the caller's array. */
#include "potential_map_lanes.h"

#include "potential_lane.h"

#include <math.h>

/* What a run costs beside its pairs: starting threads and planning, and once for an accelerator its context. */
#define START_SECONDS 0.001
#define ACCELERATOR_START_SECONDS 0.3

typedef struct {
  DebyeSharing share;
  double reach; /* debye_potential_reach */
  /* The execution under way. */
  DebyePotentialFrame frame;
  bool is_new;      /* not set by any lane yet */
  DebyeSlab planes; /* that are asked for; items count from the first */
  float *out;
  double *out_double;
  DebyePotentialProgress progress;
  void *progress_data;
} MapShare;

static DebyeStatusCode
set_frame(const DebyeSharing *share, DebyeSharingLane *lane, size_t input, DebyeStatus *status)
{
  const MapShare *map = (const MapShare *)share;
  (void)input;
  return debye_potential_lane_set_frame((DebyePotentialLane *)lane, &map->frame, status);
}

static DebyeStatusCode
sum_planes(DebyeSharing *share, DebyeSharingLane *lane, DebyeSharingRun run, const volatile bool *cancel,
           DebyeStatus *status)
{
  const MapShare *map = (const MapShare *)share;
  return debye_potential_lane_sum((DebyePotentialLane *)lane,
                                  (DebyeSlab){map->planes.first + run.first, run.count}, map->out,
                                  map->out_double, cancel, status);
}

static void
planes_finished(void *share, size_t first, size_t count, size_t n_done)
{
  const MapShare *map = share;
  const DebyeGrid *grid = &((const DebyePotentialSettings *)map->share.settings)->grid;
  const size_t points = grid->shape[0] * grid->shape[1];
  if (map->progress != NULL)
    map->progress(map->progress_data, (DebyeSlab){map->planes.first + first, count}, n_done * points,
                  points * map->planes.count);
}

static const DebyeSharingFamily family = {
    .size = sizeof(MapShare),
    .lane_size = sizeof(DebyePotentialLane),
    .settings_size = sizeof(DebyePotentialSettings),
    .spare_cores = offsetof(DebyePotentialSettings, spare_cores),
    .chunk = offsetof(DebyePotentialSettings, max_planes),
    .adjust = debye_potential_lane_adjust,
    .set = set_frame,
    .execute = sum_planes,
    .finished = planes_finished,
    .close = debye_potential_lane_close,
};

DebyeStatusCode
debye_potential_map_lanes_create(const DebyePotentialMapLanesSettings *settings,
                                 const DebyeDeviceEntry *const *devices, size_t n_devices,
                                 DebyeSharing **share, DebyeStatus *status)
{
  MapShare *made =
      debye_sharing_new(&family, &settings->potential, settings->memory_limit, devices, n_devices);
  if (made != NULL) {
    debye_potential_share_init(&made->share);
    made->reach = debye_potential_reach(&settings->potential);
  }
  return debye_sharing_start(made, made != NULL, share, status);
}

void
debye_potential_map_lanes_set_frame(DebyeSharing *share, const DebyePotentialFrame *frame)
{
  MapShare *map = (MapShare *)share;
  map->frame = *frame;
  map->is_new = true;
}

DebyeStatusCode
debye_potential_map_lanes_execute_planes(DebyeSharing *share, DebyeSlab planes, float *out,
                                         double *out_double, const volatile bool *cancel,
                                         DebyePotentialProgress progress, void *data, DebyeStatus *status)
{
  const DebyePotentialSettings *settings = share->settings;
  MapShare *map = (MapShare *)share;
  const double pairs = debye_potential_pairs_within(settings, map->reach, map->frame.charges.n);
  const DebyeSharingJob job = {.n_inputs = 1,
                               .n_items = planes.count,
                               .item_cost = pairs / (double)settings->grid.shape[2],
                               .same_inputs = !map->is_new,
                               .cancel = cancel};
  map->is_new = false;
  map->planes = planes;
  map->out = out;
  map->out_double = out_double;
  map->progress = progress;
  map->progress_data = data;
  return debye_sharing_run(share, &job, status);
}

DebyeStatusCode
debye_potential_map_lanes_execute(DebyeSharing *share, const DebyeCharges *charges, const DebyeCell *cell,
                                  float *out, double *out_double, const volatile bool *cancel,
                                  DebyePotentialProgress progress, void *data, DebyeStatus *status)
{
  const DebyeSlab all = {0, ((const DebyePotentialSettings *)share->settings)->grid.shape[2]};
  debye_potential_map_lanes_set_frame(share, &(DebyePotentialFrame){.charges = *charges, .cell = cell});
  return debye_potential_map_lanes_execute_planes(share, all, out, out_double, cancel, progress, data,
                                                  status);
}

void
debye_potential_map_lanes_estimate(const DebyePotentialMapLanesSettings *settings,
                                   const DebyeDeviceEntry *const *devices, size_t n_devices, double *seconds,
                                   uint64_t *host_bytes, uint64_t *device_bytes)
{
  DebyePotentialSettings of_lanes = settings->potential;
  double speed = 0.0, start = START_SECONDS;
  size_t value = settings->potential.double_precision ? sizeof(double) : sizeof(float);
  *host_bytes = (uint64_t)debye_grid_n_points(&settings->potential.grid) * value;
  *device_bytes = 0;
  of_lanes.spare_cores = debye_sharing_count_accelerators(devices, n_devices);
  for (size_t i = 0; i < n_devices; i++) {
    uint64_t bytes;
    if (!debye_potential_lane_bytes(&of_lanes, settings->memory_limit, devices[i], &bytes))
      continue;
    bool is_cpu = debye_device_is_cpu(devices[i]);
    speed += devices[i]->info.score;
    if (is_cpu)
      *host_bytes += bytes;
    else
      *device_bytes += bytes;
    if (!is_cpu)
      start = ACCELERATOR_START_SECONDS;
  }
  const double work = debye_potential_work(&settings->potential, settings->potential.max_charges);
  *seconds = speed > 0.0 ? start + work / speed : INFINITY;
}
