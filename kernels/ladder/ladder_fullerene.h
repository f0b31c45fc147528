/* SPDX-License-Identifier: MIT */
/* C60 in 6-31G(d) with made-up orbitals, on which drawing orbitals is timed: VMD's published times are of this molecule. Called
 * by the benchmarks and the teaching variants' tests. */
#pragma once

#include "kernels/orbital/orbital_set.h"

#define DEBYE_FULLERENE_ATOMS 60
#define DEBYE_FULLERENE_SHELLS (6 * DEBYE_FULLERENE_ATOMS)
#define DEBYE_FULLERENE_PRIMITIVES (15 * DEBYE_FULLERENE_ATOMS)
#define DEBYE_FULLERENE_FUNCTIONS (15 * DEBYE_FULLERENE_ATOMS) /* Cartesian */
#define DEBYE_FULLERENE_EDGE 15.6 /* Å, of a cube beyond which nothing is seen */

/* Lengths are in bohr, the centre is 0. */
typedef struct {
  double x[DEBYE_FULLERENE_ATOMS], y[DEBYE_FULLERENE_ATOMS], z[DEBYE_FULLERENE_ATOMS];
  uint32_t centre[DEBYE_FULLERENE_SHELLS], first[DEBYE_FULLERENE_SHELLS + 1];
  uint8_t degree[DEBYE_FULLERENE_SHELLS];
  double exponents[DEBYE_FULLERENE_PRIMITIVES], weights[DEBYE_FULLERENE_PRIMITIVES];
  DebyeOrbitalBasis basis; /* of these arrays */
} DebyeLadderFullerene;

void debye_ladder_fullerene_init(DebyeLadderFullerene *fullerene);
/* Orbital `number` of random coefficients whose squares' sum is 1: it is everywhere in the molecule, as real ones are. */
void debye_ladder_fullerene_fill(unsigned number, double coefficients[DEBYE_FULLERENE_FUNCTIONS]);
