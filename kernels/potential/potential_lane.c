/* SPDX-License-Identifier: MIT */
/* A device's plan of a map, and beside it the CPU's for what doesn't fit; called by potential_map_lanes.c and
 * _series.c. */
#include "potential_lane.h"

#include "kernels/lane_plan.h"

#include <stdlib.h>
#include <string.h>

struct DebyePotentialLane {
  const DebyePotentialKernel *kernel;
  DebyePotentialPlan *plan;
  DebyePotentialSettings settings;
  const DebyeBackend *cpu; /* sums what the device has no room for */
  unsigned n_accelerators;
  size_t plane_points;
  /* The CPU's plan for the atoms that the device has no room for; NULL until there are some. */
  DebyePotentialPlan *overflow_plan;
  bool overflows;
};

/* The overflow's sum of one execute. */
typedef struct {
  const DebyePotentialLane *lane;
  float *out;
  double *out_double;
  const volatile bool *cancel;
  DebyeStatus status;
} OverflowWork;

static const DebyePotentialKernel *
get_kernel(const DebyePotentialLaneSettings *settings, const DebyeDeviceEntry *device)
{
  return debye_potential_kernel(device->backend, settings->potential.method);
}

/* Of what all cores could sum in the time of an accelerator, by the two's scores, the part that the
 * atoms left to them may take: the rest goes into bringing the map to the caller, and sparse atoms are summed
 * less well than dense ones (tests/bench/RESULTS.md). */
#define OVERFLOW_PART 0.05

static double
overflow_share(const DebyePotentialLaneSettings *settings, const DebyeDeviceEntry *device)
{
  DebyeDeviceInfo info;
  const unsigned lanes = settings->n_accelerators > 0 ? settings->n_accelerators : 1;
  if (settings->potential.overflow_share > 0.0)
    return settings->potential.overflow_share;
  if (device->cpu->device_info(0, &info, NULL) != DEBYE_STATUS_OK || !(device->info.score > 0.0))
    return 0.0;
  return OVERFLOW_PART * info.score / lanes / device->info.score;
}

/* The kernel's settings for a device, with the thickest slab that the memory limit allows. False where not
 * even one plane fits; *bytes says what would be taken, SIZE_MAX where the device can't do it at all. */
static bool
plan_memory(const DebyePotentialLaneSettings *settings, const DebyeDeviceEntry *device,
            DebyePotentialSettings *kernel_settings, uint64_t *bytes)
{
  const DebyePotentialKernel *kernel = get_kernel(settings, device);
  *kernel_settings = settings->potential;
  kernel_settings->spare_cores = settings->n_accelerators;
  kernel_settings->overflow_share = overflow_share(settings, device);
  kernel_settings->max_planes = settings->potential.grid.shape[2];
  for (;; kernel_settings->max_planes = (kernel_settings->max_planes + 1) / 2) {
    *bytes = kernel->bytes_needed(device->device, kernel_settings);
    if (*bytes < SIZE_MAX && (settings->memory_limit == 0 || *bytes <= settings->memory_limit))
      return true;
    if (kernel_settings->max_planes <= 1)
      return false;
  }
}

bool
debye_potential_lane_bytes(const DebyePotentialLaneSettings *settings, const DebyeDeviceEntry *device,
                           uint64_t *bytes)
{
  DebyePotentialSettings kernel_settings;
  return get_kernel(settings, device) != NULL && plan_memory(settings, device, &kernel_settings, bytes);
}

DebyeStatusCode
debye_potential_lane_open(const DebyePotentialLaneSettings *settings, const DebyeDeviceEntry *device,
                          DebyePotentialLane **lane, DebyeStatus *status)
{
  DebyePotentialSettings kernel_settings;
  uint64_t bytes;
  const DebyePotentialKernel *kernel = get_kernel(settings, device);
  if (kernel == NULL)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "%s can't compute a potential by the %s method.", device->backend->title,
                            debye_potential_method_name(settings->potential.method));
  /* Where it can't be done at all, the kernel says why. */
  if (!plan_memory(settings, device, &kernel_settings, &bytes) && bytes < SIZE_MAX)
    return debye_lane_refuse_memory(bytes, settings->memory_limit, status);
  DebyePotentialLane *made = calloc(1, sizeof *made);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  made->kernel = kernel;
  made->cpu = device->cpu;
  made->settings = kernel_settings;
  made->n_accelerators = settings->n_accelerators;
  made->plane_points = kernel_settings.grid.shape[0] * kernel_settings.grid.shape[1];
  DebyeStatusCode code = kernel->create(device->device, &kernel_settings, &made->plan, status);
  if (code != DEBYE_STATUS_OK) {
    free(made);
    return code;
  }
  *lane = made;
  return DEBYE_STATUS_OK;
}

