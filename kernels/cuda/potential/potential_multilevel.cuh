/* SPDX-License-Identifier: MIT */
/* The kernels of multilevel summation.
 *
 * Charges are spread by adding whole numbers, as on Ewald's mesh: a lattice value in fixed point is the same
 * in whatever order its parts arrive. All else gathers. Folding with a stencil is most of the arithmetic: a
 * thread has a column of COLUMN points in z, so that a value that it loads is used as often, with as many
 * weights, which all threads of a block share. */
#pragma once

#include "kernels/potential/multilevel_levels.h"
#include "split_launch.cuh"

/* What spreading and interpolating get. */
struct DebyeMultilevelLaunch {
  DebyeMultilevelFrame frame;
  DebyeSplitAtoms atoms;
  unsigned long long *fixed;
  void *potential; /* of the finest level */
};

/* A step on one level, or from one to the next. */
struct DebyeMultilevelStep {
  DebyeMultilevelLevel level, other; /* what is written; what is read where that is another */
  int shift[3];
  bool periodic[3];
  double halving[DEBYE_MULTILEVEL_LARGEST_ORDER + 1];
  const unsigned long long *fixed; /* of the finest level, and its unit */
  double unit;
  /* The stencil, in columns along z of multiples of DEBYE_MULTILEVEL_COLUMN weights. */
  const DebyeMultilevelRow *columns;
  unsigned n_columns;
  const void *weights;
  double scale;
};

/* Steps that one launch takes; more would be more than 4 kB, what a launch's arguments may have anywhere. */
#define DEBYE_MULTILEVEL_TOGETHER 8

/* The same step on several levels, which don't wait for each other. */
struct DebyeMultilevelSteps {
  DebyeMultilevelStep step[DEBYE_MULTILEVEL_TOGETHER];
  unsigned end[DEBYE_MULTILEVEL_TOGETHER]; /* blocks of this step and those before it */
  unsigned n;
};

/* The kernels for one order and precision; each precision is compiled in a unit of its own. */
struct DebyeMultilevelKernels {
  const void *spread, *convert, *restrict_charges, *prolong, *interpolate;
  const void *fold_rows, *fold_parts, *fold_max_parts, *fold_together;
};

template <class Real> DebyeMultilevelKernels debye_multilevel_kernels(unsigned order);

extern template DebyeMultilevelKernels debye_multilevel_kernels<float>(unsigned order);
extern template DebyeMultilevelKernels debye_multilevel_kernels<double>(unsigned order);

/* Rows of points of a block that folds, or parts of the stencil. */
#define DEBYE_MULTILEVEL_ROWS 4
#define DEBYE_MULTILEVEL_PARTS 4
#define DEBYE_MULTILEVEL_MAX_PARTS 16

#define DEBYE_MULTILEVEL_THREADS 128
/* Atoms of a block that spreads. */
#define DEBYE_MULTILEVEL_ATOMS 32
#define DEBYE_MULTILEVEL_COLUMN 4
/* Points of a thread's column, and threads of a block in x. */
#define DEBYE_MULTILEVEL_POINTS 8
#define DEBYE_MULTILEVEL_X 32

static __device__ __forceinline__ void
debye_multilevel_spline(int order, float part, float *weight)
{
  debye_ewald_spline_float(order, 1, &part, weight);
}

static __device__ __forceinline__ void
debye_multilevel_spline(int order, double part, double *weight)
{
  debye_ewald_spline_double(order, 1, &part, weight);
}

/* First the splines of the block's atoms along each axis, a thread each; then all products of three of them,
 * neighbouring threads on neighbouring lattice points. */
