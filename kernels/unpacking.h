/* SPDX-License-Identifier: MIT */
/* Packed coordinates (data/packed_coordinates.h) unpacked on the CPU, and what back ends need to do so on a device
 * (cuda/common/unpacking.cuh). */
#pragma once

#include "unpacking_math.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* INVALID where a plan for frames of `max_atoms` packed atoms hasn't the room, for these or for their bits. */
DebyeStatusCode debye_packed_check(const DebyePackedCoordinates *packed, size_t max_atoms,
                                   DebyeStatus *status);
void debye_packed_scale_init(DebyePackedScale *scale, const DebyePackedCoordinates *packed);
/* Unpacks a segment into arrays of all the frame's atoms, Å; several threads may each unpack some. */
void debye_packed_unpack_segment(const DebyePackedCoordinates *packed, const DebyePackedScale *scale,
                                 size_t segment, float *x, float *y, float *z);

#ifdef __cplusplus
}
#endif
