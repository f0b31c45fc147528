/* SPDX-License-Identifier: MIT */
/* Turns what a run has found so far into curves and tables; scattering_run.c calls it for partial results and
 * at the end. */
#pragma once

#include "scattering_intensity.h"

/* I(q) of the parts that are asked for, partials, the table of weights, and the unweighted products from
 * which other contrasts follow. */
DebyeResult *debye_scattering_result_new(const DebyeRunInput *input, const DebyeScatteringFound *found);

/* The table of what scattered how strongly. */
void debye_scattering_result_add_weights(DebyeResult *result, const DebyeScatterers *scatterers);

/* Puts the values that the data decided for unset settings into `request`, the result's own; `volume`: mean of the frames'
 * cells, Å³, 0 or NAN where there are none. */
void debye_scattering_set_effective_settings(DebyeRequest *request, const DebyeScatteringPlan *plan,
                                             double volume);
