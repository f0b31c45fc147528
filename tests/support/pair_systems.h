/* SPDX-License-Identifier: MIT */
/* Systems to count pairs of: crystals with known shells, and atoms at random in cells of every shape. */
#pragma once

#include "kernels/pairs/pair_histogram.h"

typedef struct {
  DebyePairFrame frame; /* views of what follows; `cell` NULL for an open system */
  DebyeCell cell;
  float *x, *y, *z;
  uint32_t *group;
} DebyePairSystem;

typedef struct {
  const char *name;
  DebyeCell cell;
} DebyeNamedCell;

/* From a cube to cells whose vectors hide how small they are. */
extern const DebyeNamedCell debye_test_cells[];
extern const size_t debye_n_test_cells;

/* `repeats`³ conventional cells with edge `a`: 4 atoms each (fcc) or 2 (bcc). */
DebyePairSystem debye_pair_fcc(double a, size_t repeats);
DebyePairSystem debye_pair_bcc(double a, size_t repeats);
/* n atoms evenly in the cell (NULL: in a cube of 20 Å, without a cell), moved by whole cells and `offset` Å
 * where that is not 0, in `n_groups` groups at random. */
DebyePairSystem debye_pair_random(size_t n, const DebyeCell *cell, size_t n_groups, double offset,
                                  unsigned seed);
void debye_pair_system_clear(DebyePairSystem *system);

/* All pairs of n_groups groups; *pairs is to be freed. Returns how many. */
size_t debye_all_group_pairs(size_t n_groups, DebyeGroupPair **pairs);
