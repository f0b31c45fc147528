/* SPDX-License-Identifier: MIT */
/* Computes one map on all devices for the analyses of maps and ions. A map's planes are the items of its
 * lanes: each lane writes the planes it took straight into the caller's array. */
#include "potential_map_lanes.h"

#include "kernels/lane_plan.h"
#include "potential_lane.h"

#include <math.h>
#include <stdlib.h>

/* What a run costs beside its pairs: starting threads and planning, and once for an accelerator its context. */
#define START_SECONDS 0.001
#define ACCELERATOR_START_SECONDS 0.3

struct DebyePotentialMapLanes {
  DebyePotentialLaneSettings settings; /* of each lane */
  DebyeLanes *lanes;
  DebyeLaneWork work;
  double reach; /* debye_potential_reach */

  /* The execution under way. */
  const DebyeCharges *charges;
  const DebyeCell *cell;
  DebyeSlab planes;    /* that are asked for; items count from the first */
  unsigned long frame; /* counts frames, so that a lane knows charges it has not set yet */
  float *out;
  double *out_double;
  DebyePotentialProgress progress;
  void *progress_data;
};

/* A lane's own. */
typedef struct {
  DebyePotentialLane *lane;
  unsigned long frame; /* that it was set to */
} LanePlan;

static size_t
plane_points(const DebyePotentialSettings *settings)
{
  return settings->grid.shape[0] * settings->grid.shape[1];
}

static DebyePotentialLaneSettings
lane_settings(const DebyePotentialMapLanesSettings *settings, const DebyeDeviceEntry *const *devices,
              size_t n_devices)
{
  DebyePotentialLaneSettings of_lanes = {.potential = settings->potential,
                                         .memory_limit = settings->memory_limit};
  of_lanes.n_accelerators = debye_lane_count_accelerators(devices, n_devices);
  return of_lanes;
}

static DebyeStatusCode
open_lane(void *context, const DebyeDeviceEntry *device, void *lane_state, DebyeStatus *status)
{
  const DebyePotentialMapLanes *lanes = context;
  LanePlan *lane = lane_state;
  return debye_potential_lane_open(&lanes->settings, device, &lane->lane, status);
}

static DebyeStatusCode
set_frame(const DebyePotentialMapLanes *lanes, LanePlan *lane, DebyeStatus *status)
{
  DebyeStatusCode code = debye_potential_lane_set_frame(lane->lane, lanes->charges, lanes->cell, status);
  if (code == DEBYE_STATUS_OK)
    lane->frame = lanes->frame;
  return code;
}

static DebyeStatusCode
work_planes(void *context, void *lane_state, size_t first, size_t count, const volatile bool *cancel,
            DebyeStatus *status)
{
  const DebyePotentialMapLanes *lanes = context;
  LanePlan *lane = lane_state;
  DebyeStatusCode code = lane->frame != lanes->frame ? set_frame(lanes, lane, status) : DEBYE_STATUS_OK;
  if (code == DEBYE_STATUS_OK)
    code = debye_potential_lane_sum(lane->lane, (DebyeSlab){lanes->planes.first + first, count}, lanes->out,
                                    lanes->out_double, cancel, status);
  return code;
}

static void
close_lane(void *context, void *lane_state)
{
  (void)context;
  LanePlan *lane = lane_state;
  debye_potential_lane_close(lane->lane);
}

static void
planes_finished(void *context, size_t first, size_t count, size_t n_done)
{
  const DebyePotentialMapLanes *lanes = context;
  size_t points = plane_points(&lanes->settings.potential);
  if (lanes->progress != NULL)
    lanes->progress(lanes->progress_data, (DebyeSlab){lanes->planes.first + first, count}, n_done * points,
                    points * lanes->planes.count);
}

DebyeStatusCode
debye_potential_map_lanes_create(const DebyePotentialMapLanesSettings *settings,
                                 const DebyeDeviceEntry *const *devices, size_t n_devices,
                                 DebyePotentialMapLanes **lanes, DebyeStatus *status)
{
  *lanes = NULL;
  DebyePotentialMapLanes *made = calloc(1, sizeof *made);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a map.");
  made->settings = lane_settings(settings, devices, n_devices);
  made->reach = debye_potential_reach(&settings->potential);
  made->work = (DebyeLaneWork){.context = made,
                               .state_bytes = sizeof(LanePlan),
                               .open = open_lane,
                               .work = work_planes,
                               .close = close_lane,
                               .finished = planes_finished};
  const DebyeStatusCode code = debye_lanes_start(devices, n_devices, &made->work, &made->lanes, status);
  if (code == DEBYE_STATUS_OK)
    *lanes = made;
  else
    debye_potential_map_lanes_destroy(made);
  return code;
}

void
debye_potential_map_lanes_set_frame(DebyePotentialMapLanes *lanes, const DebyeCharges *charges,
                                    const DebyeCell *cell)
{
  lanes->charges = charges;
  lanes->cell = cell;
  lanes->frame++;
}

DebyeStatusCode
debye_potential_map_lanes_execute_planes(DebyePotentialMapLanes *lanes, DebyeSlab planes, float *out,
                                         double *out_double, const volatile bool *cancel,
                                         DebyePotentialProgress progress, void *data, DebyeStatus *status)
{
  lanes->planes = planes;
  lanes->out = out;
  lanes->out_double = out_double;
  lanes->progress = progress;
  lanes->progress_data = data;
  double item_cost =
      debye_potential_pairs_within(&lanes->settings.potential, lanes->reach, lanes->charges->n) /
      (double)lanes->settings.potential.grid.shape[2];
  return debye_lanes_run(lanes->lanes, planes.count, item_cost, cancel, status);
}

DebyeStatusCode
debye_potential_map_lanes_execute(DebyePotentialMapLanes *lanes, const DebyeCharges *charges,
                                  const DebyeCell *cell, float *out, double *out_double,
                                  const volatile bool *cancel, DebyePotentialProgress progress, void *data,
                                  DebyeStatus *status)
{
  const DebyeSlab all = {0, lanes->settings.potential.grid.shape[2]};
  debye_potential_map_lanes_set_frame(lanes, charges, cell);
  return debye_potential_map_lanes_execute_planes(lanes, all, out, out_double, cancel, progress, data,
                                                  status);
}

size_t
debye_potential_map_lanes_get_reports(const DebyePotentialMapLanes *lanes, const DebyeLaneReport **reports)
{
  return debye_lanes_get_reports(lanes->lanes, reports);
}

void
debye_potential_map_lanes_destroy(DebyePotentialMapLanes *lanes)
{
  if (lanes == NULL)
    return;
  debye_lanes_free(lanes->lanes);
  free(lanes);
}

void
debye_potential_map_lanes_estimate(const DebyePotentialMapLanesSettings *settings,
                                   const DebyeDeviceEntry *const *devices, size_t n_devices, double *seconds,
                                   uint64_t *host_bytes, uint64_t *device_bytes)
{
  const DebyePotentialLaneSettings of_lanes = lane_settings(settings, devices, n_devices);
  double speed = 0.0, start = START_SECONDS;
  size_t value = settings->potential.double_precision ? sizeof(double) : sizeof(float);
  *host_bytes = (uint64_t)debye_grid_n_points(&settings->potential.grid) * value;
  *device_bytes = 0;
  for (size_t i = 0; i < n_devices; i++) {
    uint64_t bytes;
    if (!debye_potential_lane_bytes(&of_lanes, devices[i], &bytes))
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
  double pairs = debye_potential_pairs(&settings->potential, settings->potential.max_charges);
  *seconds = speed > 0.0 ? start + pairs / speed : INFINITY;
}
