/* SPDX-License-Identifier: MIT */
/* A membrane of poisson_medium.h as layers across z: what an edge of the grid has of it, where it leaves ions, and the potential of
 * a voltage; used by poisson_medium.c and poisson_lanes.c.
 *
 * The ions of each side are in equilibrium with their own bath (B. Roux, Biophys. J. 73 (1997) 2980): below the membrane's middle
 * they see φ − V. With ψ = φ less V below the middle the equation is the same as without a voltage, but for the edges that cross the
 * middle, which give their points ±wV. */
#pragma once

#include "poisson_medium.h"

/* ∫ds/ε over the section [begin, end] of an edge, in parts of its length, outside the molecule. */
double debye_poisson_membrane_resistance(const DebyePoissonMedium *medium, DebyeVec3 at, int axis,
                                         double begin, double end);
/* The share of a point's volume in which the center of an ion can be, as far as the membrane has a say: it is the ion radius off its
 * faces and the pore's wall. */
double debye_poisson_membrane_admits(const DebyePoissonMedium *medium, DebyeVec3 at);
/* Adds the potential of the voltage alone to the grid's outer points, as the linear equation has it across z; without ions it falls off
 * from one end of the grid to the other. */
void debye_poisson_membrane_add_profile(const DebyePoissonMedium *medium, double *potential);
/* Adds `sign` times V to the points below the middle. */
void debye_poisson_membrane_shift(const DebyePoissonMedium *medium, double sign, double *potential);
/* What ψ's equation has more on its right-hand side. */
void debye_poisson_membrane_add_source(const DebyePoissonMedium *medium,
                                       const DebyePoissonEquation *equation);
