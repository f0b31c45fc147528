/* SPDX-License-Identifier: MIT */
/* The displacements' kernels: what is common to them, and listed lags, which may be anything and are counted
 * a lag a block. Consecutive lags are in displacement_consecutive.cuh. */
#pragma once

#include <math.h>

#include "displacement_counts.cuh"
#include "kernels/scattering/displacement_math.h"

/* Adding it to a number leaves that number's whole part in the lowest 22 bits. */
#define DEBYE_DISPLACEMENT_MAGIC 12582912.0f
#define DEBYE_DISPLACEMENT_MAGIC_BITS 0x4b400000u

/* Of the rows, those that fit into shared memory; after the scales. */
static inline void
debye_displacement_set_rows(DebyeDisplacementLaunch *launch, size_t fits)
{
  const size_t rows = launch->n_bins + (size_t)1;
  launch->shared_rows = (unsigned)(fits < rows ? fits : rows);
  launch->last_row = DEBYE_DISPLACEMENT_MAGIC + (float)(launch->shared_rows - 1);
  const double last = launch->shared_rows == rows ? launch->n_bins + 0.5 : launch->shared_rows;
  launch->last_root = (float)(last * fmax(launch->bin_width, 1e-30));
}

/* Bins an Å, less and more the error of d. */
static inline void
debye_displacement_set_scales(DebyeDisplacementLaunch *launch, double bin_width)
{
  /* Beyond the largest, narrow bins are all near an edge or 0. */
  const double scale = fmin(1.0 / bin_width, 1e30);
  const double low = scale * (1.0 - DEBYE_DISPLACEMENT_ROOT_ERROR);
  const double high = scale * (1.0 + DEBYE_DISPLACEMENT_ROOT_ERROR);
  launch->bin_width = bin_width;
  launch->scale_low = (float)low;
  launch->scale_high = (float)high;
  if ((double)launch->scale_low > low)
    launch->scale_low = nextafterf(launch->scale_low, 0.0f);
  if ((double)launch->scale_high < high)
    launch->scale_high = nextafterf(launch->scale_high, INFINITY);
}

/* What the loops hold of one displacement: d², and the least and the greatest row that it may belong to, as
 * floats whose lowest bits they are. */
struct DebyeDisplacementFound {
  float square, low, high;
};

/* A displacement of more than `most` is taken for one of that. */
static __device__ __forceinline__ DebyeDisplacementFound
debye_displacement_find(const DebyeDisplacementLaunch &launch, const float *from, const float *to, float most)
{
  DebyeDisplacementFound found;
  float root;
  const float dx = to[0] - from[0], dy = to[1] - from[1], dz = to[2] - from[2];
  found.square = fmaf(dz, dz, fmaf(dy, dy, dx * dx));
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(found.square));
  root = fminf(root, most);
  found.low = __fmaf_rd(root, launch.scale_low, DEBYE_DISPLACEMENT_MAGIC);
  found.high = __fmaf_rd(root, launch.scale_high, DEBYE_DISPLACEMENT_MAGIC);
  return found;
}

/* The row of a displacement that may be in `high` or the one before; near an edge only its two sides are
 * left. Rare, and so apart from the loops. */
static __device__ __forceinline__ unsigned
debye_displacement_decide(const DebyeDisplacementLaunch &launch, const float *from, const float *to,
                          float high)
{
  if (high > DEBYE_DISPLACEMENT_MAGIC + (float)launch.n_bins)
    return launch.n_bins;
  const unsigned row = __float_as_uint(high) - DEBYE_DISPLACEMENT_MAGIC_BITS;
  return debye_displacement_square(from, to) < debye_displacement_edge2(launch.bin_width, row) ? row - 1
                                                                                               : row;
}

