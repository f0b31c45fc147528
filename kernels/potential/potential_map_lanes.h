/* SPDX-License-Identifier: MIT */
/* A potential map, by any method, computed by lanes: the grid cut into slabs, shared over devices.
 * Called by the run of a map, of ions and by the benchmarks. */
#pragma once

#include "potential.h"
#include "kernels/sharing.h"

typedef struct {
  DebyePotentialSettings potential; /* max_planes and spare_cores are set here, not by the caller */
  uint64_t memory_limit;            /* bytes a device may take; 0: what it has */
} DebyePotentialMapLanesSettings;

/* Called from lane threads, one at a time: planes [slab.first, slab.first + slab.count) stand in the output;
 * done and total count grid points. May be NULL. */
typedef void (*DebyePotentialProgress)(void *data, DebyeSlab slab, size_t done, size_t total);

DebyeStatusCode debye_potential_map_lanes_create(const DebyePotentialMapLanesSettings *settings,
                                                 const DebyeDeviceEntry *const *devices, size_t n_devices,
                                                 DebyeSharing **share, DebyeStatus *status);
/* The whole map of a frame (`cell` NULL where nothing is periodic) in e/Å into out (float) or out_double
 * (double_precision). Planes not reached when cancelled are left as they were: fill with NAN before where
 * that matters. */
DebyeStatusCode debye_potential_map_lanes_execute(DebyeSharing *share, const DebyeCharges *charges,
                                                  const DebyeCell *cell, float *out, double *out_double,
                                                  const volatile bool *cancel,
                                                  DebyePotentialProgress progress, void *data,
                                                  DebyeStatus *status);
/* The same in steps: a frame, whose charges stay as they are until the next, and some of its planes after others. done and
 * total count the points of these; what is not asked for is left as it was. */
void debye_potential_map_lanes_set_frame(DebyeSharing *share, const DebyePotentialFrame *frame);
DebyeStatusCode debye_potential_map_lanes_execute_planes(DebyeSharing *share, DebyeSlab planes, float *out,
                                                         double *out_double, const volatile bool *cancel,
                                                         DebyePotentialProgress progress, void *data,
                                                         DebyeStatus *status);

/* Host and device bytes, for an estimate before anything is allocated. */
void debye_potential_map_lanes_estimate(const DebyePotentialMapLanesSettings *settings,
                                        const DebyeDeviceEntry *const *devices, size_t n_devices,
                                        double *seconds, uint64_t *host_bytes, uint64_t *device_bytes);
