/* SPDX-License-Identifier: MIT */
/* Where displacements lie within the bins that scattering_displacements.c counts them in. Counts alone take
 * them for evenly spread there, which few are not: F_s is then off by some (qΔr)/√N. With the sum of their
 * offsets from the middle of each bin it is right to second order, (qΔr)²/√N and less. Computed here, not by
 * a device: it is for small jobs. */
#pragma once

#include "kernels/scattering/displacement_histogram.h"

#include <glib.h>

typedef struct {
  gsize n_species, n_frames, n_times, n_bins; /* times: the first lags */
  double width;                               /* Å, of a bin */
  double *sums; /* Å, [(species·n_times + lag)·n_bins + bin]; NULL: of nothing yet */
} DebyeScatteringOffsets;

/* Whether so few pairs of times are counted that theirs are worth the time, some seconds. */
gboolean debye_scattering_offsets_are_worth(gsize n_atoms, gsize n_frames, gsize n_lags);
/* Adds a block, whose displacements n_bins hold, which may have become more since the last. FALSE without the
 * memory; stopped by `cancel` some of the block's are missing. */
gboolean debye_scattering_offsets_add(DebyeScatteringOffsets *offsets, const DebyeSelfBlock *block,
                                      gsize n_bins, const volatile bool *cancel);
void debye_scattering_offsets_clear(DebyeScatteringOffsets *offsets);
