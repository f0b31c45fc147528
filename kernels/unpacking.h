/* SPDX-License-Identifier: MIT */
/* Packed coordinates (data/packed_coordinates.h) unpacked on the CPU, and what back ends need to do so on a device
 * (cuda/common/unpacking.cuh). */
#pragma once

#include "unpacking_math.h"
#include "status.h"

DEBYE_BEGIN_DECLS

/* Of the frames of a plan that may come packed. */
typedef struct {
  size_t n_atoms;         /* that each of them has; 0: none comes packed */
  const uint32_t *chosen; /* atoms that count, by their numbers, ascending; NULL: the first ones */
  size_t n_chosen;
} DebyePackedAtoms;

/* INVALID where a plan for frames of `max_atoms` packed atoms hasn't the room, for these or for their bits. */
DebyeStatusCode debye_packed_check(const DebyePackedCoordinates *packed, size_t max_atoms,
                                   DebyeStatus *status);
/* The same, and where the frame has other than the plan's atoms. */
DebyeStatusCode debye_packed_atoms_check(const DebyePackedAtoms *atoms, const DebyePackedCoordinates *packed,
                                         DebyeStatus *status);
void debye_packed_scale_init(DebyePackedScale *scale, const DebyePackedCoordinates *packed);
/* Unpacks a segment into arrays of all the frame's atoms, Å; several threads may each unpack some. */
void debye_packed_unpack_segment(const DebyePackedCoordinates *packed, const DebyePackedScale *scale,
                                 size_t segment, float *x, float *y, float *z);

DEBYE_END_DECLS
