/* SPDX-License-Identifier: MIT */
/* The direct sum's kernels.
 *
 * Every thread holds a small rectangle of grid points of one plane in registers; the block's threads bring
 * the atoms, tile by tile, into shared memory relative to the block's middle. A pair then costs a
 * multiply-add for r², a reciprocal square root, and a multiply-add for the sum; differences in y and z are
 * shared by a row, those in x by a column.
 *
 * The unit for reciprocal square roots gives 16 results a clock and multiprocessor, an eighth of what the
 * multiply-add pipes issue, and would be the bottleneck. So SOFTWARE of a thread's points get theirs from the
 * multiply-add pipes (potential_math.h), which balances the two. tests/bench/bench_direct_shapes times shapes
 * and shares. */
#pragma once

#include "kernels/potential/nearest_image.h"

/* NX × NY points a thread; the 32 lanes of a warp are LANES_X × (32/LANES_X), neighbouring lanes on
 * neighbouring points; WARPS of a block lie one after the other in y. */
template <int NX_, int NY_, int LANES_X_, int WARPS_, int SOFTWARE_, int MIN_BLOCKS_ = 1, int UNROLL_ = 1>
struct DebyeDirectShape {
  static constexpr int NX = NX_, NY = NY_, LANES_X = LANES_X_, LANES_Y = 32 / LANES_X_, WARPS = WARPS_;
  static constexpr int SOFTWARE = SOFTWARE_, MIN_BLOCKS = MIN_BLOCKS_, UNROLL = UNROLL_;
  static constexpr int THREADS = 32 * WARPS;
  static constexpr int BLOCK_X = NX * LANES_X, WARP_Y = NY * LANES_Y, BLOCK_Y = WARP_Y * WARPS;
};

/* 5 of 16 points by software: both pipes are then busy about equally long. The fastest of the shapes that
 * tests/bench/bench_direct_shapes measures side by side on an H200 (tests/bench/RESULTS.md). */
using DebyeDirectProductionShape = DebyeDirectShape<4, 4, 4, 4, 5, 6, 2>;
/* For grids so coarse that those blocks would be too long: a place 64 Å from the middle is a float of 4e-6 Å,
 * which is 2e-6 of the potential of an atom that is 2 Å away. */
using DebyeDirectCoarseShape = DebyeDirectShape<4, 4, 4, 1, 5, 1, 1>;
#define DEBYE_DIRECT_LONGEST_REACH 64.0

/* An atom of the checking path. */
struct alignas(16) DebyeExactAtom {
  double x, y, z, charge;
};

/* What a launch works on: planes [first_plane, first_plane + gridDim.z) of the grid, into `out` from its
 * begin, and atoms [first_atom, end_atom), which are added to `out` unless they are the first. */
struct DebyeDirectLaunch {
  DebyeTurnedGrid grid;
  const float4 *atoms; /* two an atom: high x, y, z, charge; low x, y, z, nothing */
  const DebyeExactAtom *exact;
  size_t first_atom, end_atom;
  size_t first_plane;
  float core_radius, core2;
  double exact_core2;
  DebyeNearestImage image;  /* where something is periodic */
  const volatile int *stop; /* in host memory: not 0 when the result is no longer wanted */
};

/* The middle of a block's part of the grid, in two floats an axis, and how far its points lie from it; and
 * that middle in points from the block's first. A block that reaches beyond the grid has its middle within:
 * places relative to it are floats, the finer the nearer they are. */
struct DebyeBlockFrame {
  float x_high, x_low, y_high, y_low, z_high, z_low;
  float reach_x, reach_y;
  double half_x, half_y;
};

/* Atoms between two looks at the stop flag, which is a read across the bus. */
#define DEBYE_ATOMS_A_LOOK (64 * DEBYE_DIRECT_TILE)

/* 1/√r2, one instruction; the argument is never subnormal here. */
static __device__ __forceinline__ float
debye_rsqrt_hardware(float r2)
{
  float result;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(r2));
  return result;
}

/* Spreads SOFTWARE points evenly over all, so that both pipes are busy at any time. The generations 7.5
 * and 8.0 have half as many multiply-add pipes for the same unit: there is nothing to balance. */
