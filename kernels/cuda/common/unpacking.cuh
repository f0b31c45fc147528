/* SPDX-License-Identifier: MIT */
/* Packed coordinates (data/packed_coordinates.h) unpacked on a GPU; its twin is kernels/unpacking.c. A part of the plan
 * of kernels that a frame may reach packed. */
#pragma once

#include "kernels/unpacking.h"
#include "stream.cuh"

struct DebyeCudaPacked {
  uint32_t *words; /* the bytes, as they are */
  DebyePackedSegment *segments;
  float *xyz;      /* Å: all x, then y, then z, of as many atoms as the frame has */
  uint8_t *staged; /* pinned */
  DebyePackedSegment *staged_segments;
};

/* Of frames with at most so many atoms; 0: none is packed. */
void debye_cuda_packed_list(DebyeCudaPacked *packed, size_t max_atoms, DebyePlanMemory *memory);
/* Fills `xyz` in the stream's order from a frame that debye_packed_check() found good. What was unpacked before must be
 * finished: it stands in the same memory. */
void debye_cuda_packed_unpack(DebyeCudaPacked *packed, const DebyePackedCoordinates *frame,
                              DebyeStream *stream);