template <int ORDER, class Real>
static __global__ void
__launch_bounds__(DEBYE_MULTILEVEL_THREADS)
    debye_multilevel_spread(const __grid_constant__ DebyeMultilevelLaunch launch)
{
  __shared__ Real weights[DEBYE_MULTILEVEL_ATOMS][3][ORDER];
  __shared__ int first[DEBYE_MULTILEVEL_ATOMS][3];
  const unsigned begin = blockIdx.x * DEBYE_MULTILEVEL_ATOMS;
  const int count = (int)min((unsigned)DEBYE_MULTILEVEL_ATOMS, launch.atoms.n - begin);
  const int *n = launch.frame.lattice[0].n;
  for (int i = threadIdx.x; i < 3 * count; i += DEBYE_MULTILEVEL_THREADS) {
    const int atom = i / 3, axis = i % 3;
    double at[3];
    DebyeEwaldPlace place;
    Real weight[ORDER];
    debye_multilevel_atom(&launch.frame, launch.atoms.x[begin + atom], launch.atoms.y[begin + atom],
                          launch.atoms.z[begin + atom], at);
    debye_multilevel_place(&launch.frame, at, &place);
    const double part = axis == 0 ? place.part[0] : axis == 1 ? place.part[1] : place.part[2];
    first[atom][axis] = axis == 0 ? place.first[0] : axis == 1 ? place.first[1] : place.first[2];
    debye_multilevel_spline(ORDER, (Real)part, weight);
    /* The charge, in units of the fixed point, goes with the third axis. */
    const Real scale =
        axis == 2 ? (Real)((double)launch.atoms.charge[begin + atom] / launch.atoms.unit) : (Real)1;
#pragma unroll
    for (int j = 0; j < ORDER; j++)
      weights[atom][axis][j] = scale * weight[j];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count * ORDER * ORDER * ORDER; i += DEBYE_MULTILEVEL_THREADS) {
    const int a = i % ORDER, b = i / ORDER % ORDER, c = i / (ORDER * ORDER) % ORDER;
    const int atom = i / (ORDER * ORDER * ORDER);
    const Real value = weights[atom][0][a] * weights[atom][1][b] * weights[atom][2][c];
    const size_t x = debye_multilevel_index(first[atom][0], a, n[0]);
    const size_t y = debye_multilevel_index(first[atom][1], b, n[1]);
    const size_t z = debye_multilevel_index(first[atom][2], c, n[2]);
    atomicAdd(launch.fixed + (z * n[1] + y) * n[0] + x, (unsigned long long)__double2ll_rn(value));
  }
}

/* Where point (x, y, z) of the larger lattice comes from: itself, around a periodic end, or −1 where there is
 * nothing. */
static __device__ __forceinline__ int
debye_multilevel_source(const DebyeMultilevelStep &step, int axis, int index)
{
  const int n = step.level.n[axis];
  if (index >= 0 && index < n)
    return index;
  return step.periodic[axis] ? debye_multilevel_wrap(index, n) : -1;
}

/* The charges of the finest level, and what lies beyond its ends, from the fixed point numbers. A thread a
 * value of the larger lattice, planes in z. */
template <class Real>
static __global__ void
debye_multilevel_convert(const __grid_constant__ DebyeMultilevelStep step)
{
  const DebyeMultilevelLevel &level = step.level;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int rows = (int)(level.plane / level.row), width = (int)level.row;
  if (i >= width * rows)
    return;
  const int x = i % width - level.before[0], y = i / width - level.before[1];
  const int z = (int)blockIdx.y - level.before[2];
  const int from_x = debye_multilevel_source(step, 0, x), from_y = debye_multilevel_source(step, 1, y);
  const int from_z = debye_multilevel_source(step, 2, z);
  Real value = 0;
  if (from_x >= 0 && from_y >= 0 && from_z >= 0) {
    const size_t from = ((size_t)from_z * level.n[1] + from_y) * level.n[0] + from_x;
    value = (Real)((double)(long long)step.fixed[from] * step.unit);
  }
  ((Real *)level.charge)[(long)z * (long)level.plane + (long)y * (long)level.row + x] = value;
}