template <class Shape>
static __device__ constexpr bool
debye_is_software(int point)
{
#if __CUDA_ARCH__ == 750 || __CUDA_ARCH__ == 800
  return false;
#else
  constexpr int all = Shape::NX * Shape::NY;
  return (point + 1) * Shape::SOFTWARE / all != point * Shape::SOFTWARE / all;
#endif
}

static __device__ __forceinline__ void
debye_split(double value, float *high, float *low)
{
  *high = (float)value;
  *low = (float)(value - (double)*high);
}

template <class Shape>
static __device__ __forceinline__ DebyeBlockFrame
debye_block_frame(const DebyeTurnedGrid &grid, size_t plane)
{
  DebyeBlockFrame frame;
  const size_t first_i = (size_t)blockIdx.x * Shape::BLOCK_X, first_j = (size_t)blockIdx.y * Shape::BLOCK_Y;
  frame.half_x = 0.5 * ((double)min((size_t)Shape::BLOCK_X, grid.shape[0] - first_i) - 1.0);
  frame.half_y = 0.5 * ((double)min((size_t)Shape::BLOCK_Y, grid.shape[1] - first_j) - 1.0);
  const double i = (double)first_i + frame.half_x, j = (double)first_j + frame.half_y, k = (double)plane;
  debye_split(i * grid.step_x + j * grid.row_x + k * grid.plane_x, &frame.x_high, &frame.x_low);
  debye_split(j * grid.row_y + k * grid.plane_y, &frame.y_high, &frame.y_low);
  debye_split(k * grid.plane_z, &frame.z_high, &frame.z_low);
  frame.reach_y = (float)(0.51 * Shape::BLOCK_Y * fabs(grid.row_y));
  frame.reach_x = (float)(0.51 * (Shape::BLOCK_X * fabs(grid.step_x) + Shape::BLOCK_Y * fabs(grid.row_x)));
  return frame;
}

/* Brings up to DEBYE_DIRECT_TILE atoms into the tile as (x, y, z², charge) from the block's middle. True, in
 * all threads, where one of them may be within the core radius of a point of the block. */
template <class Shape>
static __device__ __forceinline__ bool
debye_load_tile(const DebyeDirectLaunch &launch, const DebyeBlockFrame &frame, size_t first, int count,
                float4 *tile)
{
  int near = 0;
  for (int i = threadIdx.x; i < count; i += Shape::THREADS) {
    float4 high = __ldg(launch.atoms + 2 * (first + i)), low = __ldg(launch.atoms + 2 * (first + i) + 1);
    float x = (high.x - frame.x_high) + (low.x - frame.x_low);
    float y = (high.y - frame.y_high) + (low.y - frame.y_low);
    float z = (high.z - frame.z_high) + (low.z - frame.z_low);
    tile[i] = make_float4(x, y, z * z, high.w);
    near |= fabsf(z) <= 1.01f * launch.core_radius && fabsf(y) <= frame.reach_y + launch.core_radius &&
            fabsf(x) <= frame.reach_x + launch.core_radius;
  }
  return __syncthreads_or(near);
}

/* Adds one tile to a thread's points. The clamp at the core radius costs an instruction a pair, so tiles that
 * need it are apart. */
template <class Shape, bool SHEARED, bool CLAMPED>
static __device__ __forceinline__ void
debye_add_tile(const float4 *tile, int count, const float (&point_x)[Shape::NX],
               const float (&point_y)[Shape::NY], const float (&row_x)[Shape::NY], float core2,
               float (&sum)[Shape::NY][Shape::NX])
{
#pragma unroll Shape::UNROLL
  for (int atom = 0; atom < count; atom++) {
    const float4 a = tile[atom];
    float dx[Shape::NX];
#pragma unroll
    for (int i = 0; i < Shape::NX; i++)
      dx[i] = a.x - point_x[i];
#pragma unroll
    for (int j = 0; j < Shape::NY; j++) {
      const float dy = a.y - point_y[j];
      const float s = fmaf(dy, dy, a.z);
#pragma unroll
      for (int i = 0; i < Shape::NX; i++) {
        const float d = SHEARED ? dx[i] - row_x[j] : dx[i];
        float r2 = fmaf(d, d, s);
        if (CLAMPED)
          r2 = fmaxf(r2, core2);
        if (debye_is_software<Shape>(j * Shape::NX + i)) {
          const float guess = debye_rsqrt_guess(r2);
          sum[j][i] = fmaf(a.w * guess, debye_rsqrt_correction(r2 * (guess * guess)), sum[j][i]);
        } else {
          sum[j][i] = fmaf(a.w, debye_rsqrt_hardware(r2), sum[j][i]);
        }
      }
    }
  }
}

