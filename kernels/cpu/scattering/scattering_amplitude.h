/* SPDX-License-Identifier: MIT */
/* The CPU back end's kernel of scattering amplitudes, listed by backend_cpu.c. */
#pragma once

#include "kernels/backend.h"
#include "kernels/scattering/scattering_amplitude.h"

extern const DebyeAmplitudeKernel debye_cpu_amplitude;
