/* SPDX-License-Identifier: MIT */
/* The rotation and translation that bring one frame nearest to another (least squares over some atoms). */
#pragma once

#include "frame.h"

/* p ↦ rotation·(p − from) + to. The rotation is proper: a mirror image is never turned into its twin. */
typedef struct {
  double rotation[3][3];
  DebyeVec3 from, to;
} DebyeSuperposition;

/* Fits `frame` on `reference`, both of as many atoms, by `atoms` (NULL: all). `weights`, one an atom of the
 * frame: the masses, or NULL for equal ones. Atoms that are not finite in either are left out. `rmsd`, where
 * not NULL, gets what remains, Å, with the same weights. DEBYE_ERROR_VALUE with no atom left,
 * DEBYE_ERROR_MISMATCH for other numbers of atoms. Unit quaternions: Horn, J. Opt. Soc. Am. A 4, 629 (1987). */
gboolean debye_superpose(const DebyeFrame *frame, const DebyeFrame *reference, const guint32 *atoms,
                         gsize n_atoms, const float *weights, DebyeSuperposition *superposition, double *rmsd,
                         GError **error);
/* Where a position was before. */
DebyeVec3 debye_superposition_map_back(const DebyeSuperposition *superposition, DebyeVec3 position);
/* Positions, and with them the directions: velocities and the cell's vectors. */
void debye_superposition_apply(const DebyeSuperposition *superposition, DebyeFrame *frame);