/* Launched with (⌈nx/BLOCK_X⌉, ⌈ny/BLOCK_Y⌉, planes) blocks of THREADS. */
template <class Shape, bool SHEARED>
static __global__ void
__launch_bounds__(Shape::THREADS, Shape::MIN_BLOCKS)
    debye_direct_float(const __grid_constant__ DebyeDirectLaunch launch, float *__restrict__ out)
{
  __shared__ float4 tile[DEBYE_DIRECT_TILE];
  const DebyeTurnedGrid &grid = launch.grid;
  const DebyeBlockFrame frame = debye_block_frame<Shape>(grid, launch.first_plane + blockIdx.z);

  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int in_block_x = lane % Shape::LANES_X;
  const int in_block_y = warp * Shape::WARP_Y + lane / Shape::LANES_X;
  float point_x[Shape::NX], point_y[Shape::NY], row_x[Shape::NY];
#pragma unroll
  for (int i = 0; i < Shape::NX; i++)
    point_x[i] = (float)((in_block_x + i * Shape::LANES_X - frame.half_x) * grid.step_x);
#pragma unroll
  for (int j = 0; j < Shape::NY; j++) {
    const double from_middle = in_block_y + j * Shape::LANES_Y - frame.half_y;
    point_y[j] = (float)(from_middle * grid.row_y);
    row_x[j] = (float)(from_middle * grid.row_x);
  }

  const size_t nx = grid.shape[0], ny = grid.shape[1];
  const size_t first_i = (size_t)blockIdx.x * Shape::BLOCK_X + in_block_x;
  const size_t first_j = (size_t)blockIdx.y * Shape::BLOCK_Y + in_block_y;
  /* Warps wholly beyond the grid only help to load. */
  const bool computes = (size_t)blockIdx.y * Shape::BLOCK_Y + warp * Shape::WARP_Y < ny;
  out += (size_t)blockIdx.z * nx * ny + first_j * nx + first_i;

  size_t first = launch.first_atom;
  do {
    const int count = (int)min((size_t)DEBYE_DIRECT_TILE, launch.end_atom - first);
    if ((first - launch.first_atom) % DEBYE_ATOMS_A_LOOK == 0 &&
        __syncthreads_or(threadIdx.x == 0 && *launch.stop != 0))
      return;
    const bool near = debye_load_tile<Shape>(launch, frame, first, count, tile);
    if (computes) {
      float sum[Shape::NY][Shape::NX] = {};
      if (near)
        debye_add_tile<Shape, true, true>(tile, count, point_x, point_y, row_x, launch.core2, sum);
      else
        debye_add_tile<Shape, SHEARED, false>(tile, count, point_x, point_y, row_x, launch.core2, sum);
        /* The total is kept in the result itself: once a tile it costs nothing, and no register holds it
         * meanwhile. */
#pragma unroll
      for (int j = 0; j < Shape::NY; j++)
#pragma unroll
        for (int i = 0; i < Shape::NX; i++)
          if (first_j + j * Shape::LANES_Y < ny && first_i + i * Shape::LANES_X < nx) {
            float *at = out + (size_t)(j * Shape::LANES_Y) * nx + i * Shape::LANES_X;
            *at = first == 0 ? sum[j][i] : *at + sum[j][i];
          }
    }
    __syncthreads();
    first += DEBYE_DIRECT_TILE;
  } while (first < launch.end_atom);
}

/* Points of a block with a middle near all of them, since the atoms that have one image for all of it are the
 * cheap ones (nearest_image.h). */
using DebyeNearestShape = DebyeDirectShape<4, 4, 4, 1, 5, 1, 1>;

/* Atoms in shared memory: in double, brought and reduced once for all points of the block. */
#define DEBYE_NEAREST_TILE 128

struct DebyeNearestAtoms {
  float4 atom[DEBYE_NEAREST_TILE]; /* from the block's middle, and the charge */
  uint32_t doubts[DEBYE_NEAREST_TILE];
  float4 neighbour[DEBYE_NEAREST_NEIGHBOURS]; /* and its square */
};

