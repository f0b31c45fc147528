/* SPDX-License-Identifier: MIT */
/* Histograms of displacements on the processor; its twin is cuda/scattering/displacement_histogram.cu. */
#pragma once

#include "kernels/backend.h"
#include "kernels/scattering/displacement_histogram.h"

extern const DebyeDisplacementKernel debye_cpu_displacement;