static const DebyePotentialKernel *
overflow_kernel(const DebyePotentialLane *lane)
{
  return debye_potential_kernel(lane->cpu, lane->settings.method);
}

void
debye_potential_lane_close(DebyePotentialLane *lane)
{
  if (lane == NULL)
    return;
  lane->kernel->destroy(lane->plan);
  if (lane->overflow_plan != NULL)
    overflow_kernel(lane)->destroy(lane->overflow_plan);
  free(lane);
}

/* Its threads are shared fairly with the other accelerators' lanes, each of which has one too. */
static DebyeStatusCode
open_overflow(DebyePotentialLane *lane, DebyeStatus *status)
{
  DebyeDeviceInfo info;
  DebyePotentialSettings settings = lane->settings;
  DebyeStatusCode code = lane->cpu->device_info(0, &info, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  unsigned lanes = lane->n_accelerators > 0 ? lane->n_accelerators : 1;
  unsigned left = info.units > lanes ? info.units - lanes : 1;
  settings.spare_cores = info.units - (left / lanes > 0 ? left / lanes : 1);
  return overflow_kernel(lane)->create(0, &settings, &lane->overflow_plan, status);
}

DebyeStatusCode
debye_potential_lane_set_frame(DebyePotentialLane *lane, const DebyeCharges *charges, const DebyeCell *cell,
                               DebyeStatus *status)
{
  DebyeCharges overflow = {0};
  DebyeStatusCode code = lane->kernel->set_charges(lane->plan, charges, cell, status);
  if (code == DEBYE_STATUS_OK && lane->kernel->get_overflow != NULL)
    lane->kernel->get_overflow(lane->plan, &overflow);
  lane->overflows = overflow.n > 0;
  if (code == DEBYE_STATUS_OK && lane->overflows && lane->overflow_plan == NULL)
    code = open_overflow(lane, status);
  if (code == DEBYE_STATUS_OK && lane->overflows)
    code = overflow_kernel(lane)->set_charges(lane->overflow_plan, &overflow, cell, status);
  return code;
}

static float *
single_at(const DebyePotentialLane *lane, float *out, DebyeSlab slab)
{
  return out != NULL ? out + slab.first * lane->plane_points : NULL;
}

static double *
twice_at(const DebyePotentialLane *lane, double *out, DebyeSlab slab)
{
  return out != NULL ? out + slab.first * lane->plane_points : NULL;
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
  DebyeStatusCode code =
      lane->kernel->execute(lane->plan, slab, single_at(lane, out, slab), twice_at(lane, out_double, slab),
                            lane->overflows ? &meanwhile : NULL, cancel, status);
  if (code == DEBYE_STATUS_OK && overflow.status.code != DEBYE_STATUS_OK)
    return debye_status_set(status, overflow.status.code, "%s", overflow.status.text);
  return code;
}

DebyeStatusCode
debye_potential_lane_sum(DebyePotentialLane *lane, DebyeSlab planes, float *out, double *out_double,
                         const volatile bool *cancel, DebyeStatus *status)
{
  const size_t max_planes = lane->settings.max_planes, end = planes.first + planes.count;
  DebyeStatusCode code = DEBYE_STATUS_OK;
  for (DebyeSlab slab = {planes.first, 0}; slab.first < end && code == DEBYE_STATUS_OK;
       slab.first += slab.count) {
    slab.count = end - slab.first < max_planes ? end - slab.first : max_planes;
    code = sum_slab(lane, slab, out, out_double, cancel, status);
  }
  return code;
}
