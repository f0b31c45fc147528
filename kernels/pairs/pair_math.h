/* SPDX-License-Identifier: MIT */
/* The definition of a pair's bin, in double, one copy for C and CUDA: what the fast loops ask when a float
 * can't tell, and what makes the counts independent of device, threads and tiles. */
#pragma once

#include "kernels/minimum_image.h"
#include "pair_histogram.h"

typedef struct {
  const double *edge2; /* n_bins + 1 squares of edges, (k·r_max/n_bins)² */
  size_t n_bins;
  double inverse_width; /* n_bins/r_max */
} DebyePairBins;

static inline void
debye_pair_set_edges(double *edge2, double r_max, size_t n_bins)
{
  for (size_t k = 0; k <= n_bins; k++) {
    double edge = r_max * (double)k / (double)n_bins;
    edge2[k] = edge * edge;
  }
}

static inline DebyePairBins
debye_pair_bins(const double *edge2, double r_max, size_t n_bins)
{
  DebyePairBins bins = {edge2, n_bins, (double)n_bins / r_max};
  return bins;
}

/* The bin of a squared distance; n_bins where it is in none. The root only guesses. */
DEBYE_SHARED_MATH size_t
debye_pair_bin(const DebyePairBins *bins, double square)
{
  if (!(square < bins->edge2[bins->n_bins]))
    return bins->n_bins;
  size_t k = (size_t)(sqrt(square) * bins->inverse_width);
  k = k < bins->n_bins ? k : bins->n_bins - 1;
  while (square < bins->edge2[k])
    k--;
  while (square >= bins->edge2[k + 1])
    k++;
  return k;
}
