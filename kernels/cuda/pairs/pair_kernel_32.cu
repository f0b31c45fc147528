/* SPDX-License-Identifier: MIT */
/* The pair histogram's kernels for tiles of 32 atoms. */
#include "pair_histogram.cuh"

template DebyePairKernel debye_pair_kernel<1>(bool shared);
