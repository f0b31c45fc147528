/* SPDX-License-Identifier: MIT */
/* The kernels of particle mesh Ewald.
 *
 * Charges are spread by adding whole numbers: a mesh value in fixed point is the same in whatever order its
 * parts arrive, so that the map doesn't change from run to run. With 62 bits for the sum of all |q| the unit
 * is finer than a double's last digit of a mesh value. */
#pragma once

#include "kernels/potential/ewald_math.h"
#include "split_launch.cuh"

/* What all kernels of a frame get. */
struct DebyeEwaldLaunch {
  DebyeEwaldFrame frame; /* factors on the device */
  DebyeSplitAtoms atoms;
  unsigned long long *fixed;
  void *values; /* the mesh in float or double */
  void *modes;
};

/* The kernels for one order and precision; each precision is compiled in a unit of its own. */
struct DebyeEwaldKernels {
  const void *spread, *convert, *scale, *interpolate;
};

template <class Real> DebyeEwaldKernels debye_ewald_kernels(unsigned order);

extern template DebyeEwaldKernels debye_ewald_kernels<float>(unsigned order);
extern template DebyeEwaldKernels debye_ewald_kernels<double>(unsigned order);

#define DEBYE_EWALD_THREADS 128
/* Atoms of a block that spreads. */
#define DEBYE_EWALD_ATOMS 32

/* Kernels are made for the usual orders, whose loops unroll, and once for ORDER 0: any other. */
template <int ORDER> struct DebyeEwaldOrder {
  static constexpr int ROOM = ORDER > 0 ? ORDER : DEBYE_EWALD_LARGEST_ORDER;
  static __device__ __forceinline__ int get(const DebyeEwaldFrame &frame)
  {
    return ORDER > 0 ? ORDER : (int)frame.order;
  }
};

static __device__ __forceinline__ void
debye_ewald_spline(int order, float part, float *weight)
{
  debye_ewald_spline_float(order, 1, &part, weight);
}

static __device__ __forceinline__ void
debye_ewald_spline(int order, double part, double *weight)
{
  debye_ewald_spline_double(order, 1, &part, weight);
}

static __device__ __forceinline__ int
debye_ewald_wrap(int index, int n)
{
  return index < n ? index : index - n;
}

/* First the splines of the block's atoms along each axis, a thread each; then all products of three of them,
 * neighbouring threads on neighbouring mesh points. */
template <int ORDER, class Real>
static __global__ void
__launch_bounds__(DEBYE_EWALD_THREADS) debye_ewald_spread(const __grid_constant__ DebyeEwaldLaunch launch)
{
  __shared__ Real weights[DEBYE_EWALD_ATOMS][3][DebyeEwaldOrder<ORDER>::ROOM];
  __shared__ int first[DEBYE_EWALD_ATOMS][3];
  const int order = DebyeEwaldOrder<ORDER>::get(launch.frame);
  const unsigned begin = blockIdx.x * DEBYE_EWALD_ATOMS;
  const int count = (int)min((unsigned)DEBYE_EWALD_ATOMS, launch.atoms.n - begin);
  const int *mesh = launch.frame.mesh;
  for (int i = threadIdx.x; i < 3 * count; i += DEBYE_EWALD_THREADS) {
    const int atom = i / 3, axis = i % 3;
    double fraction[3];
    DebyeEwaldPlace place;
    Real weight[DebyeEwaldOrder<ORDER>::ROOM];
    debye_ewald_fraction(&launch.frame, launch.atoms.x[begin + atom], launch.atoms.y[begin + atom],
                         launch.atoms.z[begin + atom], fraction);
    debye_ewald_place(mesh, fraction, &place);
    const double part = axis == 0 ? place.part[0] : axis == 1 ? place.part[1] : place.part[2];
    first[atom][axis] = axis == 0 ? place.first[0] : axis == 1 ? place.first[1] : place.first[2];
    debye_ewald_spline(order, (Real)part, weight);
    /* The charge, in units of the fixed point, goes with the third axis. */
    const Real scale =
        axis == 2 ? (Real)((double)launch.atoms.charge[begin + atom] / launch.atoms.unit) : (Real)1;
#pragma unroll
    for (int j = 0; j < order; j++)
      weights[atom][axis][j] = scale * weight[j];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count * order * order * order; i += DEBYE_EWALD_THREADS) {
    const int a = i % order, b = i / order % order, c = i / (order * order) % order;
    const int atom = i / (order * order * order);
    const Real value = weights[atom][0][a] * weights[atom][1][b] * weights[atom][2][c];
    const size_t x = debye_ewald_wrap(first[atom][0] + a, mesh[0]);
    const size_t y = debye_ewald_wrap(first[atom][1] + b, mesh[1]);
    const size_t z = debye_ewald_wrap(first[atom][2] + c, mesh[2]);
    atomicAdd(launch.fixed + (z * mesh[1] + y) * mesh[0] + x, (unsigned long long)__double2ll_rn(value));
  }
}

