/* SPDX-License-Identifier: MIT */
/* Chooses levels for the isosurfaces of a map; called by scene_builder.c and the window. */
#pragma once

#include "data/results/field.h"

/* Levels that show the shape of this map: beyond each lies a small part of the points; rounded to 1, 2 or 5.
 * ± the same where both signs are alike strong; a molecule with a net charge, whose potential has one sign
 * nearly everywhere, gets one for each sign. Orbitals and electron densities get the level that is customary. 0:
 * that sign doesn't occur. */
void debye_isosurface_suggest_levels(DebyeField *field, double *negative, double *positive);

/* "+" for a positive level of a map that has both signs, else "": a density is never negative. NULL: of any map. */
const char *debye_isosurface_level_plus(double level, DebyeField *field);
/* What a surface is called by its level, in English: "Surface at +50 kT/e". */
char *debye_isosurface_level_name(double level, DebyeField *field);
/* The same in the user's language. */
char *debye_isosurface_level_title(double level, DebyeField *field);
/* Whether this or an earlier version calls a surface at this level so. */
gboolean debye_isosurface_level_was_name(const char *name, double level, DebyeField *field);
