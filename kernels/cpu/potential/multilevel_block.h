/* SPDX-License-Identifier: MIT */
/* The loops over the lattices of multilevel summation on the CPU, one version for each precision and
 * instruction set. Who calls them: multilevel_lattices.c. */
#pragma once

#include "kernels/cpu/common/cpu_level.h"
#include "kernels/potential/multilevel_levels.h"

typedef struct {
  const DebyeMultilevelRow *rows;
  size_t n_rows;
  const void *weights;
  double scale; /* that the sums are multiplied with */
} DebyeMultilevelFolding;

/* Values in a row of charges that a fold may read beyond its end. */
#define DEBYE_MULTILEVEL_SPILL 64
/* Rows of a lattice that a fold computes together. */
#define DEBYE_MULTILEVEL_ROWS 4

typedef struct {
  /* Adds the charges order[0] … order[n − 1] to the finest level. */
  void (*spread)(const DebyeMultilevelFrame *frame, const DebyeCharges *charges, const uint32_t *order,
                 size_t n, const DebyeMultilevelLevel *level);
  /* Writes the charges of a row of the level above. */
  void (*restrict_row)(const DebyeMultilevelFrame *frame, const DebyeMultilevelLevel *fine,
                       const DebyeMultilevelLevel *coarse, int y, int z);
  /* Writes the potential of rows [y, y + DEBYE_MULTILEVEL_ROWS) of plane z, as far as there are. */
  void (*fold)(const DebyeMultilevelFolding *folding, const DebyeMultilevelLevel *level, int y, int z);
  /* Adds the potential of the level above to a row. */
  void (*prolong_row)(const DebyeMultilevelFrame *frame, const DebyeMultilevelLevel *fine,
                      const DebyeMultilevelLevel *coarse, int y, int z);
  /* Writes `n` points of a row of the map. */
  void (*interpolate)(const DebyeMultilevelFrame *frame, const DebyeEwaldGrid *grid,
                      const DebyeMultilevelLevel *level, size_t j, size_t k, size_t n, void *out);
} DebyeMultilevelBlock;

DEBYE_DECLARE_PRECISIONS(DebyeMultilevelBlock, debye_multilevel_block)
