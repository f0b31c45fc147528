/* SPDX-License-Identifier: MIT */
/* The definition of a displacement's bin, in double, one copy for C and CUDA: what the fast loops ask when a
 * float can't tell, and what makes the counts independent of devices and threads. */
#pragma once

#include "displacement_histogram.h"
#include "pair_math.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The loops compute t = d/Δr from float differences; its relative error is at most this: half an ulp for each
 * difference, square, sum, root (2 ulp on a GPU), product and the factor. */
#define DEBYE_DISPLACEMENT_ERROR (16.0f / 16777216.0f)

static inline void
debye_displacement_set_edges(double *edge2, double bin_width, size_t n_bins)
{
  for (size_t k = 0; k <= n_bins; k++) {
    const double edge = bin_width * (double)k;
    edge2[k] = edge * edge;
  }
}

/* n_bins where it is beyond. */
DEBYE_SHARED_MATH size_t
debye_displacement_bin(const DebyePairBins *bins, const float *from, const float *to)
{
  const double difference[3] = {(double)to[0] - (double)from[0], (double)to[1] - (double)from[1],
                                (double)to[2] - (double)from[2]};
  return debye_pair_bin(bins, debye_dot3(difference, difference));
}

#ifdef __cplusplus
}
#endif
