/* SPDX-License-Identifier: MIT */
/* Poisson-Boltzmann's equation of many frames: each frame has one device, so that several work on different frames, and each
 * goes on from the last one that it solved. Used by map_run_series.c; one frame at a time is map_poisson.h's. */
#pragma once

#include "kernels/potential/potential_series_lanes.h"
#include "map_poisson.h"

typedef struct DebyeMapPoissonLanes DebyeMapPoissonLanes;

/* Devices open what they need with their first frame: one that has nothing to do takes no memory. A processor beside
 * accelerators takes frames where they are not much faster, or have failed. NULL with an error. */
DebyeMapPoissonLanes *debye_map_poisson_lanes_new(const DebyeMapPlan *plan,
                                                  const DebyeDeviceEntry *const *devices, gsize n_devices,
                                                  GError **error);
void debye_map_poisson_lanes_free(DebyeMapPoissonLanes *self);
/* As debye_potential_series_lanes_execute(), with a lane a device: maps come to the sink as debye_map_poisson_solve() gives
 * them, and the frames of those, no others, are in the sums. FALSE with an error, or without one where it was stopped. */
gboolean debye_map_poisson_lanes_execute(DebyeMapPoissonLanes *self, const DebyeMapFrame *frames,
                                         gsize n_frames, DebyePotentialSink sink,
                                         DebyeSharingProgress progress, gpointer data,
                                         const volatile bool *cancel, GError **error);
gsize debye_map_poisson_lanes_get_reports(const DebyeMapPoissonLanes *self, const DebyeLaneReport **reports);
/* Moves the sums of all lanes, in their order, into one. Not during an execution. */
void debye_map_poisson_lanes_merge(DebyeMapPoissonLanes *self, DebyeMapPoisson *sums);
