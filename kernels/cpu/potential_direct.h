/* SPDX-License-Identifier: MIT */
#pragma once

#include "kernels/potential_kernel.h"

extern const DebyePotentialKernel debye_cpu_direct;
