/* SPDX-License-Identifier: MIT */
/* What the direct sum in float is expected to lose by rounding, before it is computed. */
#pragma once

#include "potential.h"

/* The root mean square of the error of a direct sum in float, over that of the map: from the exact sum at
 * `n_points` points spread evenly over the map. Each term q/d has an error of its own, about
 * DEBYE_ROUNDING_TERM of it, so that the error of V = Σ q/d goes with √Σ(q/d)² whatever is left of V: where
 * charges of both signs all but cancel, far from a neutral crystal, single precision is not enough. And each
 * addition rounds what the sum is by then, which is large where the order of the file has ions of one sign
 * here and their opposites there: by DEBYE_ROUNDING_SUM of it, 2⁻²³/√12 over the root mean square of numbers
 * from 1 to 2. Within a factor of three. 0 where there are no charges; cell: as in set_charges. */
#define DEBYE_ROUNDING_TERM 2e-7
#define DEBYE_ROUNDING_SUM 2.3e-8
double debye_potential_rounding(const DebyePotentialSettings *settings, const DebyeCharges *charges,
                                const DebyeCell *cell, size_t n_points);
