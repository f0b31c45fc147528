/* SPDX-License-Identifier: MIT */
/* The periodic images of an atom: which of them lie in a region, and which one is nearest, for any cell and
 * any of its axes. */
#pragma once

#include "potential_math.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A cell in a turned grid's frame. */
typedef struct {
  DebyeVec3 edge[3];       /* along axes that are not periodic: any that complete the others */
  DebyeVec3 reciprocal[3]; /* fractional coordinate i of p is reciprocal[i]·p */
  bool periodic[3];
} DebyeCellImages;

/* `cell` may be NULL where nothing is periodic. INVALID where a periodic axis has no usable vector. */
DebyeStatusCode debye_cell_images_set(DebyeCellImages *lattice, const DebyeTurnedGrid *frame,
                                      unsigned periodic, const DebyeCell *cell, DebyeStatus *status);
/* `p` moved by whole edges until its fractional coordinates along periodic axes are in [0, 1). */
DebyeVec3 debye_cell_images_wrap(const DebyeCellImages *lattice, DebyeVec3 p);

#ifdef __cplusplus
}
#endif
