/* SPDX-License-Identifier: MIT */
/* A grid of multigrid on the device, as kernels are given it; used by poisson_coarsen.cu, poisson_cycle.cu and
 * poisson_steps.cu. */
#pragma once

#include "kernels/cuda/common/stream.cuh"
#include "kernels/poisson/poisson.h"

/* What of a point of the finest grid a byte says, where the device makes the equation. */
enum {
  DEBYE_POISSON_INNER = 1, /* within the molecule's surface */
  DEBYE_POISSON_IONS = 2,  /* ions can be there */
  DEBYE_POISSON_UNCUT = 4, /* the surface cuts none of its six edges */
};

/* What most points have. */
struct DebyeCudaPoissonUncut {
  float along[2][3]; /* conductances of edges that the surface doesn't cut: without, within */
  float screening;   /* where there are ions */
};

/* The equation's own screening k: of bytes, and what it is where there are ions; else as it is given. */
struct DebyeCudaPoissonIons {
  const uint8_t *flags; /* NULL: screening */
  const DebyeCudaPoissonUncut *uncut;
  const float *screening;

  __device__ __forceinline__ float operator()(size_t i) const
  {
    return flags == NULL ? screening[i] : (flags[i] & DEBYE_POISSON_IONS) != 0 ? uncut->screening : 0.0f;
  }
};

/* Conductances are kept in halves: rounded to eight bits and an exponent, which is what the cycle reads, half as much and as
 * good, and what that leaves of the 32 bits (debye_poisson_along). Only the finest grid keeps the second half. Coarser grids
 * have conductances in float, and screening, in the plan's keys until they are no longer needed. */
struct DebyeCudaPoissonGrid {
  int shape[3];
  bool periodic[3];
  uint32_t y, z; /* to the next point along y and z */
  size_t n;      /* of all points, below 2³² */
  uint16_t *rough[3];
  int16_t *rest[3];          /* the finest grid's */
  float *along[3];           /* a coarser grid's; of both one array after the other */
  DebyeCudaPoissonIons ions; /* the finest grid's */
  float *screening;          /* NULL: that of the ions; else what a step of Newton's or a coarser grid has */
  float
      *inverse; /* of what a point's own value counts: all that is along, and screening; 0 on outer points */
  /* The correction, the residual, and the finest grid's operator times a direction or what a sweep leaves. Values and left
   * are one array: a correction is no longer needed when the operator is applied, and the first sweep writes values
   * of odd points and what is left of even ones. */
  float *values, *right, *left;
};

struct DebyeCudaPoissonLevels {
  size_t n_levels;
  DebyeCudaPoissonGrid grids[DEBYE_POISSON_MAX_LEVELS]; /* the finest first */
};

/* What an iteration computes and the next one needs. */
struct DebyeCudaPoissonScalars {
  double product;   /* residual · correction; 0 where there was no iteration before */
  double scale;     /* of the last direction in the next */
  double step;      /* along the direction */
  double curvature; /* direction · A · direction */
  double norm2;     /* of the residual */
  bool begins;      /* there was no iteration before */
};

/* Rounded to the nearest, and up where two are: what that leaves has a sign and fifteen bits. */
static __device__ __forceinline__ uint16_t
debye_poisson_round_along(float along)
{
  return (uint16_t)((__float_as_uint(along) + 0x8000u) >> 16);
}

/* Of the finest grid. */
static __device__ __forceinline__ void
debye_poisson_conduct(const DebyeCudaPoissonGrid &grid, int axis, size_t i, float along)
{
  grid.rough[axis][i] = debye_poisson_round_along(along);
  grid.rest[axis][i] = (int16_t)(uint16_t)__float_as_uint(along);
}

/* The same, to the last bit. */
static __device__ __forceinline__ float
debye_poisson_along(const DebyeCudaPoissonGrid &grid, int axis, size_t i)
{
  return __uint_as_float((uint32_t)grid.rough[axis][i] * 0x10000u + (uint32_t)(int32_t)grid.rest[axis][i]);
}

/* Of any grid. */
static __device__ __forceinline__ float
debye_poisson_screening(const DebyeCudaPoissonGrid &grid, size_t i)
{
  return grid.screening != NULL ? grid.screening[i] : grid.ions(i);
}

static __device__ __forceinline__ float
debye_poisson_rough(const DebyeCudaPoissonGrid &grid, int axis, size_t i)
{
  return __uint_as_float((uint32_t)grid.rough[axis][i] << 16);
}

/* The sum over a point's neighbors of what flows along to them times value(neighbor, where it is from the point). Sweeps
 * number points by 32 bits: they are bound by instructions, and places by 64 bits take more of them. */
