/* SPDX-License-Identifier: MIT */
/* A grid of multigrid on the device, as kernels are given it; used by poisson_cycle.cu and poisson_steps.cu. */
#pragma once

#include "kernels/cuda/common/stream.cuh"
#include "kernels/poisson/poisson.h"

struct DebyeCudaPoissonGrid {
  int shape[3];
  bool periodic[3];
  size_t y, z, n;              /* to the next point along y and z; of all points */
  float *along[3], *screening; /* along: one array after the other */
  uint16_t *rough
      [3]; /* along, rounded to eight bits and an exponent: what the cycle reads is half as much, and as good */
  float
      *inverse; /* of what a point's own value counts: all that is along, and screening; 0 on outer points */
  float *values, *right,
      *left; /* the finest grid's: the correction, the residual, and the operator times a direction */
};

struct DebyeCudaPoissonLevels {
  size_t n_levels;
  DebyeCudaPoissonGrid grids[DEBYE_POISSON_MAX_LEVELS]; /* the finest first */
};

/* What an iteration computes and the next one needs. */
struct DebyeCudaPoissonScalars {
  double product;   /* residual · correction; 0: there was no iteration before */
  double scale;     /* of the last direction in the next */
  double step;      /* along the direction */
  double curvature; /* direction · A · direction */
  double norm2;     /* of the residual */
};

static __device__ __forceinline__ float
debye_poisson_rough(const DebyeCudaPoissonGrid &grid, int axis, size_t i)
{
  return __uint_as_float((uint32_t)grid.rough[axis][i] << 16);
}

/* What flows from a point within to its neighbors: A times values but for the screening. */
template <typename Value>
static __device__ __forceinline__ Value
debye_poisson_flow(const DebyeCudaPoissonGrid &grid, const Value *values, size_t i)
{
  const Value at = values[i];
  return (Value)grid.along[0][i - 1] * (at - values[i - 1]) + (Value)grid.along[0][i] * (at - values[i + 1]) +
         (Value)grid.along[1][i - grid.y] * (at - values[i - grid.y]) +
         (Value)grid.along[1][i] * (at - values[i + grid.y]) +
         (Value)grid.along[2][i - grid.z] * (at - values[i - grid.z]) +
         (Value)grid.along[2][i] * (at - values[i + grid.z]);
}

static __device__ __forceinline__ float
debye_poisson_apply(const DebyeCudaPoissonGrid &grid, const float *values, size_t i)
{
  return grid.screening[i] * values[i] + debye_poisson_flow(grid, values, i);
}

/* poisson_wrap.cu: copies values to the first and last planes of periodic axes. */
void debye_cuda_poisson_wrap(const DebyeCudaPoissonGrid *grid, float *values, DebyeStream *stream);
void debye_cuda_poisson_wrap_double(const DebyeCudaPoissonGrid *grid, double *values, DebyeStream *stream);

/* poisson_cycle.cu */
void debye_cuda_poisson_coarsen(const DebyeCudaPoissonLevels *levels, DebyeStream *stream);
/* The screening alone. */
void debye_cuda_poisson_coarsen_screening(const DebyeCudaPoissonLevels *levels, DebyeStream *stream);

/* poisson_steps.cu: sums are of blocks, added in their order. */
#define DEBYE_POISSON_SUMS 2048

struct DebyeCudaPoissonSums {
  double *of_blocks; /* debye_cuda_poisson_count_sums(), of the finest grid */
  unsigned *n_done;
  DebyeCudaPoissonScalars *scalars;
};

struct DebyeCudaPoissonEquation {
  const float *source, *screening; /* k */
  double *potential;
  DebyePoissonSalt salt; /* of no ions: linear; else the grid's own screening becomes k g′(φ) */
};

/* poisson_cycle.cu: grids[0].values of grids[0].right, as the CPU's; the product of
 * both, and what of the last direction is in the next. */
void debye_cuda_poisson_cycle(const DebyeCudaPoissonLevels *levels, const DebyeCudaPoissonSums *sums,
                              DebyeStream *stream);
size_t debye_cuda_poisson_count_sums(const DebyeCudaPoissonGrid *grid);
/* right = what is left of the equation, scalars.norm2 of it, and no iteration before. */
void debye_cuda_poisson_residual(const DebyeCudaPoissonGrid *grid, const DebyeCudaPoissonSums *sums,
                                 const DebyeCudaPoissonEquation *equation, DebyeStream *stream);
/* scalars.norm2 of the right-hand side: the source and what the outer points bring. */
void debye_cuda_poisson_norm(const DebyeCudaPoissonGrid *grid, const DebyeCudaPoissonSums *sums,
                             const DebyeCudaPoissonEquation *equation, DebyeStream *stream);
/* potential += part·correction */
void debye_cuda_poisson_correct(const DebyeCudaPoissonGrid *grid, double part, const float *correction,
                                double *potential, DebyeStream *stream);
/* After a cycle: the next direction, the step along it, correction and residual there. */
void debye_cuda_poisson_step(const DebyeCudaPoissonGrid *grid, const DebyeCudaPoissonSums *sums,
                             float *direction, float *correction, DebyeStream *stream);
