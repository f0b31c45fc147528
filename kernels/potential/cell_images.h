/* SPDX-License-Identifier: MIT */
/* A cell and which of its axes are periodic, for any cell: what images of an atom are made with. */
#pragma once

#include "potential_math.h"

DEBYE_BEGIN_DECLS

/* A cell in a turned grid's frame. */
typedef struct {
  DebyeVec3 edge[3];       /* along axes that are not periodic: any that complete the others */
  DebyeVec3 reciprocal[3]; /* fractional coordinate i of p is reciprocal[i]·p */
  bool periodic[3];
} DebyeCellImages;

/* `cell` may be NULL where nothing is periodic. INVALID where a periodic axis has no usable vector. */
DebyeStatusCode debye_cell_images_set(DebyeCellImages *lattice, const DebyeTurnedGrid *frame,
                                      unsigned periodic, const DebyeCell *cell, DebyeStatus *status);
DEBYE_END_DECLS
