/* SPDX-License-Identifier: MIT */
/* The rows of signals in time, a q or a vector each, and the times: their names, values and factors. */
#pragma once

#include "intermediate_scattering.h"

/* What names a row in tables: q; or qx, qy and qz where it is a vector, with h, k and l before where it is
 * one of the reciprocal lattice. */
guint debye_scattering_row_n_names(const DebyeScatteringPlan *plan);
const char *debye_scattering_row_get_name(const DebyeScatteringPlan *plan, guint k);
double debye_scattering_row_get_value(const DebyeIntermediateScattering *scattering, guint k, gsize row);
/* Those columns; each row's `times` times. */
void debye_intermediate_scattering_add_row_names(DebyeTable *table,
                                                 const DebyeIntermediateScattering *scattering, gsize times);
/* The factors of the normalisation, one a row. `volume` in Å³, 0: none. To be freed. */
double *debye_scattering_row_factors(const DebyeIntermediateScattering *scattering, double volume);
/* τ in ps, or frames where the files don't say; t of signals that are no correlations. */
DebyeQuantity debye_scattering_time_quantity(const DebyeIntermediateScattering *scattering);
