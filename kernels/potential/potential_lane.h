/* SPDX-License-Identifier: MIT */
/* One lane of potential_map_lanes.h (slabs of one map) or potential_series_lanes.h (whole maps of many
 * frames): the potential's kernel on one device, planned within a limit on memory. The CPU meanwhile sums the
 * atoms that the device has no room for. Belongs to one thread at a time. */
#pragma once

#include "kernels/sharing.h"
#include "potential_kernel.h"

typedef struct {
  DebyeSharingLane lane;
  /* The CPU's plan for the atoms that the device has no room for; NULL until there are some. */
  DebyeKernelPlan *overflow_plan;
  bool overflows;
} DebyePotentialLane;

/* Bytes that a lane would take on its device, within a limit (0: none), settings with its spare_cores; false
 * where the method or the memory is missing, or the problem is beyond the device. */
bool debye_potential_lane_bytes(const DebyePotentialSettings *settings, uint64_t memory_limit,
                                const DebyeDeviceEntry *device, uint64_t *bytes);

/* Chooses the method's kernel for a new share. */
void debye_potential_share_init(DebyeSharing *share);
/* `adjust` and `close` of a family of potentials. */
void debye_potential_lane_adjust(const DebyeSharing *share, DebyeSharingLane *lane);
void debye_potential_lane_close(DebyeSharingLane *lane);
DebyeStatusCode debye_potential_lane_set_frame(DebyePotentialLane *lane, const DebyePotentialFrame *frame,
                                               DebyeStatus *status);
/* Planes of the frame that was set, of any number, written to their places in the whole map `out` or
 * `out_double`. */
DebyeStatusCode debye_potential_lane_sum(DebyePotentialLane *lane, DebyeSlab planes, float *out,
                                         double *out_double, const volatile bool *cancel,
                                         DebyeStatus *status);
