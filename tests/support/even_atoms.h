/* SPDX-License-Identifier: MIT */
/* Atoms that fill a cube as densely and about as evenly as a liquid's: for benchmarks. Atoms thrown at random
 * would be far less even than any liquid. */
#pragma once

#include "oracle_potential.h"

/* Atoms to the cubic Å. */
#define DEBYE_WATER_DENSITY 0.1

/* Each atom somewhere near its place of a simple cubic lattice; charges of −0.834, 0.417 and 0.417 e in turn.
 */
DebyeRandomSystem debye_even_atoms_new(double edge, double density, unsigned seed);
