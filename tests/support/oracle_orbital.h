/* SPDX-License-Identifier: MIT */
/* Orbitals as the textbook has them, in double: shell by shell, primitive by primitive, point by point. */
#pragma once

#include "kernels/orbital/orbital_set.h"

/* Σ coefficient · x^a y^b z^c Σ w exp(−αr²) at a point. */
double debye_oracle_orbital(const DebyeOrbitalBasis *basis, const double *coefficients, double x, double y,
                            double z);
/* Its gradient, and in the fourth place its Laplacian, by differences of fourth order over `step`. */
void debye_oracle_orbital_derivatives(const DebyeOrbitalBasis *basis, const double *coefficients,
                                      const double point[3], double step, double derivatives[4]);
