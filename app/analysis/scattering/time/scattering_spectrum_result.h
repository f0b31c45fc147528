/* SPDX-License-Identifier: MIT */
/* Turns S(q, ω) into curves, a matrix, a table and notes; scattering_dynamic_result.c calls it. */
#pragma once

#include "intermediate_scattering.h"
#include "scattering_spectrum.h"

G_BEGIN_DECLS

/* Whether a spectrum can be made: needs correlations at known times. */
gboolean debye_scattering_spectrum_check(const DebyeIntermediateScattering *scattering, gsize n_times,
                                         GError **error);

/* Adds curves and the matrix, and the table, which comes first where nothing else was added before. */
void debye_scattering_spectrum_add(DebyeResult *result, const DebyeIntermediateScattering *scattering,
                                   const DebyeSpectrum *spectrum, const DebyeSpectrumSettings *settings);

G_END_DECLS
