/* SPDX-License-Identifier: MIT */
/* Scattering curves for another fraction of deuterium, without any frame again.
 *
 * The weight of an exchangeable hydrogen, (1 − x)·b_H + x·b_D, is linear in the fraction x, and what mixing
 * adds to incoherent scattering is x(1 − x)|b_D − b_H|². So every sum of weights in pairs is a parabola in x,
 * exact from its values at 0, ½ and 1, and a normalised intensity is such a sum, or one divided by another. A
 * result carries those values as matrices, one for each curve. */
#pragma once

#include "result.h"

#define DEBYE_CONTRAST_N 3
/* The matrices of a curve have its name behind these; their rows are fractions. */
#define DEBYE_CONTRAST_VALUES "contrast of "
#define DEBYE_CONTRAST_DIVISOR "contrast divisor of "
#define DEBYE_CONTRAST_ROW "deuterium_fraction"

extern const double debye_contrast_fractions[DEBYE_CONTRAST_N]; /* 0, ½, 1 */

/* Whether a matrix is one of those. */
gboolean debye_contrast_owns(DebyeMatrix *matrix);
/* Whether a result has curves that can be had for other fractions. */
gboolean debye_contrast_is_known(DebyeResult *result);
/* The curves of a result with that fraction of deuterium in the exchangeable hydrogens, under their names, as
 * a result of its own; its request says so. Those that don't depend on
 * it stay out. `series`: with those of debye_contrast_add_series beside. NULL where it isn't known. */
DebyeResult *debye_contrast_mix(DebyeResult *result, double fraction, gboolean series);
/* Adds the curves at 0, 25, 50, 75 and 100 % deuterium to a result in the making: of the first curve of each
 * quantity. */
void debye_contrast_add_series(DebyeResult *result);
/* Whether its request asks for them. */
gboolean debye_contrast_has_series(DebyeResult *result);
/* The fraction that the result was computed with: of its first exchange; 0 without. */
double debye_contrast_get_fraction(DebyeResult *result);
