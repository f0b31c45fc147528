/* SPDX-License-Identifier: MIT */
/* The cutoff method's kernels.
 *
 * A group of warps, which is a block of threads, looks for the atoms that any of its points may see. Each warp
 * then picks out its own: it has a block of LANES_X × POINTS_Y × LANES_Z points, each lane a column of POINTS_Y in
 * y, neighbouring lanes neighbouring points in x. When enough atoms wait in its part of shared memory, every lane
 * takes them one after the other: what x and z contribute to d² once, then its column. Atoms that only half of the
 * columns can see wait apart and are summed into that half alone; so do atoms near the block, for which d² is made
 * with more care and clamped.
 *
 * What is left to waste is the pairs of an atom near the block and a point that it does not reach: the smaller a block,
 * the fewer, but the more often an atom is looked at. tests/bench/bench_cutoff_shapes times shapes. */
#pragma once

#include "cutoff_search.cuh"

static __device__ __forceinline__ size_t
debye_least(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Groups begin at multiples of their size, so that a map does not depend on its slabs. */
template <class Shape>
static __device__ __forceinline__ void
debye_cutoff_place(const DebyeCutoffLaunch &launch, DebyeCutoffGroup &group, float half[3],
                   DebyeCutoffColumn<Shape> &column)
{
  const DebyeTurnedGrid &grid = launch.grid;
  constexpr size_t extent[3] = {Shape::WIDTH, Shape::HEIGHT, Shape::DEPTH};
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const double inverse = 1.0 / launch.unit;
  double middle[3];
  size_t first[3] = {blockIdx.x * extent[0], blockIdx.y * extent[1],
                     (launch.first_plane / extent[2] + blockIdx.z) * extent[2]},
         count[3];
  for (int axis = 0; axis < 3; axis++)
    count[axis] = debye_least(extent[axis], grid.shape[axis] - first[axis]);
  group.box = debye_block_box(&launch.map, &grid, first, count);
  for (int axis = 0; axis < 3; axis++) {
    const double low = group.box.low[axis], high = group.box.high[axis];
    const double at = rint(0.5 * (low + high) * inverse);
    group.middle[axis] = (uint32_t)(int64_t)at;
    if (threadIdx.x == 0)
      half[axis] = (float)(0.5 * (high - low) * (1.0 + 1e-6));
    middle[axis] = at * launch.unit;
  }
  column.first[0] = first[0] + warp % Shape::GROUP_X * Shape::LANES_X;
  column.first[1] = first[1] + warp / Shape::GROUP_X * Shape::POINTS_Y;
  column.first[2] = first[2];
  const double i = (double)(column.first[0] + lane % Shape::LANES_X), j = (double)column.first[1];
  const double k = (double)(first[2] + lane / Shape::LANES_X);
  column.x = (float)(i * grid.step_x + j * grid.row_x + k * grid.plane_x - middle[0]);
  column.y = (float)(j * grid.row_y + k * grid.plane_y - middle[1]);
  column.z = (float)(k * grid.plane_z - middle[2]);
#pragma unroll
  for (int point = 0; point < Shape::POINTS_Y; point++)
    column.sum[point] = 0.0f;
}

/* Writes a lane's column, whose sums are in units of `unit`. */
template <class Shape>
static __device__ __forceinline__ void
debye_cutoff_write(const DebyeCutoffLaunch &launch, const DebyeCutoffColumn<Shape> &column, float unit,
                   float *__restrict__ out)
{
  const size_t *shape = launch.grid.shape, *first = column.first;
  const unsigned lane = threadIdx.x % 32;
  const size_t i = first[0] + lane % Shape::LANES_X, k = first[2] + lane / Shape::LANES_X;
  if (i >= shape[0] || k < launch.first_plane || k >= launch.first_plane + launch.n_planes)
    return;
  out += i + shape[0] * (first[1] + shape[1] * (k - launch.first_plane));
#pragma unroll
  for (int j = 0; j < Shape::POINTS_Y; j++)
    if (first[1] + j < shape[1])
      out[(size_t)j * shape[0]] = unit * column.sum[j];
}

/* Launched with (⌈nx/WIDTH⌉, ⌈ny/HEIGHT⌉, layers of DEPTH planes) blocks of THREADS. */
template <class Shape, int FORM, bool SHEARED>
static __global__ void
__launch_bounds__(Shape::THREADS, Shape::MIN_GROUPS)
    debye_cutoff_float(const __grid_constant__ DebyeCutoffLaunch launch, float *__restrict__ out)
{
  __shared__ DebyeCutoffShared<Shape, FORM> shared;
  constexpr float UNIT = DEBYE_CUTOFF_SIGNED<FORM> ? DEBYE_CUTOFF_CHARGE : 1.0f;
  DebyeCutoffGroup group;
  DebyeCutoffColumn<Shape> column;
  DebyeCutoffRows rows = {};
  if (threadIdx.x == 0)
    shared.block = launch.block;
  debye_cutoff_place<Shape>(launch, group, shared.half, column);
  if (__syncthreads_or(threadIdx.x == 0 && launch.stop != NULL && *launch.stop != 0))
    return;
  const bool has_points = column.first[0] < launch.grid.shape[0] && column.first[1] < launch.grid.shape[1];
  for (bool more = true; more;) {
    more = __syncthreads_or(debye_cutoff_gather<Shape, FORM>(launch, group, rows, shared));
    if (has_points)
      debye_cutoff_sweep<Shape, FORM, SHEARED>(launch, shared, column);
    __syncthreads();
  }
  if (has_points)
    debye_cutoff_write<Shape>(launch, column, UNIT, out);
}

/* The checking path: a point a thread, everything in double. A warp has 32 points of a row, so that all its
 * lanes go through the same atoms. Launched with (⌈nx/DEBYE_CUTOFF_DOUBLE_THREADS⌉, ny, planes) blocks. */
#define DEBYE_CUTOFF_DOUBLE_THREADS 128

static __global__ void
__launch_bounds__(DEBYE_CUTOFF_DOUBLE_THREADS)
    debye_cutoff_double(const __grid_constant__ DebyeCutoffLaunch launch, double *__restrict__ out)
{
  const DebyeTurnedGrid &grid = launch.grid;
  const size_t first[3] = {((size_t)blockIdx.x * blockDim.x + threadIdx.x) / 32 * 32, blockIdx.y,
                           launch.first_plane + blockIdx.z};
  if (first[0] >= grid.shape[0] || (launch.stop != NULL && *launch.stop != 0))
    return;
  const size_t count[3] = {debye_least(32, grid.shape[0] - first[0]), 1, 1};
  const DebyeBlockBox box = debye_block_box(&launch.map, &grid, first, count);
  const size_t i = first[0] + threadIdx.x % 32;
  const double j = (double)first[1], k = (double)first[2];
  const double x = (double)i * grid.step_x + j * grid.row_x + k * grid.plane_x;
  const double y = j * grid.row_y + k * grid.plane_y, z = k * grid.plane_z;
  const double cutoff2 = launch.function.cutoff * launch.function.cutoff;
  double sum = 0.0;
  for (long offset = 0; offset < launch.map.n_offsets; offset++) {
    uint32_t first, end;
    debye_bin_row(&launch.map, &box, launch.map.offset[offset], &first, &end);
    for (uint32_t at = first; at < end; at++) {
      const DebyeBinnedExactAtom atom = launch.exact_atoms[at];
      const double dx = atom.x - x, dy = atom.y - y, dz = atom.z - z;
      const double r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < cutoff2)
        sum += atom.charge * debye_pair_value(&launch.function, r2, launch.core2);
    }
  }
  if (i >= grid.shape[0])
    return;
  out[i + grid.shape[0] * (first[1] + grid.shape[1] * (first[2] - launch.first_plane))] = sum;
}
