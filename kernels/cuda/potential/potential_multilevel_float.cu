/* SPDX-License-Identifier: MIT */
/* The kernels of multilevel summation in float. */
#include "potential_multilevel.cuh"

template DebyeMultilevelKernels debye_multilevel_kernels<float>(unsigned order);
