/* SPDX-License-Identifier: MIT */
/* Frames that reach the CPU packed, unpacked by a plan's threads; its twin is cuda/common/unpacking.cuh. */
#pragma once

#include "kernels/unpacking.h"
#include "parallel.h"

/* Into arrays with room for all atoms of the frame, Å, that was found good. Of `chosen`, ascending, the first n_chosen places
 * are then those, one after the other; NULL: all stay where they are. */
void debye_unpack(const DebyePackedCoordinates *packed, const uint32_t *chosen, size_t n_chosen,
                  DebyePool *pool, float *x, float *y, float *z);
