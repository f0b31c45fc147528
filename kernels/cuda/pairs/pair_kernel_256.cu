/* SPDX-License-Identifier: MIT */
/* The pair histogram's kernels for tiles of 256 atoms. */
#include "pair_histogram.cuh"

template DebyePairKernel debye_pair_kernel<8>(bool shared);
