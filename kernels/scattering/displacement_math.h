/* SPDX-License-Identifier: MIT */
/* The definition of a displacement's bin, in double, one copy for C and CUDA: what the fast loops ask when a
 * float can't tell, and what makes the counts independent of devices and threads. */
#pragma once

#include "displacement_histogram.h"
#include "kernels/pairs/pair_math.h"

/* The loops compute d from float differences. Its relative error in units of 2⁻²⁴: half of 2 for the
 * differences and 3 for their squares' sum, and 2 for a GPU's root (half for a CPU's). */
#define DEBYE_DISPLACEMENT_ROOT_ERROR (5.0 / 16777216.0)
/* Of t = d/Δr, with 1 each for the factor, its product and the last, and half an ulp of the comparison. */
#define DEBYE_DISPLACEMENT_ERROR (9.0f / 16777216.0f)

/* The square of the edge where bin k begins. */
DEBYE_SHARED_MATH double
debye_displacement_edge2(double bin_width, size_t k)
{
  const double edge = bin_width * (double)k;
  return edge * edge;
}

static inline void
debye_displacement_set_edges(double *edge2, double bin_width, size_t n_bins)
{
  for (size_t k = 0; k <= n_bins; k++)
    edge2[k] = debye_displacement_edge2(bin_width, k);
}

/* d², by which the bin is defined. */
DEBYE_SHARED_MATH double
debye_displacement_square(const float *from, const float *to)
{
  const double difference[3] = {(double)to[0] - (double)from[0], (double)to[1] - (double)from[1],
                                (double)to[2] - (double)from[2]};
  return debye_dot3(difference, difference);
}

/* n_bins where it is beyond. */
DEBYE_SHARED_MATH size_t
debye_displacement_bin(const DebyePairBins *bins, const float *from, const float *to)
{
  return debye_pair_bin(bins, debye_displacement_square(from, to));
}
