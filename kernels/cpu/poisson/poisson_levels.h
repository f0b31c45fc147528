/* SPDX-License-Identifier: MIT */
/* The grids of the CPU's multigrid, and one V-cycle through them; used by poisson.c. */
#pragma once

#include "kernels/cpu/common/parallel.h"
#include "kernels/plan_memory.h"
#include "kernels/poisson/poisson.h"
#include "poisson_block.h"

typedef struct {
  size_t shape[3], n; /* n: of all points */
  DebyePoissonOperator operator_;
  float *along[3], *screening; /* of coarser grids */
  float *values, *right;       /* what the cycle solves for, and of what */
  float *rows;                 /* of right − A·values, that a coarser grid's planes take: ROWS each */
} DebyePoissonLevel;

typedef struct {
  size_t n_levels;
  bool periodic[3];
  DebyePoissonLevel
      levels[DEBYE_POISSON_MAX_LEVELS]; /* the finest first; its right and values are the solver's */
  const DebyePoissonBlock *block;
  DebyePool *pool;
} DebyePoissonLevels;

/* Sets the shapes. */
void debye_poisson_levels_set_up(DebyePoissonLevels *levels, const size_t shape[3], const bool periodic[3]);
/* All arrays but the finest grid's operator. */
void debye_poisson_levels_list(DebyePoissonLevels *levels, DebyePlanMemory *memory);
/* Makes the operators of the coarser grids. */
void debye_poisson_levels_set_operator(DebyePoissonLevels *levels, const DebyePoissonOperator *operator_);
/* Other screening, at the same conductances; borrowed. */
void debye_poisson_levels_set_screening(DebyePoissonLevels *levels, const float *screening);
/* levels[0].values of levels[0].right, nearly; symmetric, so that conjugate gradients may use it. */
void debye_poisson_levels_cycle(DebyePoissonLevels *levels);

/* Calls function(context, plane) for the inner planes of a level, by several threads where that is worth it. */
void debye_poisson_level_planes(const DebyePoissonLevels *levels, const DebyePoissonLevel *level,
                                void (*function)(void *context, size_t plane), void *context);
/* The row through y and z within the level's arrays, and where it begins. */
static inline size_t
debye_poisson_level_row(const DebyePoissonLevel *level, size_t y, size_t z, DebyePoissonRow *row)
{
  const size_t first = level->shape[0] * (y + level->shape[1] * z);
  for (int axis = 0; axis < 3; axis++)
    row->along[axis] = level->operator_.along[axis] + first;
  row->screening = level->operator_.screening + first;
  row->y = (ptrdiff_t)level->shape[0];
  row->z = (ptrdiff_t)(level->shape[0] * level->shape[1]);
  row->n = level->shape[0];
  return first;
}
