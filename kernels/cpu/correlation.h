/* SPDX-License-Identifier: MIT */
/* Correlations of series on the processor; its twin is cuda/correlation.cu. */
#pragma once

#include "kernels/backend.h"
#include "kernels/correlation.h"

extern const DebyeCorrelationKernel debye_cpu_correlation;
