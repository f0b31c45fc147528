/* SPDX-License-Identifier: MIT */
/* Turns S(q, ω) into curves, a matrix, a table and notes; scattering_dynamic_result.c calls it. */
#pragma once

#include "intermediate_scattering.h"
#include "scattering_spectrum.h"

/* Whether a spectrum can be made: needs correlations at known times. */
gboolean debye_scattering_spectrum_check(const DebyeIntermediateScattering *scattering, gsize n_times,
                                         GError **error);

/* Adds curves and the matrix, and the table, which comes first where nothing else was added before. */
void debye_scattering_spectrum_add(DebyeResult *result, const DebyeIntermediateScattering *scattering,
                                   const DebyeSpectrum *spectrum, const DebyeSpectrumSettings *settings);

/* Compares the moments of a spectrum with what they must be:
 *
 *   ∫S dω = F(q, 0)
 *   ∫ω S dω = 0 of classical motion; with detailed balance Σ N w² ħq²/2m, the recoil of free atoms (the f-sum
 *             rule, G. Placzek, Phys. Rev. 86 (1952) 377)
 *   ∫ω² S dω = Σ N w² q² kT/m of classical motion: atoms' speeds are Maxwell's, each for itself
 *
 * with w² = |b|² of coherent, b_inc² of incoherent scattering. Rigid bonds take part of the second moment
 * away (atoms of a rigid molecule don't move each for itself), and so do frames that are too far apart.
 *
 * Adds the table “sum_rules”, a row a q, and a note. `fqt` and its factors as the spectrum was made of. */
void debye_scattering_sum_rules_add(DebyeResult *result, const DebyeIntermediateScattering *scattering,
                                    const DebyeSpectrum *spectrum, const DebyeSpectrumSettings *settings,
                                    const double complex *fqt, gsize stride, const double *factors);
