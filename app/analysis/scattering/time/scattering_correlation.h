/* SPDX-License-Identifier: MIT */
/* Correlates the amplitudes of vectors at all times into the signals of their rows and of pairs of species;
 * intermediate_scattering_coherent.c calls it. */
#pragma once

#include "intermediate_scattering.h"

/* Weighted amplitudes of the plan's vectors [first, first + n): of all atoms (n_series 1), or of each
 * species, which then are told as partials, too. */
typedef struct {
  gsize first, n, n_series;
  gsize from, to;               /* which of the n are correlated here */
  const double complex *values; /* [(series·n + vector)·n_times + time] */
} DebyeVectorSeries;

/* Of n vectors, so many are correlated at a time, and as much as goes in comes out. */
gsize debye_scattering_correlate_together(const DebyeScatteringPlan *plan, gsize n);
/* FALSE with an error. */
gboolean debye_scattering_correlate(const DebyeIntermediateScattering *scattering,
                                    const DebyeVectorSeries *series, const DebyeVectorRows *rows,
                                    DebyeScatteringSignals *signals, GError **error);
