/* SPDX-License-Identifier: MIT */
/* One lane of potential_map_lanes.h (slabs of one map) or potential_series_lanes.h (whole maps of many
 * frames): the potential's kernel on one device, planned within a limit on memory. The CPU meanwhile sums the
 * atoms that the device has no room for. Belongs to one thread at a time. */
#pragma once

#include "potential_kernel.h"
#include "kernels/registry.h"

typedef struct DebyePotentialLane DebyePotentialLane;

typedef struct {
  DebyePotentialSettings potential; /* max_planes and spare_cores are set here, not by the caller */
  uint64_t memory_limit;            /* bytes a lane may take on its device; 0: what it has */
  unsigned n_accelerators;          /* lanes of accelerators that there will be, this one with them */
} DebyePotentialLaneSettings;

/* Bytes that a lane would take on its device; false where the method or the memory is missing, or the problem
 * is beyond the device. */
bool debye_potential_lane_bytes(const DebyePotentialLaneSettings *settings, const DebyeDeviceEntry *device,
                                uint64_t *bytes);

DebyeStatusCode debye_potential_lane_open(const DebyePotentialLaneSettings *settings,
                                          const DebyeDeviceEntry *device, DebyePotentialLane **lane,
                                          DebyeStatus *status);
void debye_potential_lane_close(DebyePotentialLane *lane);
/* `cell` NULL where nothing is periodic. */
DebyeStatusCode debye_potential_lane_set_frame(DebyePotentialLane *lane, const DebyeCharges *charges,
                                               const DebyeCell *cell, DebyeStatus *status);
/* Planes of the frame that was set, of any number, written to their places in the whole map `out` or
 * `out_double`. */
DebyeStatusCode debye_potential_lane_sum(DebyePotentialLane *lane, DebyeSlab planes, float *out,
                                         double *out_double, const volatile bool *cancel,
                                         DebyeStatus *status);
