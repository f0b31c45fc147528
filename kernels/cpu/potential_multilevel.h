/* SPDX-License-Identifier: MIT */
#pragma once

#include "kernels/backend.h"

extern const DebyePotentialKernel debye_cpu_multilevel;