template <typename Function>
static __device__ __forceinline__ float
debye_poisson_flow_in(const DebyeCudaPoissonGrid &grid, uint32_t i, Function value)
{
  const uint16_t *x = grid.rough[0] + i;
  return __uint_as_float((uint32_t)x[-1] << 16) * value(i - 1, -1, 0, 0) +
         __uint_as_float((uint32_t)x[0] << 16) * value(i + 1, 1, 0, 0) +
         debye_poisson_rough(grid, 1, i - grid.y) * value(i - grid.y, 0, -1, 0) +
         debye_poisson_rough(grid, 1, i) * value(i + grid.y, 0, 1, 0) +
         debye_poisson_rough(grid, 2, i - grid.z) * value(i - grid.z, 0, 0, -1) +
         debye_poisson_rough(grid, 2, i) * value(i + grid.z, 0, 0, 1);
}

/* What flows from a point within, where the value is `at`, to its neighbors: A times values but for the screening.
 * value(k): of point k. */
template <typename Value, typename Function>
static __device__ __forceinline__ Value
debye_poisson_flow(const DebyeCudaPoissonGrid &grid, Value at, size_t i, Function value)
{
  const unsigned flags = grid.ions.flags == NULL ? 0 : grid.ions.flags[i];
  if ((flags & DEBYE_POISSON_UNCUT) != 0) {
    const float *along = grid.ions.uncut->along[flags & DEBYE_POISSON_INNER];
    return (Value)along[0] * ((at - value(i - 1)) + (at - value(i + 1))) +
           (Value)along[1] * ((at - value(i - grid.y)) + (at - value(i + grid.y))) +
           (Value)along[2] * ((at - value(i - grid.z)) + (at - value(i + grid.z)));
  }
  return (Value)debye_poisson_along(grid, 0, i - 1) * (at - value(i - 1)) +
         (Value)debye_poisson_along(grid, 0, i) * (at - value(i + 1)) +
         (Value)debye_poisson_along(grid, 1, i - grid.y) * (at - value(i - grid.y)) +
         (Value)debye_poisson_along(grid, 1, i) * (at - value(i + grid.y)) +
         (Value)debye_poisson_along(grid, 2, i - grid.z) * (at - value(i - grid.z)) +
         (Value)debye_poisson_along(grid, 2, i) * (at - value(i + grid.z));
}

/* The potential: the sum of two, of which the first is rounded and the second what that leaves. */
struct DebyeCudaPoissonPotential {
  float *rounded, *rest;

  __device__ __forceinline__ double operator()(size_t i) const
  {
    return (double)rounded[i] + (double)rest[i];
  }

  __device__ __forceinline__ void set(size_t i, double value) const
  {
    rounded[i] = (float)value;
    rest[i] = (float)(value - (double)rounded[i]);
  }
};

/* poisson_wrap.cu: copies values to the first and last planes of periodic axes. */
void debye_cuda_poisson_wrap(const DebyeCudaPoissonGrid *grid, float *values, DebyeStream *stream);

/* poisson_coarsen.cu */
/* The finest grid's conductances along an axis from and to float. */
void debye_cuda_poisson_halve(const DebyeCudaPoissonGrid *grid, int axis, const float *along,
                              DebyeStream *stream);
void debye_cuda_poisson_join_halves(const DebyeCudaPoissonGrid *grid, int axis, float *along,
                                    DebyeStream *stream);
/* Those of coarser grids. The finest grid's `left` and the plan's direction are written over. */
void debye_cuda_poisson_coarsen(const DebyeCudaPoissonLevels *levels, DebyeStream *stream);
/* The screening alone; `left` is 0 then. */
void debye_cuda_poisson_coarsen_screening(const DebyeCudaPoissonLevels *levels, DebyeStream *stream);
/* What those do, a part at a time, for the levels from `first` on: conductances, screening, and a grid's inverse. */
void debye_cuda_poisson_coarsen_along(const DebyeCudaPoissonLevels *levels, size_t first,
                                      DebyeStream *stream);
void debye_cuda_poisson_sum_screening(const DebyeCudaPoissonLevels *levels, size_t first,
                                      DebyeStream *stream);
void debye_cuda_poisson_invert(const DebyeCudaPoissonGrid *grid, DebyeStream *stream);
/* What the ions have in float, of each point; and as the finest grid's own screening, where it has one. */
void debye_cuda_poisson_get_ions(const DebyeCudaPoissonGrid *grid, float *screening, DebyeStream *stream);
void debye_cuda_poisson_reset_screening(const DebyeCudaPoissonLevels *levels, DebyeStream *stream);

/* poisson_steps.cu: sums are of blocks, added in their order. */
#define DEBYE_POISSON_SUMS 2048

struct DebyeCudaPoissonSums {
  double *of_blocks; /* debye_cuda_poisson_count_sums(), of the finest grid */
  unsigned *n_done;
  DebyeCudaPoissonScalars *scalars;
};

/* Its operator is the finest grid's. The source may be where the residual comes. */
struct DebyeCudaPoissonEquation {
  const float *source;
  DebyeCudaPoissonPotential potential;
  DebyePoissonSalt salt; /* of no ions: linear; else the grid's own screening becomes k g′(φ) */
};

