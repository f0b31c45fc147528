/* SPDX-License-Identifier: MIT */
/* The pair histogram's kernels for tiles of 128 atoms. */
#include "pair_histogram.cuh"

template DebyePairKernel debye_pair_kernel<4>(bool shared);
