/* SPDX-License-Identifier: MIT */
/* The CPU back end's kernel that places ions, listed by backend_cpu.c. */
#pragma once

#include "kernels/potential/ion_field.h"

extern const DebyeIonFieldKernel debye_cpu_ion_field;