/* Blocks of 256 threads: pieces in x, entries of the list in y. */
static __global__ void __launch_bounds__(256)
    debye_displacement_listed(const __grid_constant__ DebyeDisplacementLaunch launch)
{
  extern __shared__ double2 debye_displacement_shared[];
  unsigned *const counters = (unsigned *)debye_displacement_shared;
  __shared__ double2 moments[256];
  const DebyeSeriesPiece piece = launch.pieces[blockIdx.x];
  const unsigned lag = launch.lags[launch.first_lag + blockIdx.y];
  unsigned long long *const counts =
      launch.counts + ((size_t)piece.group * launch.n_lags + blockIdx.y) * (launch.n_bins + 1);
  for (unsigned i = threadIdx.x; i < launch.shared_rows; i += 256)
    counters[i] = 0;
  __syncthreads();
  double2 sum = make_double2(0.0, 0.0);
  for (uint32_t atom = piece.first; atom < piece.first + piece.count; atom++) {
    const float *x = launch.position[0] + atom * launch.row, *y = launch.position[1] + atom * launch.row;
    const float *z = launch.position[2] + atom * launch.row;
    for (unsigned t = threadIdx.x; t + lag < launch.n_frames; t += 256) {
      const float from[3] = {x[t], y[t], z[t]}, to[3] = {x[t + lag], y[t + lag], z[t + lag]};
      const DebyeDisplacementFound found = debye_displacement_find(launch, from, to, INFINITY);
      sum.x += (double)found.square;
      sum.y += (double)(found.square * found.square);
      unsigned row = __float_as_uint(found.low) - DEBYE_DISPLACEMENT_MAGIC_BITS;
      if (found.low != found.high || found.high > DEBYE_DISPLACEMENT_MAGIC + (float)launch.n_bins)
        row = debye_displacement_decide(launch, from, to, found.high);
      if (row < launch.shared_rows)
        atomicAdd(counters + row, 1u);
      else
        atomicAdd(counts + row, 1ull);
    }
  }
  moments[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < launch.shared_rows; i += 256)
    if (counters[i] != 0)
      atomicAdd(counts + i, (unsigned long long)counters[i]);
  for (unsigned width = 128; width > 0; width /= 2) {
    if (threadIdx.x < width) {
      moments[threadIdx.x].x += moments[threadIdx.x + width].x;
      moments[threadIdx.x].y += moments[threadIdx.x + width].y;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0)
    launch.moments[(size_t)blockIdx.x * launch.n_lags + blockIdx.y] = moments[0];
}

/* Adds the pieces' moments in their order: [group·n_lags + lag]. Blocks: lags in x, groups in y. */
static __global__ void
debye_displacement_add_moments(const double2 *pieces, const uint32_t *piece_end, unsigned n_lags,
                               double2 *out)
{
  const unsigned lag = blockIdx.x * blockDim.x + threadIdx.x, group = blockIdx.y;
  if (lag >= n_lags)
    return;
  double2 sum = make_double2(0.0, 0.0);
  for (uint32_t piece = group > 0 ? piece_end[group - 1] : 0; piece < piece_end[group]; piece++) {
    sum.x += pieces[(size_t)piece * n_lags + lag].x;
    sum.y += pieces[(size_t)piece * n_lags + lag].y;
  }
  out[(size_t)group * n_lags + lag] = sum;
}

/* A group's counts as the caller has them, of lags [first, first + count) of the launch: out[lag·n_bins +
 * bin], and behind them what is beyond, a lag each. `counts` is the group's; a run has `lags` lags. */
static __global__ void
debye_displacement_gather(const unsigned long long *counts, unsigned lags, size_t n_bins, size_t first,
                          size_t count, unsigned long long *out)
{
  const size_t n = count * (n_bins + 1), step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    const bool beyond = i >= count * n_bins;
    const size_t lag = first + (beyond ? i - count * n_bins : i / n_bins), bin = beyond ? n_bins : i % n_bins;
    const size_t place = lag % lags;
    out[i] = counts[(lag / lags * (n_bins + 1) + bin) * lags + place % 2 * (lags / 2) + place / 2];
  }
}
