/* SPDX-License-Identifier: MIT */
/* The CPU back end's kernel of a reciprocal lattice's amplitudes, listed by backend_cpu.c. */
#pragma once

#include "kernels/backend.h"
#include "kernels/scattering/scattering_lattice.h"

extern const DebyeLatticeKernel debye_cpu_lattice;
