/* SPDX-License-Identifier: MIT */
/* The kernels of particle mesh Ewald in double. */
#include "potential_ewald.cuh"

template DebyeEwaldKernels debye_ewald_kernels<double>(unsigned order);
