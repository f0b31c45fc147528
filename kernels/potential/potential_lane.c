/* SPDX-License-Identifier: MIT */
/* A device's plan of a map, and beside it the CPU's for what doesn't fit; called by potential_map_lanes.c and
 * _series.c. */
#include "potential_lane.h"

#include <stddef.h>

/* The overflow's sum of one execute. */
typedef struct {
  const DebyePotentialLane *lane;
  float *out;
  double *out_double;
  const volatile bool *cancel;
  DebyeStatus status;
} OverflowWork;

/* Of what all cores could sum in the time of an accelerator, by the two's scores, the part that the
 * atoms left to them may take: the rest goes into bringing the map to the caller, and sparse atoms are summed
 * less well than dense ones (tests/bench/RESULTS.md). */
#define OVERFLOW_PART 0.05

static double
overflow_share(const DebyePotentialSettings *settings, const DebyeDeviceEntry *device)
{
  DebyeDeviceInfo info;
  const unsigned lanes = settings->spare_cores > 0 ? settings->spare_cores : 1;
  if (settings->overflow_share > 0.0)
    return settings->overflow_share;
  if (device->cpu->device_info(0, &info, NULL) != DEBYE_STATUS_OK || !(device->info.score > 0.0))
    return 0.0;
  return OVERFLOW_PART * info.score / lanes / device->info.score;
}

bool
debye_potential_lane_bytes(const DebyePotentialSettings *settings, uint64_t memory_limit,
                           const DebyeDeviceEntry *device, uint64_t *bytes)
{
  const DebyePotentialKernel *kernel = device->backend->potential[settings->method];
  DebyePotentialSettings of_lane = *settings;
  if (kernel == NULL)
    return false;
  of_lane.overflow_share = overflow_share(settings, device);
  of_lane.max_planes = settings->grid.shape[2];
  *bytes = debye_sharing_fit(&kernel->head, device, &of_lane, &of_lane.max_planes, memory_limit);
  return *bytes < UINT64_MAX && (memory_limit == 0 || *bytes <= memory_limit);
}

void
debye_potential_share_init(DebyeSharing *share)
{
  static const char *const tasks[DEBYE_POTENTIAL_N_METHODS] = {
      [DEBYE_POTENTIAL_DIRECT] = N_("compute a potential by the direct method"),
      [DEBYE_POTENTIAL_CUTOFF] = N_("compute a potential by the cutoff method"),
      [DEBYE_POTENTIAL_MULTILEVEL] = N_("compute a potential by the multilevel method"),
      [DEBYE_POTENTIAL_EWALD] = N_("compute a potential by the ewald method"),
  };
  DebyePotentialSettings *settings = share->settings;
  share->task = tasks[settings->method];
  share->kernel = offsetof(DebyeBackend, potential) + settings->method * sizeof(const DebyePotentialKernel *);
  settings->max_planes = settings->grid.shape[2];
}

void
debye_potential_lane_adjust(const DebyeSharing *share, DebyeSharingLane *lane)
{
  ((DebyePotentialSettings *)lane->settings)->overflow_share = overflow_share(share->settings, lane->device);
}

static const DebyePotentialKernel *
kernel_of(const DebyePotentialLane *lane)
{
  return (const DebyePotentialKernel *)lane->lane.kernel;
}

static const DebyePotentialSettings *
settings_of(const DebyePotentialLane *lane)
{
  return lane->lane.settings;
}

static size_t
plane_points(const DebyePotentialLane *lane)
{
  return settings_of(lane)->grid.shape[0] * settings_of(lane)->grid.shape[1];
}

/* Sums what the device has no room for. */
static const DebyePotentialKernel *
overflow_kernel(const DebyePotentialLane *lane)
{
  return lane->lane.device->cpu->potential[settings_of(lane)->method];
}

void
debye_potential_lane_close(DebyeSharingLane *share_lane)
{
  DebyePotentialLane *lane = (DebyePotentialLane *)share_lane;
  if (lane->overflow_plan != NULL)
    overflow_kernel(lane)->head.destroy(lane->overflow_plan);
}

