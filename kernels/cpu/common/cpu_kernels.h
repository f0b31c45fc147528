/* SPDX-License-Identifier: MIT */
/* The kernels of the CPU back end: cpu/backend_cpu.c lists them in its table. The file that defines one
 * includes this header, so that the compiler compares declaration and definition. */
#pragma once

#include "kernels/backend.h"

extern const DebyePotentialKernel debye_cpu_direct;
extern const DebyePotentialKernel debye_cpu_cutoff;
extern const DebyePotentialKernel debye_cpu_multilevel;
extern const DebyePotentialKernel debye_cpu_ewald;

#define DEBYE_CPU_KERNEL(name, Type) extern const Type debye_cpu_##name;
DEBYE_KERNELS(DEBYE_CPU_KERNEL)
