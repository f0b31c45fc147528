/* SPDX-License-Identifier: MIT */
/* Shells in a pair distribution: where its peaks are and how many neighbours each holds. */
#pragma once

#include <glib.h>

typedef struct {
  double position, height; /* of the peak: Å, g */
  double end;              /* the minimum behind it, Å; NAN where the distribution ends before one */
  double coordination;     /* neighbours up to there; NAN likewise */
} DebyeRdfPeak;

/* The first `max` peaks that noise doesn't make, in order. Candidates are the largest values within 0.3 Å on either side. One
 * is a peak if it is above 1 and above a value before it, and its shell ends at a minimum that is below the peak
 * and the next maximum, each by more of the `errors` than chance brings about in one of a hundred curves: normal quantiles
 * with Bonferroni's correction (P(Z > z) = 0.01/n for n bins, 0.01·2/n² for pairs of bins). Its position is that of a
 * parabola through it and its neighbours. `errors`: standard errors of g, n_bins, none NAN. Returns the number of peaks. */
gsize debye_rdf_find_peaks(const double *g, const double *errors, const double *coordination, gsize n_bins,
                           double width, DebyeRdfPeak *peaks, gsize max);
