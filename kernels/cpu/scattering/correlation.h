/* SPDX-License-Identifier: MIT */
/* Correlations of series on the processor; its twin is cuda/scattering/correlation.cu. */
#pragma once

#include "kernels/backend.h"
#include "kernels/scattering/correlation.h"

extern const DebyeCorrelationKernel debye_cpu_correlation;
