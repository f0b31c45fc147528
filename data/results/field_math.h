/* SPDX-License-Identifier: MIT */
/* What is made of maps: differences, averages over planes, values along a line. */
#pragma once

#include "curve.h"
#include "field.h"

/* Whether two grids have the same points: shapes equal, corners within a thousandth of the shortest step. */
gboolean debye_grid_is_same(const DebyeGrid *a, const DebyeGrid *b);

/* a − b, point by point; NAN where either is not finite. DEBYE_ERROR_MISMATCH where the grids or the units
 * differ (a unit that is not stated fits any). */
DebyeField *debye_field_subtract(DebyeField *a, DebyeField *b, GError **error);
/* Whether grids and units allow it: the same error before anything is computed. */
gboolean debye_field_can_subtract(DebyeField *a, DebyeField *b, GError **error);

/* The mean over each plane across grid axis 0, 1 or 2, of its finite values. x is the plane's place, in
 * the map's unit of length, along the axis' direction: the coordinate x, y or z where the step points along
 * it, else the distance from the first plane, measured perpendicular to the planes. A plane without finite
 * values is a gap. */
DebyeCurve *debye_field_get_profile(DebyeField *self, int axis);

/* `n` ≥ 2 values, trilinear, from one point to another, ends included, over the distance from the first; NAN
 * outside the map. */
DebyeCurve *debye_field_get_line(DebyeField *self, DebyeVec3 from, DebyeVec3 to, gsize n);
