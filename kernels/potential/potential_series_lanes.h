/* SPDX-License-Identifier: MIT */
/* Potential maps of many frames: each frame's whole map is computed by one lane, so that several devices work
 * on different frames. An accelerator has two lanes: while one's map is computed, the other's charges are
 * sorted and copied to it, or its map is copied back and handed out.
 *
 * For one large map potential_map_lanes.h, which shares its planes. */
#pragma once

#include "potential.h"
#include "kernels/sharing.h"

typedef struct {
  DebyePotentialSettings potential; /* max_planes and spare_cores are set here, not by the caller */
  uint64_t memory_limit;            /* bytes a device may take, for all of its lanes; 0: what it has */
} DebyePotentialSeriesLanesSettings;

/* What is done with a frame's map, in e/Å: `single`, or `twice` in double precision, the other NULL; the
 * lane's own memory, gone when the call returns. Called once for each frame of an execution, on the thread of
 * lane `lane`, several lanes at the same time, frames in any order: what it adds to belongs to the lane, and
 * the caller merges in the order of the lanes. */
typedef void (*DebyePotentialSink)(void *data, size_t lane, size_t frame, const float *single,
                                   const double *twice);
/* Lanes that these devices have. Each holds a map on the host. */
size_t debye_potential_series_lanes_count_lanes(const DebyeDeviceEntry *const *devices, size_t n_devices);

/* Plans stay open over many executions, until debye_sharing_free. */
DebyeStatusCode debye_potential_series_lanes_create(const DebyePotentialSeriesLanesSettings *settings,
                                                    const DebyeDeviceEntry *const *devices, size_t n_devices,
                                                    DebyeSharing **share, DebyeStatus *status);
/* The frames are borrowed meanwhile. A lane that fails returns the frames it has not handed out, and another computes them.
 * Not OK: some frames never came to the sink; those that did are right. INVALID: *bad_frame (may be NULL) is the frame. */
DebyeStatusCode debye_potential_series_lanes_execute(DebyeSharing *share, const DebyePotentialFrame *frames,
                                                     size_t n_frames, DebyePotentialSink sink,
                                                     DebyeSharingProgress progress, void *data,
                                                     size_t *bad_frame, const volatile bool *cancel,
                                                     DebyeStatus *status);
/* One report a device, of all its lanes together: it has retired when all of them have. */
size_t debye_potential_series_lanes_get_reports(DebyeSharing *share, const DebyeLaneReport **reports);
