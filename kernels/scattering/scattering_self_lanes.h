/* SPDX-License-Identifier: MIT */
/* Self scattering on all devices at once: vectors, and parts of the atoms where vectors are few, shared over
 * lanes; blocks of atoms summed.
 *
 * How it is used: ask how many atoms a pass over the trajectory may keep, make one for so many, and for each
 * pass read the trajectory frame by frame, keep the places of that pass's atoms (a DebyeSelfBlock), and
 * execute. After the last pass the sums hold all atoms. */
#pragma once

#include "kernels/sharing.h"
#include "scattering_self.h"

typedef struct {
  DebyeSelfSettings self; /* spare_cores is set for each lane */
  uint64_t memory_limit; /* bytes that the host, and each device, may take; 0: what they have, less a tenth */
} DebyeSelfLanesSettings;

/* The most atoms of `n_atoms` that a pass may have: the block that the caller keeps (12 bytes an atom and
 * frame), the sums, and each device's own memory stay below the limit. NO_MEMORY with the least limit that
 * would do where not even one atom fits. self.max_atoms is not looked at. */
DebyeStatusCode debye_self_lanes_pass_atoms(const DebyeSelfLanesSettings *settings,
                                            const DebyeDeviceEntry *const *devices, size_t n_devices,
                                            size_t n_atoms, size_t *pass_atoms, DebyeStatus *status);

/* Plans stay open over many blocks, until debye_sharing_free. */
DebyeStatusCode debye_self_lanes_create(const DebyeSelfLanesSettings *settings,
                                        const DebyeDeviceEntry *const *devices, size_t n_devices,
                                        DebyeSharing **share, DebyeStatus *status);
/* Adds a block to the sums, all of it or, unless it returns OK, nothing. INVALID names the atom of the block
 * and the frame. Which lane did what doesn't show but in the last digits of their precision. */
DebyeStatusCode debye_self_lanes_execute(DebyeSharing *share, const DebyeSelfBlock *block,
                                         const volatile bool *cancel, DebyeStatus *status);
/* What was added so far, of one vector and group: n_frames complex values, and fq2 (0 unless elastic). */
const double *debye_self_lanes_get_f(const DebyeSharing *share, size_t vector, size_t group);
double debye_self_lanes_get_fq2(const DebyeSharing *share, size_t vector, size_t group);
