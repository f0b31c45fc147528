/* SPDX-License-Identifier: MIT */
/* The kernels of multilevel summation in double. */
#include "potential_multilevel.cuh"

template DebyeMultilevelKernels debye_multilevel_kernels<double>(unsigned order);
