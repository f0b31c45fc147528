/* SPDX-License-Identifier: MIT */
/* Loops over a grid's inner points with sums of all blocks, added in their
 * order; used by poisson_cycle.cu and poisson_steps.cu. */
#pragma once

#include "poisson_grid.cuh"

#define DEBYE_POISSON_THREADS_X 32
#define DEBYE_POISSON_THREADS_Y 8
#define DEBYE_POISSON_THREADS (DEBYE_POISSON_THREADS_X * DEBYE_POISSON_THREADS_Y)

/* Blocks for so many points along each axis, a thread each of x and y, and some planes in a row, so that what one plane
 * reads of the next is still there then: as few as make DEBYE_POISSON_SUMS blocks, but no more than that many planes. */
#define DEBYE_POISSON_PLANES 32

static inline dim3
debye_poisson_tiles(int x, int y, int z)
{
  const unsigned n_x = (unsigned)(x + DEBYE_POISSON_THREADS_X - 1) / DEBYE_POISSON_THREADS_X;
  const unsigned n_y = (unsigned)(y + DEBYE_POISSON_THREADS_Y - 1) / DEBYE_POISSON_THREADS_Y;
  const unsigned least = (unsigned)(z + DEBYE_POISSON_PLANES - 1) / DEBYE_POISSON_PLANES;
  const unsigned wanted = DEBYE_POISSON_SUMS / (n_x * n_y), n_z = wanted > least ? wanted : least;
  return dim3(n_x, n_y, n_z < (unsigned)z ? n_z : (unsigned)z);
}

static inline dim3
debye_poisson_inner_tiles(const DebyeCudaPoissonGrid *grid)
{
  return debye_poisson_tiles(grid->shape[0] - 2, grid->shape[1] - 2, grid->shape[2] - 2);
}

/* The inner planes of a block, [begin, end). */
static __device__ __forceinline__ void
debye_poisson_planes(const DebyeCudaPoissonGrid &grid, int *begin, int *end)
{
  const unsigned n = (unsigned)grid.shape[2] - 2;
  *begin = (int)(n * blockIdx.z / gridDim.z) + 1;
  *end = (int)(n * (blockIdx.z + 1) / gridDim.z) + 1;
}

/* Calls function(i, at) for the inner points of a thread. */
template <typename Function>
static __device__ __forceinline__ void
debye_poisson_over_inner(const DebyeCudaPoissonGrid &grid, Function function)
{
  int at[3] = {(int)(blockIdx.x * DEBYE_POISSON_THREADS_X + threadIdx.x) + 1,
               (int)(blockIdx.y * DEBYE_POISSON_THREADS_Y + threadIdx.y) + 1, 0};
  int end;
  debye_poisson_planes(grid, &at[2], &end);
  if (at[0] + 1 >= grid.shape[0] || at[1] + 1 >= grid.shape[1])
    return;
  for (size_t i = at[0] + grid.y * at[1] + grid.z * at[2]; at[2] < end; at[2]++, i += grid.z)
    function(i, at);
}

/* Adds a block's value to the sum; true in the block that comes last, whose first thread then has the whole of it. The order
 * of the additions is always the same. */
static __device__ bool
debye_poisson_add_blocks(const DebyeCudaPoissonSums &sums, double value, double *whole)
{
  __shared__ double parts[DEBYE_POISSON_THREADS / 32];
  __shared__ bool is_last;
  const unsigned thread = threadIdx.x + blockDim.x * threadIdx.y;
  const unsigned n_blocks = gridDim.x * gridDim.y * gridDim.z;
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  double sum = value;
  for (int round = 0; round < 2; round++) {
    for (int width = 16; width > 0; width /= 2)
      sum += __shfl_down_sync(~0u, sum, width);
    __syncthreads();
    if (thread % 32 == 0)
      parts[thread / 32] = sum;
    __syncthreads();
    if (round == 1)
      break;
    if (thread == 0) {
      sum = 0.0;
      for (int warp = 0; warp < DEBYE_POISSON_THREADS / 32; warp++)
        sum += parts[warp];
      sums.of_blocks[block] = sum;
      __threadfence();
      is_last = atomicInc(sums.n_done, n_blocks - 1) == n_blocks - 1;
    }
    __syncthreads();
    if (!is_last)
      return false;
    __threadfence();
    sum = 0.0;
#pragma unroll 8
    for (unsigned i = thread; i < n_blocks; i += DEBYE_POISSON_THREADS)
      sum += __ldcg(&sums.of_blocks[i]);
  }
  *whole = 0.0;
  for (int warp = 0; warp < DEBYE_POISSON_THREADS / 32; warp++)
    *whole += parts[warp];
  return thread == 0;
}
