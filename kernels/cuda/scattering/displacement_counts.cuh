/* SPDX-License-Identifier: MIT */
/* What the displacements' kernels are given.
 *
 * Counts stand in the device's memory run by run of lags, and row by row of bins, as a block adds them:
 * [((group·n_runs + run)·(n_bins + 1) + bin)·lags + place], where a run of `lags` lags has its even ones
 * before its odd ones. Row n_bins is what is beyond. */
#pragma once

#include "kernels/scattering/displacement_histogram.h"
#include "series_block.cuh"

struct DebyeDisplacementLaunch {
  const float *position[3]; /* [atom·row + frame], readable for DEBYE_SERIES_SLACK behind the last row */
  size_t row;
  unsigned n_frames, n_bins;
  unsigned shared_rows;       /* of n_bins + 1; those from there on are counted in the device's memory */
  unsigned first_lag, n_lags; /* of this launch: consecutive ones from an even one, or entries of the list */
  unsigned skip;              /* so many of the first are not wanted */
  const uint32_t *lags;       /* the list, or NULL */
  const DebyeSeriesPiece *pieces;
  unsigned n_pieces;
  double bin_width;
  float scale_low, scale_high; /* bins an Å, less and more the error of d, rounded down and up */
  float last_row;              /* of shared_rows, as the loops have it */
  /* Upper limit of d: inside the last row if that is what is beyond; else the end of the last shared row, where both scales
   * differ and the displacement is corrected. */
  float last_root;
  unsigned long long *counts;
  double2 *moments; /* [piece·n_lags + lag]: Σ d², Σ d⁴ */
};
