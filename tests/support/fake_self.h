/* SPDX-License-Identifier: MIT */
/* The fake back end's correlations, self scattering and displacements: the processor's, failing on command
 * (fake_backend.h). */
#pragma once

#include "kernels/backend.h"
#include "kernels/scattering/correlation.h"
#include "kernels/scattering/displacement_histogram.h"
#include "kernels/scattering/scattering_self.h"

extern const DebyeCorrelationKernel debye_fake_correlation;
extern const DebyeSelfKernel debye_fake_self;
extern const DebyeDisplacementKernel debye_fake_displacement;
