/* SPDX-License-Identifier: MIT */
#pragma once

#include "kernels/backend.h"
#include "kernels/scattering/scattering_amplitude.h"

extern const DebyeAmplitudeKernel debye_cpu_amplitude;
