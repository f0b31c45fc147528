/* SPDX-License-Identifier: MIT */
/* Chooses levels for the isosurfaces of a map; called by scene_builder.c and the window. */
#pragma once

#include "data/results/field.h"

G_BEGIN_DECLS

/* Levels that show the shape of this map: beyond each lies a small part of the points; rounded to 1, 2 or 5.
 * ± the same where both signs are alike strong; a molecule with a net charge, whose potential has one sign
 * nearly everywhere, gets one for each sign. Orbitals and electron densities get the level that is customary. 0:
 * that sign doesn't occur. */
void debye_isosurface_suggest_levels(DebyeField *field, double *negative, double *positive);

G_END_DECLS
