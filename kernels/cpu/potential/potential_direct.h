/* SPDX-License-Identifier: MIT */
/* The CPU back end's kernel of the direct sum, listed by backend_cpu.c and used by the ladder. */
#pragma once

#include "kernels/potential/potential_kernel.h"

extern const DebyePotentialKernel debye_cpu_direct;
