/* SPDX-License-Identifier: MIT */
/* What particle mesh Ewald is compared with: Ewald's two sums themselves, in long double, over every image
 * and wave vector that gives a term of 1e-14 of a charge's, one point at a time. */
#pragma once

#include "kernels/potential/potential.h"

typedef struct DebyeOracleEwald DebyeOracleEwald;

/* `width` 0: the whole potential, Σ q/max(d, core) over all images with a neutralising background, its mean
 * over the cell zero (but for what the core cuts off). Else the potential of Gaussians of that width. The
 * charges are borrowed. */
DebyeOracleEwald *debye_oracle_ewald_new(const DebyeCharges *charges, const DebyeCell *cell,
                                         double core_radius, double width);
void debye_oracle_ewald_free(DebyeOracleEwald *oracle);

double debye_oracle_ewald_value(const DebyeOracleEwald *oracle, DebyeVec3 point);
