/* SPDX-License-Identifier: MIT */
/* Placing ions on the CPU. */
#pragma once

#include "kernels/potential/ion_field.h"

extern const DebyeIonFieldKernel debye_cpu_ion_field;
