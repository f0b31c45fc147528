/* SPDX-License-Identifier: MIT */
#pragma once

#include "kernels/potential/potential_kernel.h"

extern const DebyePotentialKernel debye_cpu_multilevel;
