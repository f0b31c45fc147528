/* SPDX-License-Identifier: MIT */
/* The kernels of particle mesh Ewald in float. */
#include "potential_ewald.cuh"

template DebyeEwaldKernels debye_ewald_kernels<float>(unsigned order);
