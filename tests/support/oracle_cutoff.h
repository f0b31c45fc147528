/* SPDX-License-Identifier: MIT */
/* What the cutoff method is compared with: the definition, in long double, one point and one image at a time.
 */
#pragma once

#include "kernels/potential/pair_function.h"
#include "tests/support/oracle_potential.h"

/* What is summed: the pair function over all images within its cutoff. */
typedef struct {
  const DebyePairFunction *function;
  double core_radius;
  unsigned periodic;
  const DebyeCell *cell; /* NULL where nothing is periodic */
} DebyeCutoffProblem;

/* The sum at a point of the caller's coordinates; *n_in_range, where not NULL, counts the pairs. */
double debye_oracle_cutoff(const DebyeCutoffProblem *problem, const DebyeCharges *charges, DebyeVec3 point,
                           uint64_t *n_in_range);
/* As debye_oracle_error. */
double debye_oracle_cutoff_error(const DebyeCutoffProblem *problem, const DebyeCharges *charges,
                                 const DebyeGrid *grid, const float *map, const double *map_double,
                                 size_t n_samples);
/* Σ q/d over the nearest image of each atom, found among many. */
double debye_oracle_nearest(const DebyeCutoffProblem *problem, const DebyeCharges *charges, DebyeVec3 point);
