/* SPDX-License-Identifier: MIT */
/* A voltage across the membrane of poisson_medium.h; used by poisson_lanes.c.
 *
 * The ions of each side are in equilibrium with their own bath (B. Roux, Biophys. J. 73 (1997) 2980): below the
 * membrane's middle they see φ − V. With ψ = φ less V below the middle the equation is the same as without a voltage, but
 * for the edges that cross the middle, which give their points ±wV. */
#pragma once

#include "poisson_medium.h"

/* Adds the potential of the voltage alone to the grid's outer points, as the linear equation has it across z; without
 * ions it falls off from one end of the grid to the other. */
void debye_poisson_voltage_add_profile(const DebyePoissonMedium *medium, double *potential);
/* Adds `sign` times V to the points below the middle. */
void debye_poisson_voltage_shift(const DebyePoissonMedium *medium, double sign, double *potential);
/* What ψ's equation has more on its right-hand side. */
void debye_poisson_voltage_add_source(const DebyePoissonMedium *medium, const DebyePoissonEquation *equation);
