/* SPDX-License-Identifier: MIT */
/* Dots on the solvent-accessible surface, by which other programs tell solvent from solute: what no probe
 * on a dot covers is the solute's. Where dots are far apart the solute is too large: at 10 per Å² its
 * reaction energy is 1 to 2 % too small. Used by poisson_smooth.c. */
#pragma once

#include "poisson_medium.h"

/* Of a sphere of radius 1, in rings of equal latitude; which are accessible is a bit per atom and dot. */
typedef struct {
  const DebyeSpheres *spheres; /* borrowed */
  double probe;                /* Å */
  DebyeVec3 *dots;
  size_t n_dots;
  uint8_t *accessible; /* by atom, of `stride` bytes each */
  size_t stride;
} DebyePoissonDots;

/* As many dots per Å² as a sphere of `largest` has at `density`; smaller ones have the same number. Atoms of radius 0
 * have none. False, with nothing in it, on exhausted memory. */
bool debye_poisson_dots_init(DebyePoissonDots *dots, const DebyeSpheres *spheres, double probe,
                             double largest, double density);
void debye_poisson_dots_clear(DebyePoissonDots *dots);

static inline bool
debye_poisson_dots_has(const DebyePoissonDots *dots, size_t atom, size_t dot)
{
  return (dots->accessible[atom * dots->stride + dot / 8] >> dot % 8 & 1) != 0;
}