/* Charges of the level above, and beyond its ends: as above, each from the points it shares splines with. */
template <int ORDER, class Real>
static __global__ void
debye_multilevel_restrict(const __grid_constant__ DebyeMultilevelStep step)
{
  constexpr int HALF = ORDER / 2;
  const DebyeMultilevelLevel &coarse = step.level, &fine = step.other;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int rows = (int)(coarse.plane / coarse.row), width = (int)coarse.row;
  if (i >= width * rows)
    return;
  const int x = i % width - coarse.before[0], y = i / width - coarse.before[1];
  const int z = (int)blockIdx.y - coarse.before[2];
  const int from_x = debye_multilevel_source(step, 0, x), from_y = debye_multilevel_source(step, 1, y);
  const int from_z = debye_multilevel_source(step, 2, z);
  Real sum = 0;
  if (from_x >= 0 && from_y >= 0 && from_z >= 0) {
    const Real *middle = (const Real *)fine.charge + 2 * (long)(from_z - step.shift[2]) * (long)fine.plane +
                         2 * (long)(from_y - step.shift[1]) * (long)fine.row + 2 * (from_x - step.shift[0]);
    for (int c = -HALF; c <= HALF; c++) {
      Real in_plane = 0;
#pragma unroll
      for (int b = -HALF; b <= HALF; b++) {
        const Real *row = middle + c * (long)fine.plane + b * (long)fine.row;
        Real in_row = 0;
#pragma unroll
        for (int a = -HALF; a <= HALF; a++)
          in_row += (Real)step.halving[HALF + a] * row[a];
        in_plane += (Real)step.halving[HALF + b] * in_row;
      }
      sum += (Real)step.halving[HALF + c] * in_plane;
    }
  }
  ((Real *)coarse.charge)[(long)z * (long)coarse.plane + (long)y * (long)coarse.row + x] = sum;
}

/* Adds what columns part, part + parts, … of the stencil give to a column of points. */
template <class Real>
static __device__ __forceinline__ void
debye_multilevel_add_columns(const DebyeMultilevelStep &step, const Real *charge, unsigned part,
                             unsigned parts, Real sum[DEBYE_MULTILEVEL_POINTS])
{
  constexpr int POINTS = DEBYE_MULTILEVEL_POINTS, COLUMN = DEBYE_MULTILEVEL_COLUMN;
  const long plane = (long)step.level.plane, row = (long)step.level.row;
  for (unsigned i = part; i < step.n_columns; i += parts) {
    const DebyeMultilevelRow away = step.columns[i];
    const Real *weight = (const Real *)step.weights + away.begin;
    const Real *from = charge + away.inner * plane + away.outer[1] * row + away.outer[0];
    Real window[POINTS + COLUMN - 1];
#pragma unroll
    for (int j = 0; j < POINTS - 1; j++)
      window[j] = __ldg(from + j * plane);
    for (int begin = 0; begin < away.n; begin += COLUMN) {
#pragma unroll
      for (int j = 0; j < COLUMN; j++)
        window[POINTS - 1 + j] = __ldg(from + (begin + POINTS - 1 + j) * plane);
#pragma unroll
      for (int j = 0; j < COLUMN; j++) {
        const Real w = __ldg(weight + begin + j);
#pragma unroll
        for (int point = 0; point < POINTS; point++)
          sum[point] += w * window[point + j];
      }
#pragma unroll
      for (int j = 0; j < POINTS - 1; j++)
        window[j] = window[j + COLUMN];
    }
  }
}

/* A block's threads have 32 columns of points in x and, in y, either ROWS rows of them, or one row and a
 * PARTS-th of the stencil each: a lattice of few points would else have too few threads to hide how long a
 * load takes. Where the lattice's columns are not whole, values beyond are read (there is spill for it) and
 * sums of them dropped. */
