/* SPDX-License-Identifier: MIT */
/* Trajectories without the jumps that a periodic cell puts into them. */
#pragma once

#include "molecules.h"

/* Follows molecules through the cell from frame to frame. Each whole molecule's centre moves by the shortest
 * image of its displacement, the image decided in fractional coordinates, so that a cell that breathes is not
 * taken for a jump; displacements are summed, not image numbers times the cell of the day, which would scale
 * old jumps with each change of the volume (von Bülow, Bullerjahn and Hummer, J. Chem. Phys. 153, 021101
 * (2020)). */
typedef struct _DebyeUnwrap DebyeUnwrap;

DebyeUnwrap *debye_unwrap_new(const DebyeMolecules *molecules); /* which must live as long */
void debye_unwrap_free(DebyeUnwrap *unwrap);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeUnwrap, debye_unwrap_free)
/* Frames in the order of time; the first one stays where it is, made whole. */
void debye_unwrap_apply(DebyeUnwrap *unwrap, DebyeFrame *frame);
