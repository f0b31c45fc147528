/* SPDX-License-Identifier: MIT */
/* What the direct sum is compared with: the definition, in long double, one point at a time; and systems to
 * try. */
#pragma once

#include <stdint.h>

#include "kernels/potential/potential.h"

/* Σ q/max(d, core) at point (i, j, k) of the grid, the sum compensated (Kahan), so that it is exact in every
 * digit of a double. */
double debye_oracle_potential(const DebyeCharges *charges, double core_radius, const DebyeGrid *grid,
                              size_t i, size_t j, size_t k);

/* With all charges and the grid taken into a key of remembered.h. */
uint64_t debye_oracle_key(uint64_t key, const DebyeCharges *charges, const DebyeGrid *grid);

/* Root mean square of the difference to the oracle, over that of the oracle, at `n_samples` points of the
 * grid drawn at random (all points where the grid has fewer). Give one of the two maps. */
double debye_oracle_error(const DebyeCharges *charges, const DebyeGrid *grid, double core_radius,
                          const float *map, const double *map_double, size_t n_samples);

typedef struct {
  DebyeCharges charges; /* views of the arrays below */
  float *x, *y, *z, *charge;
} DebyeRandomSystem;

/* Atoms spread evenly over a box at `corner`, charges in [−1, 1]; the same for the same seed everywhere. */
DebyeRandomSystem debye_random_system_new(size_t n, DebyeVec3 corner, DebyeVec3 box, unsigned seed);
void debye_random_system_clear(DebyeRandomSystem *system);

/* A grid with equal steps along the axes. */
DebyeGrid debye_plain_grid(DebyeVec3 origin, double step, size_t nx, size_t ny, size_t nz);

/* Uniform in [0, 1). */
double debye_random(unsigned *state);