template <class Shape>
static __device__ __forceinline__ void
debye_load_nearest(const DebyeDirectLaunch &launch, const double (&middle)[3], const double (&half)[3],
                   size_t first, int count, DebyeNearestAtoms *tile)
{
  for (int i = threadIdx.x; i < count; i += Shape::THREADS) {
    const DebyeExactAtom a = launch.exact[first + i];
    double p[3] = {a.x - middle[0], a.y - middle[1], a.z - middle[2]};
    debye_nearest_reduce(&launch.image, p);
    tile->atom[i] = make_float4((float)p[0], (float)p[1], (float)p[2], (float)a.charge);
    tile->doubts[i] = debye_nearest_doubts(&launch.image, half, p);
  }
}

/* One atom to a thread's points; the doubts are the same for all threads. */
template <class Shape>
static __device__ __forceinline__ void
debye_add_nearest(const DebyeNearestAtoms &tile, int at, const float (&point_x)[Shape::NX],
                  const float (&point_y)[Shape::NY], const float (&row_x)[Shape::NY], float core2,
                  float (&sum)[Shape::NY][Shape::NX])
{
  const float4 a = tile.atom[at];
  float least[Shape::NY][Shape::NX] = {};
  for (uint32_t left = tile.doubts[at]; left != 0; left &= left - 1) {
    const float4 neighbour = tile.neighbour[__ffs(left) - 1];
#pragma unroll
    for (int j = 0; j < Shape::NY; j++) {
      const float across = fmaf(neighbour.y, a.y - point_y[j], neighbour.z * a.z);
#pragma unroll
      for (int i = 0; i < Shape::NX; i++) {
        const float along = fmaf(neighbour.x, a.x - point_x[i] - row_x[j], across);
        least[j][i] = fminf(least[j][i], fmaf(-2.0f, fabsf(along), neighbour.w));
      }
    }
  }
#pragma unroll
  for (int j = 0; j < Shape::NY; j++) {
    const float dy = a.y - point_y[j], s = fmaf(dy, dy, a.z * a.z);
#pragma unroll
    for (int i = 0; i < Shape::NX; i++) {
      const float d = a.x - point_x[i] - row_x[j];
      sum[j][i] = fmaf(a.w, debye_rsqrt_hardware(fmaxf(fmaf(d, d, s) + least[j][i], core2)), sum[j][i]);
    }
  }
}

/* The nearest image of each atom, in float. Launched as debye_direct_float. */
template <class Shape>
static __global__ void
__launch_bounds__(Shape::THREADS)
    debye_direct_nearest(const __grid_constant__ DebyeDirectLaunch launch, float *__restrict__ out)
{
  __shared__ DebyeNearestAtoms tile;
  const DebyeTurnedGrid &grid = launch.grid;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int in_block_x = lane % Shape::LANES_X;
  const int in_block_y = warp * Shape::WARP_Y + lane / Shape::LANES_X;
  constexpr double half_x = 0.5 * (Shape::BLOCK_X - 1), half_y = 0.5 * (Shape::BLOCK_Y - 1);
  const double i = (double)blockIdx.x * Shape::BLOCK_X + half_x,
               j = (double)blockIdx.y * Shape::BLOCK_Y + half_y;
  const double k = (double)(launch.first_plane + blockIdx.z);
  const double middle[3] = {i * grid.step_x + j * grid.row_x + k * grid.plane_x,
                            j * grid.row_y + k * grid.plane_y, k * grid.plane_z};
  const double half[3] = {half_x * fabs(grid.step_x) + half_y * fabs(grid.row_x), half_y * fabs(grid.row_y),
                          0.0};
  float point_x[Shape::NX], point_y[Shape::NY], row_x[Shape::NY];
#pragma unroll
  for (int at = 0; at < Shape::NX; at++)
    point_x[at] = (float)((in_block_x + at * Shape::LANES_X - half_x) * grid.step_x);
#pragma unroll
  for (int at = 0; at < Shape::NY; at++) {
    const double from_middle = in_block_y + at * Shape::LANES_Y - half_y;
    point_y[at] = (float)(from_middle * grid.row_y);
    row_x[at] = (float)(from_middle * grid.row_x);
  }
  if (threadIdx.x < DEBYE_NEAREST_NEIGHBOURS) {
    const double *neighbour = launch.image.neighbour[threadIdx.x];
    tile.neighbour[threadIdx.x] = make_float4((float)neighbour[0], (float)neighbour[1], (float)neighbour[2],
                                              (float)launch.image.neighbour_square[threadIdx.x]);
  }
  const size_t nx = grid.shape[0], ny = grid.shape[1];
  const size_t first_i = (size_t)blockIdx.x * Shape::BLOCK_X + in_block_x;
  const size_t first_j = (size_t)blockIdx.y * Shape::BLOCK_Y + in_block_y;
  out += (size_t)blockIdx.z * nx * ny + first_j * nx + first_i;
  size_t first = launch.first_atom;
  do {
    const int count = (int)min((size_t)DEBYE_NEAREST_TILE, launch.end_atom - first);
    if ((first - launch.first_atom) % DEBYE_ATOMS_A_LOOK == 0 &&
        __syncthreads_or(threadIdx.x == 0 && *launch.stop != 0))
      return;
    float sum[Shape::NY][Shape::NX] = {};
    debye_load_nearest<Shape>(launch, middle, half, first, count, &tile);
    __syncthreads();
    for (int atom = 0; atom < count; atom++)
      debye_add_nearest<Shape>(tile, atom, point_x, point_y, row_x, launch.core2, sum);
#pragma unroll
    for (int y = 0; y < Shape::NY; y++)
#pragma unroll
      for (int x = 0; x < Shape::NX; x++)
        if (first_j + y * Shape::LANES_Y < ny && first_i + x * Shape::LANES_X < nx) {
          float *at = out + (size_t)(y * Shape::LANES_Y) * nx + x * Shape::LANES_X;
          *at = first == 0 ? sum[y][x] : *at + sum[y][x];
        }
    __syncthreads();
    first += DEBYE_NEAREST_TILE;
  } while (first < launch.end_atom);
}