template <class Real>
static __global__ void
debye_ewald_convert(const __grid_constant__ DebyeEwaldLaunch launch, size_t n)
{
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    ((Real *)launch.values)[i] = (Real)((double)(long long)launch.fixed[i] * launch.atoms.unit);
}

/* A thread a mode; launched with enough blocks in x for all rows, and in y for their modes. */
template <class Real>
static __global__ void
debye_ewald_scale(const __grid_constant__ DebyeEwaldLaunch launch)
{
  const DebyeEwaldFrame &frame = launch.frame;
  const int n_modes = frame.mesh[0] / 2 + 1, x = blockIdx.y * blockDim.x + threadIdx.x;
  const int n_rows = frame.mesh[1] * frame.mesh[2], row = blockIdx.x * blockDim.y + threadIdx.y;
  if (x >= n_modes || row >= n_rows)
    return;
  const int y = row % frame.mesh[1], z = row / frame.mesh[1];
  double form[3];
  debye_ewald_mode_row(&frame, debye_ewald_mode(y, frame.mesh[1]), debye_ewald_mode(z, frame.mesh[2]), form);
  const double square = (form[0] * x + form[1]) * x + form[2];
  const double factors = frame.factor[0][x] * frame.factor[1][y] * frame.factor[2][z];
  const bool is_mean = x == 0 && row == 0;
  const Real factor =
      (Real)(is_mean ? frame.zero : frame.scale * factors * exp(-frame.decay * square) / square);
  Real *values = (Real *)launch.modes + 2 * ((size_t)row * n_modes + x);
  values[0] *= factor;
  values[1] *= factor;
}

/* A thread a point of the map, written or added to; launched with a block in z for each plane. */
template <int ORDER, class Real>
static __global__ void
__launch_bounds__(DEBYE_EWALD_THREADS)
    debye_ewald_interpolate(const __grid_constant__ DebyeEwaldLaunch launch,
                            const __grid_constant__ DebyeSplitTarget target, Real *__restrict__ out,
                            const bool adds)
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= target.shape[0] || j >= target.shape[1])
    return;
  const int *mesh = launch.frame.mesh;
  double fraction[3];
  DebyeEwaldPlace place;
  debye_ewald_grid_fraction(&target.grid, i, j, (double)(target.first_plane + blockIdx.z), fraction);
  debye_ewald_place(mesh, fraction, &place);
  constexpr int ROOM = DebyeEwaldOrder<ORDER>::ROOM;
  const int order = DebyeEwaldOrder<ORDER>::get(launch.frame);
  Real weight[3][ROOM], sum = 0;
  int x[ROOM];
#pragma unroll
  for (int axis = 0; axis < 3; axis++)
    debye_ewald_spline(order, (Real)place.part[axis], weight[axis]);
#pragma unroll
  for (int a = 0; a < order; a++)
    x[a] = debye_ewald_wrap(place.first[0] + a, mesh[0]);
  const Real *values = (const Real *)launch.values;
#pragma unroll
  for (int c = 0; c < order; c++) {
    const size_t z = debye_ewald_wrap(place.first[2] + c, mesh[2]);
    Real in_plane = 0;
#pragma unroll
    for (int b = 0; b < order; b++) {
      const Real *row =
          values + (z * mesh[1] + debye_ewald_wrap(place.first[1] + b, mesh[1])) * (size_t)mesh[0];
      Real in_row = 0;
#pragma unroll
      for (int a = 0; a < order; a++)
        in_row += weight[0][a] * __ldg(row + x[a]);
      in_plane += weight[1][b] * in_row;
    }
    sum += weight[2][c] * in_plane;
  }
  Real *const to = out + ((size_t)blockIdx.z * target.shape[1] + j) * target.shape[0] + i;
  *to = adds ? *to + sum : sum;
}

template <int ORDER, class Real>
static DebyeEwaldKernels
debye_ewald_kernels_of_order()
{
  return {(const void *)debye_ewald_spread<ORDER, Real>, (const void *)debye_ewald_convert<Real>,
          (const void *)debye_ewald_scale<Real>, (const void *)debye_ewald_interpolate<ORDER, Real>};
}

template <class Real>
DebyeEwaldKernels
debye_ewald_kernels(unsigned order)
{
  switch (order) {
  case 4:
    return debye_ewald_kernels_of_order<4, Real>();
  case 6:
    return debye_ewald_kernels_of_order<6, Real>();
  case 8:
    return debye_ewald_kernels_of_order<8, Real>();
  default:
    return debye_ewald_kernels_of_order<0, Real>();
  }
}
