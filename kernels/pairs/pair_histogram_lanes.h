/* SPDX-License-Identifier: MIT */
/* Histograms of pair distances on all devices at once: frames, and slices of large frames, shared over lanes.
 */
#pragma once

#include "kernels/sharing.h"
#include "pair_histogram.h"

typedef struct {
  DebyePairSettings pair; /* spare_cores is set for each lane */
  uint64_t memory_limit;  /* bytes a lane may take on its device, and on the host; 0: what there is */
} DebyePairLanesSettings;

/* Plans stay open over many executions, until debye_sharing_free. */
DebyeStatusCode debye_pair_lanes_create(const DebyePairLanesSettings *settings,
                                        const DebyeDeviceEntry *const *devices, size_t n_devices,
                                        DebyeSharing **share, DebyeStatus *status);
/* Counts frames, each with its own cell: out[(frame·n_pairs + pair)·n_bins + bin], written (not added), with
 * exclusions taken away and self images added unless they are left out. Several small frames in one call keep
 * several devices busy. Unless it returns OK the counts mean nothing. INVALID names the frame's atom or cell;
 * *bad_frame (may be NULL) is then the frame's index in this call. */
DebyeStatusCode debye_pair_lanes_execute(DebyeSharing *share, const DebyePairFrame *frames, size_t n_frames,
                                         uint64_t *out, size_t *bad_frame, const volatile bool *cancel,
                                         DebyeSharingProgress progress, void *data, DebyeStatus *status);

/* Adds N_a·(lattice vectors in each bin)/2 to the histograms of groups with themselves, where the settings
 * want self images: a part of execute, for those who count by kernels alone. */
DebyeStatusCode debye_pair_add_self_images(const DebyePairSettings *settings, const DebyePairFrame *frame,
                                           uint64_t *counts, DebyeStatus *status);
