/* SPDX-License-Identifier: MIT */
/* Histograms of displacements on all devices at once: lags shared over lanes, blocks of atoms summed. Used as
 * scattering_self_lanes.h is, block by block; what follows from the counts is in displacement_function.h. */
#pragma once

#include "displacement_histogram.h"
#include "kernels/sharing.h"

typedef struct {
  /* spare_cores is set for each lane; n_bins 0: as many as the displacements need, more with each block
   * that goes farther, up to DEBYE_DISPLACEMENT_MAX_BINS: then nothing is beyond. */
  DebyeDisplacementSettings displacement;
  uint64_t memory_limit; /* bytes that a device may take; 0: what it has */
} DebyeDisplacementLanesSettings;

/* Plans stay open over many blocks, until debye_sharing_free. */
DebyeStatusCode debye_displacement_lanes_create(const DebyeDisplacementLanesSettings *settings,
                                                const DebyeDeviceEntry *const *devices, size_t n_devices,
                                                DebyeSharing **share, DebyeStatus *status);
/* Adds a block, all of it or, unless it returns OK, nothing. INVALID names the atom of the block and the
 * frame. Which lane did what doesn't show in counts, and in the moments only in their last digits. */
DebyeStatusCode debye_displacement_lanes_execute(DebyeSharing *share, const DebyeSelfBlock *block,
                                                 const volatile bool *cancel, DebyeStatus *status);
/* What was added so far, with its number of bins; valid until the next execute. */
const DebyeDisplacementSums *debye_displacement_lanes_get_sums(const DebyeSharing *share, size_t *n_bins);