#define DEBYE_DOUBLE_THREADS 128
#define DEBYE_DOUBLE_TILE 256

/* The checking path, and the nearest image of each atom where cells are small beside blocks: one point a
 * thread, everything in double, whatever the grid's shape. Launched with (⌈nx/threads⌉, ny, planes) blocks of
 * DEBYE_DOUBLE_THREADS; rows beyond the limit of a launch are strided over. */
template <class Value, bool NEAREST>
static __global__ void
__launch_bounds__(DEBYE_DOUBLE_THREADS)
    debye_direct_double(const __grid_constant__ DebyeDirectLaunch launch, Value *__restrict__ out)
{
  __shared__ DebyeExactAtom tile[DEBYE_DOUBLE_TILE];
  const DebyeTurnedGrid &grid = launch.grid;
  const size_t i = (size_t)blockIdx.x * DEBYE_DOUBLE_THREADS + threadIdx.x;
  const double k = (double)(launch.first_plane + blockIdx.z);
  for (size_t j = blockIdx.y; j < grid.shape[1]; j += gridDim.y) {
    const double x = (double)i * grid.step_x + (double)j * grid.row_x + k * grid.plane_x;
    const double y = (double)j * grid.row_y + k * grid.plane_y, z = k * grid.plane_z;
    double sum = 0.0;
    for (size_t first = launch.first_atom; first < launch.end_atom; first += DEBYE_DOUBLE_TILE) {
      const int count = (int)min((size_t)DEBYE_DOUBLE_TILE, launch.end_atom - first);
      if ((first - launch.first_atom) % DEBYE_ATOMS_A_LOOK == 0 &&
          __syncthreads_or(threadIdx.x == 0 && *launch.stop != 0))
        return;
      for (int atom = threadIdx.x; atom < count; atom += DEBYE_DOUBLE_THREADS)
        tile[atom] = launch.exact[first + atom];
      __syncthreads();
      for (int atom = 0; atom < count; atom++) {
        const DebyeExactAtom a = tile[atom];
        const double dx = a.x - x, dy = a.y - y, dz = a.z - z;
        const double r2 =
            NEAREST ? debye_nearest_distance2(&launch.image, dx, dy, dz) : fma(dx, dx, fma(dy, dy, dz * dz));
        sum += a.charge * rsqrt(fmax(r2, launch.exact_core2));
      }
      __syncthreads();
    }
    if (i < grid.shape[0]) {
      Value *at = out + ((size_t)blockIdx.z * grid.shape[1] + j) * grid.shape[0] + i;
      *at = (Value)(launch.first_atom == 0 ? sum : (double)*at + sum);
    }
  }
}
