/* SPDX-License-Identifier: MIT */
/* The kernels of the CPU back end: cpu/backend_cpu.c lists them in its table. The file that defines one
 * includes this header, so that the compiler compares declaration and definition. */
#pragma once

#include "kernels/backend.h"

extern const DebyePotentialKernel debye_cpu_direct;
extern const DebyePotentialKernel debye_cpu_cutoff;
extern const DebyePotentialKernel debye_cpu_multilevel;
extern const DebyePotentialKernel debye_cpu_ewald;
extern const DebyePairHistogramKernel debye_cpu_pair_histogram;
extern const DebyeAmplitudeKernel debye_cpu_amplitude;
extern const DebyeSelfKernel debye_cpu_self;
extern const DebyeDisplacementKernel debye_cpu_displacement;
extern const DebyeLatticeKernel debye_cpu_lattice;
extern const DebyeCorrelationKernel debye_cpu_correlation;
extern const DebyeIonFieldKernel debye_cpu_ion_field;
extern const DebyeLadderKernel debye_cpu_ladder;
