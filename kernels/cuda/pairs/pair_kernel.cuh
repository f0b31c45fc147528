/* SPDX-License-Identifier: MIT */
/* The pair histogram's kernels, from the units that compile them, one per size of tiles: together they would take
 * minutes. pair_histogram.cu launches them. */
#pragma once

#include <stddef.h>

/* A kernel and what a block of it needs. */
struct DebyePairKernel {
  const void *kernel;
  unsigned warps;
  size_t shared; /* bytes in front of the histogram */
  bool has_histogram;
};

/* For tiles of 32·EACH atoms; `shared`: with the histogram in shared memory. */
template <int EACH> DebyePairKernel debye_pair_kernel(bool shared);

extern template DebyePairKernel debye_pair_kernel<1>(bool shared);
extern template DebyePairKernel debye_pair_kernel<2>(bool shared);
extern template DebyePairKernel debye_pair_kernel<4>(bool shared);
extern template DebyePairKernel debye_pair_kernel<8>(bool shared);
