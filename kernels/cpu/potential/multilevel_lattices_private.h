/* SPDX-License-Identifier: MIT */
/* What the files behind multilevel_lattices.h share. */
#pragma once

#include "multilevel_block.h"
#include "multilevel_lattices.h"

typedef struct {
  size_t blocks[2]; /* along the second and the third axis: 1, or even */
  uint32_t *block;  /* of each atom */
  uint32_t *order;  /* atoms by block, and within a block as they were given */
  DebyeRoom begin;  /* of each block in `order`, and the end: size_t */
} DebyeMultilevelSorting;

/* A stencil as the loops want it. */
typedef struct {
  DebyeMultilevelRows rows;
  DebyeRoom weights;
} DebyeMultilevelFold;

/* A level's memory. */
typedef struct {
  DebyeRoom charges, potential;
} DebyeMultilevelRooms;

struct DebyeMultilevelLattices {
  DebyeMultilevel multilevel;
  DebyePotentialSettings settings;
  const DebyeMultilevelBlock *loops;
  DebyePool *pool;
  DebyeMultilevelFrame frame;
  DebyeMultilevelStencils stencils;
  DebyeMultilevelFold level_fold, top_fold;
  DebyeMultilevelLevel level[DEBYE_MULTILEVEL_MAX_LEVELS];
  DebyeMultilevelRooms rooms[DEBYE_MULTILEVEL_MAX_LEVELS];
  DebyeMultilevelSorting sorting;
};

static inline size_t
debye_multilevel_value_bytes(const DebyeMultilevelLattices *lattices)
{
  return lattices->settings.double_precision ? sizeof(double) : sizeof(float);
}

/* From the finest lattice's charges to its potential. */
void debye_multilevel_up_and_down(const DebyeMultilevelLattices *lattices);
