/* SPDX-License-Identifier: MIT */
/* The CPU back end's kernel of particle mesh Ewald, listed by backend_cpu.c. */
#pragma once

#include "kernels/potential/potential_kernel.h"

extern const DebyePotentialKernel debye_cpu_ewald;