/* poisson_cycle.cu: values of `right` of the level `first`, as the CPU's; of level 0 the product of
 * both, and what of the last direction is in the next. */
void debye_cuda_poisson_cycle(const DebyeCudaPoissonLevels *levels, size_t first,
                              const DebyeCudaPoissonSums *sums, DebyeStream *stream);

/* What the cycle does on a grid, step by step. Before each the first and last plane have to be as those that they are
 * copies of: of `right`, then of values (or `left`, which is the same array). */
enum DebyeCudaPoissonSweep {
  DEBYE_POISSON_SWEEP_FIRST,    /* odd points, from nothing */
  DEBYE_POISSON_SWEEP_LEAVE,    /* what that leaves at even ones, */
  DEBYE_POISSON_SWEEP_RESTRICT, /* and the coarser grid's `right` of it */
  DEBYE_POISSON_SWEEP_ODD,      /* from the coarser grid's values */
  DEBYE_POISSON_SWEEP_EVEN,     /* with the product, where there are sums */
};
void debye_cuda_poisson_sweep(DebyeCudaPoissonSweep sweep, const DebyeCudaPoissonGrid *fine,
                              const DebyeCudaPoissonGrid *coarse, const DebyeCudaPoissonSums *sums,
                              DebyeStream *stream);
size_t debye_cuda_poisson_count_sums(const DebyeCudaPoissonGrid *grid);
/* right = what is left of the equation, scalars.norm2 of it, and no iteration before. */
void debye_cuda_poisson_residual(const DebyeCudaPoissonGrid *grid, const DebyeCudaPoissonSums *sums,
                                 const DebyeCudaPoissonEquation *equation, DebyeStream *stream);
/* scalars.norm2 of the right-hand side: the source and what the outer points bring. */
void debye_cuda_poisson_norm(const DebyeCudaPoissonGrid *grid, const DebyeCudaPoissonSums *sums,
                             const DebyeCudaPoissonEquation *equation, DebyeStream *stream);
/* The same of a potential that is 0 within, whose residual is the right-hand side: right, too, and no iteration before. */
void debye_cuda_poisson_begin(const DebyeCudaPoissonGrid *grid, const DebyeCudaPoissonSums *sums,
                              const DebyeCudaPoissonEquation *equation, DebyeStream *stream);
/* Iterations add to the potential's rest. Takes the last step, which debye_cuda_poisson_turn() leaves to what comes after
 * it, and brings the potential in order. keeps_correction: direction becomes what the rest was before that. */
void debye_cuda_poisson_finish(const DebyeCudaPoissonGrid *grid, const DebyeCudaPoissonSums *sums,
                               float *direction, const DebyeCudaPoissonPotential *potential,
                               bool keeps_correction, DebyeStream *stream);
/* potential += part·correction within */
void debye_cuda_poisson_correct(const DebyeCudaPoissonGrid *grid, double part, const float *correction,
                                const DebyeCudaPoissonPotential *potential, DebyeStream *stream);
/* Between the potential and one in double. */
void debye_cuda_poisson_split(size_t n, const double *values, const DebyeCudaPoissonPotential *potential,
                              DebyeStream *stream);
void debye_cuda_poisson_join(size_t n, const DebyeCudaPoissonPotential *potential, double *values,
                             DebyeStream *stream);
/* After a cycle: the correction by the last step, the next direction, and the step along it; */
void debye_cuda_poisson_turn(const DebyeCudaPoissonGrid *grid, const DebyeCudaPoissonSums *sums,
                             float *direction, float *correction, DebyeStream *stream);
/* then the residual there. has_copies: of others' points, that don't count. */
void debye_cuda_poisson_advance(const DebyeCudaPoissonGrid *grid, const DebyeCudaPoissonSums *sums,
                                bool has_copies, DebyeStream *stream);

/* What the last of those functions left in the scalars of parts of a grid, for the whole of it: added in their order, and
 * what follows of the sum in sums->scalars, where the product before still is. */
enum DebyeCudaPoissonTotal {
  DEBYE_POISSON_TOTAL_NORM,      /* of debye_cuda_poisson_norm() */
  DEBYE_POISSON_TOTAL_BEGINNING, /* of debye_cuda_poisson_begin() and _residual() */
  DEBYE_POISSON_TOTAL_PRODUCT,   /* of the cycle */
  DEBYE_POISSON_TOTAL_CURVATURE, /* of debye_cuda_poisson_turn() */
  DEBYE_POISSON_TOTAL_ADVANCED,  /* of debye_cuda_poisson_advance() */
};
void debye_cuda_poisson_add_parts(DebyeCudaPoissonTotal total, const DebyeCudaPoissonScalars *parts,
                                  unsigned n, const DebyeCudaPoissonSums *sums, DebyeStream *stream);
