/* SPDX-License-Identifier: MIT */
/* Packed coordinates (data/packed_coordinates.h) unpacked on a GPU; its twin is kernels/unpacking.c. A part of the plan
 * of kernels that a frame may reach packed. */
#pragma once

#include "kernels/unpacking.h"
#include "stream.cuh"

struct DebyeCudaPacked {
  uint32_t *words; /* the bytes, as they are */
  DebyePackedSegment *segments;
  float *xyz;       /* Å: all x, then y, then z, of as many atoms as the frame has */
  uint32_t *chosen; /* of the plan's atoms; none where has_chosen is false */
  size_t n_chosen;
  bool has_chosen;
  uint8_t *staged; /* pinned */
  DebyePackedSegment *staged_segments;
  cudaEvent_t sent; /* what is staged may be written over */
};

/* Of a plan's frames; `atoms` chosen or not. */
void debye_cuda_packed_list(DebyeCudaPacked *packed, const DebyePackedAtoms *atoms, DebyePlanMemory *memory);
/* With the list's memory; closed also after a failure. */
void debye_cuda_packed_open(DebyeCudaPacked *packed, const DebyePackedAtoms *atoms, DebyeStream *stream);
void debye_cuda_packed_close(DebyeCudaPacked *packed);
/* Fills `xyz` in the stream's order from a frame that debye_packed_check() found good. What was unpacked before stands in the
 * same memory: by the same stream, or finished. */
void debye_cuda_packed_unpack(DebyeCudaPacked *packed, const DebyePackedCoordinates *frame,
                              DebyeStream *stream);
/* The same for a frame that debye_packed_atoms_check() found good: the places of the plan's atoms in their order, x at `to`,
 * y and z each `stride` further on. */
void debye_cuda_packed_take(DebyeCudaPacked *packed, const DebyePackedCoordinates *frame, float *to,
                            size_t stride, DebyeStream *stream);
