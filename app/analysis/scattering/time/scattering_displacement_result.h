/* SPDX-License-Identifier: MIT */
/* How far atoms move, as curves and a map: the mean square displacement, the non-Gaussian parameter and the
 * self part of the van Hove function. scattering_dynamic_result.c calls it. */
#pragma once

#include "intermediate_scattering.h"

/* Of the first n_times lags, at `times`; where partials are asked for, of each species, too. */
void debye_scattering_displacements_add(DebyeResult *result, const DebyeIntermediateScattering *scattering,
                                        const DebyeScatteringDisplacements *displacements,
                                        const double *times, gsize n_times);
