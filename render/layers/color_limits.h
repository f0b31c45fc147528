/* SPDX-License-Identifier: MIT */
/* Limits of colours as people write them. Used by the layers that show a map by colours, and by the window. */
#pragma once

#include "data/results/field.h"

/* Moves both limits outwards to round numbers: ±4 for ±3.82; 0.2 to 1.6 for 0.21 to 1.57. Symmetric ones about 0 stay
 * so. Limits that are equal, reversed or not finite are left. */
void debye_color_limits_round(double *minimum, double *maximum);

/* Whether it is an orbital or a density of electrons: next to nothing in most of its box. */
gboolean debye_color_limits_is_localised(DebyeField *field);
/* Limits of the colours of a map's values, symmetric about 0 for a diverging colour map: from the 2nd to the 98th
 * percentile; of what is localised up to the value beyond which lies a third of |ψ|², or half of the electrons, from 0 on
 * or from its negative if there are values below that. Round. */
void debye_color_limits_suggest(DebyeField *field, gboolean is_diverging, double *minimum, double *maximum);
