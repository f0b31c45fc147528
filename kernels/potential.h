/* SPDX-License-Identifier: MIT */
/* Electrostatic potential on a grid. Everything in e/Å (the caller multiplies by its unit) and Å.
 *
 * direct: V(r) = Σ_i q_i / max(|r − r_i|, core), open boundary. O(grid × atoms): the oracle of the other
 * methods. In float the root mean square of the error is at most 5e-6 of the map's root mean square. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/geometry.h"

/* Point charges, structure-of-arrays, borrowed and never written. x, y, z in Å, charge in e. */
typedef struct {
  const float *x, *y, *z;
  const float *charge;
  size_t n;
} DebyeCharges;

/* A slab of a map: planes [first, first + count) of the grid's third axis. */
typedef struct {
  size_t first, count;
} DebyeSlab;

typedef struct {
  DebyeGrid grid;        /* of the whole map; skew allowed */
  double core_radius;    /* Å: a point nearer to an atom takes the value at this distance */
  bool double_precision; /* the checking path: sums in double, one ulp-exact square root a pair */
  size_t max_charges;    /* the most that set_charges will be given */
  size_t max_planes;     /* the thickest slab that execute will be asked for */
  /* Processors that the host threads of other devices' lanes need: the CPU leaves them alone unless it was
   * told how many threads to use. Sharing them delays a GPU by more than a core computes. */
  unsigned spare_processors;
} DebyePotentialSettings;