template <class Real, int ROWS, int PARTS>
static __device__ __forceinline__ void
debye_multilevel_fold_block(const DebyeMultilevelStep &step, const uint3 block)
{
  static_assert(ROWS == 1 || PARTS == 1, "rows or parts");
  constexpr int POINTS = DEBYE_MULTILEVEL_POINTS, X = DEBYE_MULTILEVEL_X;
  __shared__ Real parts[PARTS > 1 ? PARTS : 1][POINTS][X];
  const DebyeMultilevelLevel &level = step.level;
  const int x = block.x * X + threadIdx.x, y = block.y * ROWS + (PARTS > 1 ? 0 : threadIdx.y);
  const int z = block.z * POINTS;
  const bool inside = x < level.n[0] && y < level.n[1];
  Real sum[POINTS] = {};
  if (inside)
    debye_multilevel_add_columns<Real>(
        step, (const Real *)level.charge + z * (long)level.plane + (long)y * (long)level.row + x,
        PARTS > 1 ? threadIdx.y : 0, PARTS, sum);
  Real *to = (Real *)level.potential + ((size_t)z * level.n[1] + y) * level.n[0] + x;
  if (PARTS > 1) {
#pragma unroll
    for (int point = 0; point < POINTS; point++)
      parts[threadIdx.y][point][threadIdx.x] = sum[point];
    __syncthreads();
  }
#pragma unroll
  for (int point = 0; point < POINTS; point++) {
    if (!inside || z + point >= level.n[2] || (PARTS > 1 && point % PARTS != threadIdx.y))
      continue;
    Real all = PARTS > 1 ? (Real)0 : sum[point];
    for (int part = 0; PARTS > 1 && part < PARTS; part++)
      all += parts[part][point][threadIdx.x];
    to[(size_t)point * level.n[1] * level.n[0]] = (Real)step.scale * all;
  }
}

/* Folding with the stencil. */
template <class Real, int ROWS, int PARTS>
static __global__ void
__launch_bounds__(DEBYE_MULTILEVEL_X *ROWS *PARTS)
    debye_multilevel_fold(const __grid_constant__ DebyeMultilevelStep step)
{
  debye_multilevel_fold_block<Real, ROWS, PARTS>(step, blockIdx);
}

/* Folding of several lattices; launched with all of their blocks in x, each lattice's x fastest. */
template <class Real, int PARTS>
static __global__ void
__launch_bounds__(DEBYE_MULTILEVEL_X *PARTS)
    debye_multilevel_fold_together(const __grid_constant__ DebyeMultilevelSteps steps)
{
  unsigned i = 0;
  while (blockIdx.x >= steps.end[i])
    i++;
  const DebyeMultilevelStep &step = steps.step[i];
  const unsigned block = blockIdx.x - (i > 0 ? steps.end[i - 1] : 0), height = step.level.n[1];
  const unsigned width = (step.level.n[0] + DEBYE_MULTILEVEL_X - 1) / DEBYE_MULTILEVEL_X;
  debye_multilevel_fold_block<Real, 1, PARTS>(
      step, make_uint3(block % width, block / width % height, block / width / height));
}

/* The coarse points along an axis that share splines with a fine one, and their weights: where there are
 * fewer than HALF + 1, the last ones have none. */
template <int HALF, class Real>
static __device__ __forceinline__ void
debye_multilevel_find_parents(const DebyeMultilevelStep &step, int axis, int fine, int index[HALF + 1],
                              Real weight[HALF + 1])
{
  int last;
  const int first = debye_multilevel_parents(fine, step.shift[axis], HALF, &last);
#pragma unroll
  for (int j = 0; j <= HALF; j++) {
    const int parent = first + j;
    index[j] = debye_multilevel_wrap(parent, step.other.n[axis]);
    weight[j] = parent <= last ? (Real)step.halving[HALF + fine - 2 * (parent - step.shift[axis])] : (Real)0;
  }
}

/* Adds the potential of the level above. A thread a point, planes in z. */
template <int ORDER, class Real>
static __global__ void
debye_multilevel_prolong(const __grid_constant__ DebyeMultilevelStep step)
{
  constexpr int HALF = ORDER / 2;
  const DebyeMultilevelLevel &fine = step.level, &coarse = step.other;
  const int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % fine.n[0], y = i / fine.n[0], z = blockIdx.y;
  if (y >= fine.n[1])
    return;
  int index[3][HALF + 1];
  Real weight[3][HALF + 1], sum = 0;
  debye_multilevel_find_parents<HALF>(step, 0, x, index[0], weight[0]);
  debye_multilevel_find_parents<HALF>(step, 1, y, index[1], weight[1]);
  debye_multilevel_find_parents<HALF>(step, 2, z, index[2], weight[2]);
#pragma unroll
  for (int c = 0; c <= HALF; c++) {
    Real in_plane = 0;
#pragma unroll
    for (int b = 0; b <= HALF; b++) {
      const Real *row = (const Real *)coarse.potential +
                        ((size_t)index[2][c] * coarse.n[1] + index[1][b]) * (size_t)coarse.n[0];
      Real in_row = 0;
#pragma unroll
      for (int a = 0; a <= HALF; a++)
        in_row += weight[0][a] * __ldg(row + index[0][a]);
      in_plane += weight[1][b] * in_row;
    }
    sum += weight[2][c] * in_plane;
  }
  ((Real *)fine.potential)[((size_t)z * fine.n[1] + y) * fine.n[0] + x] += sum;
}

