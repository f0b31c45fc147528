/* SPDX-License-Identifier: MIT */
/* The fake back end's amplitudes and reciprocal lattices: the processor's, failing on command
 * (fake_backend.h). */
#pragma once

#include "kernels/backend.h"
#include "kernels/scattering/scattering_amplitude.h"
#include "kernels/scattering/scattering_lattice.h"

extern const DebyeAmplitudeKernel debye_fake_amplitude;
extern const DebyeLatticeKernel debye_fake_lattice;
