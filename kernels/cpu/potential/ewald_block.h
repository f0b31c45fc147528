/* SPDX-License-Identifier: MIT */
/* The loops over Ewald's mesh on the CPU, one version for each precision and instruction set. Who calls them:
 * potential_ewald.c. Meshes are mesh[0] × mesh[1] × mesh[2] values, x fastest, in the version's precision. */
#pragma once

#include "kernels/cpu/common/cpu_level.h"
#include "kernels/potential/ewald_math.h"

typedef struct {
  /* Adds the charges order[0] … order[n − 1] to the mesh. */
  void (*spread)(const DebyeEwaldFrame *frame, const DebyeCharges *charges, const uint32_t *order, size_t n,
                 void *mesh);
  /* Multiplies rows [first, first + count) of the transformed mesh, counted through all planes, with the
   * factors of their modes. */
  void (*scale)(const DebyeEwaldFrame *frame, size_t first, size_t count, void *modes);
  /* Writes `n` points of a row of the grid. */
  void (*interpolate)(const DebyeEwaldFrame *frame, const DebyeEwaldGrid *grid, const void *mesh, size_t j,
                      size_t k, size_t n, void *out);
} DebyeEwaldBlock;

DEBYE_DECLARE_PRECISIONS(DebyeEwaldBlock, debye_ewald_block)
