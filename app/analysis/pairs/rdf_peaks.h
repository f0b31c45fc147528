/* SPDX-License-Identifier: MIT */
/* Shells in a pair distribution: where its peaks are and how many neighbours each holds. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double position, height; /* of the peak: Å, g */
  double end;              /* the minimum behind it, Å; NAN where the distribution ends before one */
  double coordination;     /* neighbours up to there; NAN likewise */
} DebyeRdfPeak;

/* The first `max` peaks above 1, in order. A peak is the largest value within 0.3 Å on either side (noise
 * between neighbouring bins makes none), its position that of a parabola through it and its neighbours.
 * Returns their number. */
gsize debye_rdf_find_peaks(const double *g, const double *coordination, gsize n_bins, double width,
                           DebyeRdfPeak *peaks, gsize max);

G_END_DECLS
