/* SPDX-License-Identifier: MIT */
/* Self scattering on the processor; its twin is cuda/scattering/scattering_self.cu. */
#pragma once

#include "kernels/backend.h"
#include "kernels/scattering/scattering_self.h"

extern const DebyeSelfKernel debye_cpu_self;