/* A thread a point of the map, written or added to; launched with a block in z for each plane. */
template <int ORDER, class Real>
static __global__ void
__launch_bounds__(DEBYE_MULTILEVEL_THREADS)
    debye_multilevel_interpolate(const __grid_constant__ DebyeMultilevelLaunch launch,
                                 const __grid_constant__ DebyeSplitTarget target, Real *__restrict__ out,
                                 const bool adds)
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= target.shape[0] || j >= target.shape[1])
    return;
  const int *n = launch.frame.lattice[0].n;
  double at[3];
  DebyeEwaldPlace place;
  debye_ewald_grid_fraction(&target.grid, i, j, (double)(target.first_plane + blockIdx.z), at);
  debye_multilevel_place(&launch.frame, at, &place);
  Real weight[3][ORDER], sum = 0;
  int x[ORDER];
#pragma unroll
  for (int axis = 0; axis < 3; axis++)
    debye_multilevel_spline(ORDER, (Real)place.part[axis], weight[axis]);
#pragma unroll
  for (int a = 0; a < ORDER; a++)
    x[a] = debye_multilevel_index(place.first[0], a, n[0]);
  const Real *values = (const Real *)launch.potential;
#pragma unroll
  for (int c = 0; c < ORDER; c++) {
    const size_t z = debye_multilevel_index(place.first[2], c, n[2]);
    Real in_plane = 0;
#pragma unroll
    for (int b = 0; b < ORDER; b++) {
      const Real *row = values + (z * n[1] + debye_multilevel_index(place.first[1], b, n[1])) * (size_t)n[0];
      Real in_row = 0;
#pragma unroll
      for (int a = 0; a < ORDER; a++)
        in_row += weight[0][a] * __ldg(row + x[a]);
      in_plane += weight[1][b] * in_row;
    }
    sum += weight[2][c] * in_plane;
  }
  Real *const to = out + ((size_t)blockIdx.z * target.shape[1] + j) * target.shape[0] + i;
  *to = adds ? *to + sum : sum;
}

template <int ORDER, class Real>
static DebyeMultilevelKernels
debye_multilevel_kernels_of_order()
{
  DebyeMultilevelKernels kernels = {};
  kernels.spread = (const void *)debye_multilevel_spread<ORDER, Real>;
  kernels.convert = (const void *)debye_multilevel_convert<Real>;
  kernels.restrict_charges = (const void *)debye_multilevel_restrict<ORDER, Real>;
  kernels.prolong = (const void *)debye_multilevel_prolong<ORDER, Real>;
  kernels.interpolate = (const void *)debye_multilevel_interpolate<ORDER, Real>;
  kernels.fold_rows = (const void *)debye_multilevel_fold<Real, DEBYE_MULTILEVEL_ROWS, 1>;
  kernels.fold_parts = (const void *)debye_multilevel_fold<Real, 1, DEBYE_MULTILEVEL_PARTS>;
  kernels.fold_max_parts = (const void *)debye_multilevel_fold<Real, 1, DEBYE_MULTILEVEL_MAX_PARTS>;
  kernels.fold_together = (const void *)debye_multilevel_fold_together<Real, DEBYE_MULTILEVEL_MAX_PARTS>;
  return kernels;
}

template <class Real>
DebyeMultilevelKernels
debye_multilevel_kernels(unsigned order)
{
  switch (order) {
  case 4:
    return debye_multilevel_kernels_of_order<4, Real>();
  case 6:
    return debye_multilevel_kernels_of_order<6, Real>();
  default:
    return debye_multilevel_kernels_of_order<8, Real>();
  }
}
