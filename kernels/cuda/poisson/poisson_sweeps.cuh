/* SPDX-License-Identifier: MIT */
/* Sweeps of large grids that stay in shared memory from one colour to the next (poisson_sweeps.cu), and what those of
 * poisson_cycle.cu have in common with them. */
#pragma once

#include "poisson_sums.cuh"

/* Of the finer grid, which a block goes through plane by plane. */
#define DEBYE_POISSON_TILE_X 64
#define DEBYE_POISSON_TILE_Y 16
/* Blocks that a device has at a time, or nearly: so many, or several times as many. */
#define DEBYE_POISSON_AT_A_TIME 792u
#define DEBYE_POISSON_LEAST_PLANES 8u
/* Fewer points are done before a block has been through some planes: at 129³ twice as soon. */
#define DEBYE_POISSON_TILED_POINTS ((size_t)1 << 22)

static inline bool
debye_cuda_poisson_has_tiles(const DebyeCudaPoissonGrid *grid)
{
  return grid->n >= DEBYE_POISSON_TILED_POINTS && !grid->periodic[0] && !grid->periodic[1] &&
         !grid->periodic[2];
}

/* Blocks for inner points of a grid, so many to a block along x and y. */
static inline dim3
debye_poisson_sweep_blocks(const DebyeCudaPoissonGrid *grid, unsigned tile_x, unsigned tile_y)
{
  const unsigned n_x = ((unsigned)grid->shape[0] - 3 + tile_x) / tile_x;
  const unsigned n_y = ((unsigned)grid->shape[1] - 3 + tile_y) / tile_y;
  const unsigned planes = (unsigned)grid->shape[2] - 2, tiles = n_x * n_y;
  const unsigned wanted = 2 * tiles <= DEBYE_POISSON_AT_A_TIME
                              ? DEBYE_POISSON_AT_A_TIME / tiles
                              : (4 * DEBYE_POISSON_AT_A_TIME + tiles - 1) / tiles;
  const unsigned most = planes > DEBYE_POISSON_LEAST_PLANES ? planes / DEBYE_POISSON_LEAST_PLANES : 1;
  return dim3(n_x, n_y, wanted < most ? wanted : most);
}

/* A thread each of x and y, and a block a plane. */
static inline dim3
debye_poisson_blocks(int x, int y, int z)
{
  return dim3((unsigned)(x + DEBYE_POISSON_THREADS_X - 1) / DEBYE_POISSON_THREADS_X,
              (unsigned)(y + DEBYE_POISSON_THREADS_Y - 1) / DEBYE_POISSON_THREADS_Y, (unsigned)z);
}

/* The coarse point of a thread, outer ones at the low ends with them; false beyond. */
static __device__ __forceinline__ bool
debye_poisson_coarse_point(const DebyeCudaPoissonGrid &coarse, int at[3])
{
  at[0] = (int)(blockIdx.x * DEBYE_POISSON_THREADS_X + threadIdx.x);
  at[1] = (int)(blockIdx.y * DEBYE_POISSON_THREADS_Y + threadIdx.y);
  at[2] = (int)blockIdx.z;
  return at[0] + 1 < coarse.shape[0] && at[1] + 1 < coarse.shape[1] && at[2] + 1 < coarse.shape[2];
}

/* Trilinear, of a point of the finer grid. */
static __device__ __forceinline__ float
interpolated(const DebyeCudaPoissonGrid &coarse, int x, int y, int z)
{
  const float *from =
      coarse.values + ((uint32_t)x / 2 + coarse.y * ((uint32_t)y / 2) + coarse.z * ((uint32_t)z / 2));
  const bool odd_x = (x & 1) != 0, odd_y = (y & 1) != 0;
  const auto row = [=](const float *at) { return odd_x ? 0.5f * (at[0] + at[1]) : at[0]; };
  const auto plane = [&](const float *at) { return odd_y ? 0.5f * (row(at) + row(at + coarse.y)) : row(at); };
  return (z & 1) != 0 ? 0.5f * (plane(from) + plane(from + coarse.z)) : plane(from);
}

/* In the block that comes last. */
static __device__ __forceinline__ void
set_product(const DebyeCudaPoissonSums &sums, double whole)
{
  const double before = sums.scalars->product;
  sums.scalars->scale = before > 0.0 ? whole / before : 0.0;
  sums.scalars->product = whole;
}

/* poisson_sweeps.cu: of grids that have tiles, what an iteration does on the way down and on
 * the way up. sums: as in the cycle; NULL: of a coarser grid. */
void debye_cuda_poisson_descend_tiles(const DebyeCudaPoissonGrid *fine, const DebyeCudaPoissonGrid *coarse,
                                      DebyeStream *stream);
void debye_cuda_poisson_ascend_tiles(const DebyeCudaPoissonGrid *fine, const DebyeCudaPoissonGrid *coarse,
                                     const DebyeCudaPoissonSums *sums, DebyeStream *stream);