/* Its threads are shared fairly with the other accelerators' lanes, each of which has one too. */
static DebyeStatusCode
open_overflow(DebyePotentialLane *lane, DebyeStatus *status)
{
  DebyeDeviceInfo info;
  DebyePotentialSettings settings = *settings_of(lane);
  DebyeStatusCode code = lane->lane.device->cpu->device_info(0, &info, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  unsigned lanes = settings.spare_cores > 0 ? settings.spare_cores : 1;
  unsigned left = info.units > lanes ? info.units - lanes : 1;
  settings.spare_cores = info.units - (left / lanes > 0 ? left / lanes : 1);
  settings.packed = (DebyePackedAtoms){0};
  return overflow_kernel(lane)->head.create(0, &settings, &lane->overflow_plan, status);
}

DebyeStatusCode
debye_potential_lane_set_frame(DebyePotentialLane *lane, const DebyePotentialFrame *frame,
                               DebyeStatus *status)
{
  const DebyePotentialKernel *kernel = kernel_of(lane);
  DebyeCharges overflow = {0};
  DebyeStatusCode code = frame->packed != NULL
                             ? kernel->set_packed(lane->lane.plan, frame->packed, frame->cell, status)
                             : kernel->set_charges(lane->lane.plan, &frame->charges, frame->cell, status);
  if (code == DEBYE_STATUS_OK && kernel->get_overflow != NULL)
    kernel->get_overflow(lane->lane.plan, &overflow);
  lane->overflows = overflow.n > 0;
  if (code == DEBYE_STATUS_OK && lane->overflows && lane->overflow_plan == NULL)
    code = open_overflow(lane, status);
  if (code == DEBYE_STATUS_OK && lane->overflows)
    code = overflow_kernel(lane)->set_charges(lane->overflow_plan, &overflow, frame->cell, status);
  return code;
}

static float *
single_at(const DebyePotentialLane *lane, float *out, DebyeSlab slab)
{
  return out != NULL ? out + slab.first * plane_points(lane) : NULL;
}

static double *
twice_at(const DebyePotentialLane *lane, double *out, DebyeSlab slab)
{
  return out != NULL ? out + slab.first * plane_points(lane) : NULL;
}

static void
sum_overflow(void *context, DebyeSlab part, const void *values)
{
  OverflowWork *work = context;
  const DebyePotentialLane *lane = work->lane;
  if (work->status.code == DEBYE_STATUS_OK)
    overflow_kernel(lane)->add(lane->overflow_plan, part, values, single_at(lane, work->out, part),
                               twice_at(lane, work->out_double, part), work->cancel, &work->status);
}

static DebyeStatusCode
sum_slab(DebyePotentialLane *lane, DebyeSlab slab, float *out, double *out_double,
         const volatile bool *cancel, DebyeStatus *status)
{
  OverflowWork overflow = {.lane = lane, .out = out, .out_double = out_double, .cancel = cancel};
  const DebyeMeanwhile meanwhile = {sum_overflow, &overflow};
  DebyeStatusCode code = kernel_of(lane)->execute(lane->lane.plan, slab, single_at(lane, out, slab),
                                                  twice_at(lane, out_double, slab),
                                                  lane->overflows ? &meanwhile : NULL, cancel, status);
  if (code == DEBYE_STATUS_OK && overflow.status.code != DEBYE_STATUS_OK)
    return debye_status_set(status, overflow.status.code, "%s", overflow.status.message);
  return code;
}

DebyeStatusCode
debye_potential_lane_sum(DebyePotentialLane *lane, DebyeSlab planes, float *out, double *out_double,
                         const volatile bool *cancel, DebyeStatus *status)
{
  const size_t max_planes = settings_of(lane)->max_planes, end = planes.first + planes.count;
  DebyeStatusCode code = DEBYE_STATUS_OK;
  for (DebyeSlab slab = {planes.first, 0}; slab.first < end && code == DEBYE_STATUS_OK;
       slab.first += slab.count) {
    slab.count = end - slab.first < max_planes ? end - slab.first : max_planes;
    code = sum_slab(lane, slab, out, out_double, cancel, status);
  }
  return code;
}
