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
/* "+50 kT/e" of a name that says this level, as this or an earlier version writes it; NULL: the name says something else. */
const char *debye_isosurface_level_find_in_name(const char *name, double level, DebyeField *field);
/* Such a name in the user's language, from that part of it. */
char *debye_isosurface_level_title(const char *value);
