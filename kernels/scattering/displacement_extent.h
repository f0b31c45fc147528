/* SPDX-License-Identifier: MIT */
/* How far the atoms of a block move, found by many threads in one pass over their places. */
#pragma once

#include "scattering_self.h"

/* No displacement of the block is longer than *farthest (Å): the largest diagonal of the boxes that its atoms
 * move in. INVALID names the first place that can't be used; NO_MEMORY without room for the threads' boxes. */
DebyeStatusCode debye_displacement_farthest(const DebyeSelfBlock *block, size_t n_frames, double *farthest,
                                            DebyeStatus *status);
