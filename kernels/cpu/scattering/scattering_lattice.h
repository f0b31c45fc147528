/* SPDX-License-Identifier: MIT */
#pragma once

#include "kernels/backend.h"
#include "kernels/scattering/scattering_lattice.h"

extern const DebyeLatticeKernel debye_cpu_lattice;
