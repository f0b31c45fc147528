/* SPDX-License-Identifier: MIT */
/* The reciprocal lattice's kernels.
 *
 * An atom's values are added to the mesh in whole numbers of a unit, so small that it does not show: such
 * additions may come in any order, and the mesh is the same to the last bit in every run. A warp spreads an
 * atom, whose rows of the mesh are then whole pieces of a line of memory.
 *
 * On a mesh that is larger than the second-level cache, atoms at random would fetch almost every such piece
 * from memory and write it back. So they are put into bins first, whose order within a bin doesn't matter. */
#pragma once

#include "lattice_plan.cuh"

struct DebyeLatticeLaunch {
  DebyeLatticeSpread spread;
  DebyeLatticeTurn turn;
  const float *position[3]; /* of the group's entries */
  const float *weight;      /* of them; NULL: 1 */
  unsigned n_entries;
  double units; /* of weight: whole numbers a unit of weight */
  unsigned long long *whole;
  uint32_t *starts, *order; /* of bins, and the entries one bin after the other; NULL: as they come */
};

constexpr int DEBYE_LATTICE_WARPS = 4;
constexpr unsigned DEBYE_LATTICE_SCAN = 1024; /* threads that add up the bins */

static __device__ __forceinline__ unsigned
debye_lattice_bin(const DebyeLatticeLaunch &launch, unsigned entry)
{
  const double x = launch.position[0][entry], y = launch.position[1][entry], z = launch.position[2][entry];
  unsigned bin = 0;
  for (int axis = 2; axis >= 0; axis--) {
    const double mesh = (double)launch.spread.mesh[axis],
                 place = debye_lattice_place(&launch.turn, axis, x, y, z, mesh);
    bin = bin * DEBYE_LATTICE_BINS_WIDE +
          min((unsigned)(place * (DEBYE_LATTICE_BINS_WIDE / mesh)), DEBYE_LATTICE_BINS_WIDE - 1);
  }
  return bin;
}

/* The bins' entries counted, from zeros. */
static __global__ void
debye_lattice_count(const __grid_constant__ DebyeLatticeLaunch launch)
{
  const unsigned entry = blockIdx.x * blockDim.x + threadIdx.x;
  if (entry < launch.n_entries)
    atomicAdd(&launch.starts[debye_lattice_bin(launch, entry)], 1);
}

/* From counts to where bins start, in one block: a run of bins a thread. */
static __global__ void
__launch_bounds__(DEBYE_LATTICE_SCAN) debye_lattice_add_counts(uint32_t *starts)
{
  constexpr unsigned RUN = DEBYE_LATTICE_BINS / DEBYE_LATTICE_SCAN / 4;
  __shared__ uint32_t sums[DEBYE_LATTICE_SCAN];
  uint4 *const own = (uint4 *)starts + threadIdx.x * RUN;
  uint4 counts[RUN];
  uint32_t sum = 0;
#pragma unroll
  for (unsigned i = 0; i < RUN; i++) {
    counts[i] = own[i];
    sum += counts[i].x + counts[i].y + counts[i].z + counts[i].w;
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned step = 1; step < DEBYE_LATTICE_SCAN; step *= 2) {
    const uint32_t before = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
  uint32_t start = sums[threadIdx.x] - sum;
#pragma unroll
  for (unsigned i = 0; i < RUN; i++) {
    const uint32_t y = start + counts[i].x, z = y + counts[i].y, w = z + counts[i].z;
    own[i] = make_uint4(start, y, z, w);
    start = w + counts[i].w;
  }
}

/* Starts become ends. */
static __global__ void
debye_lattice_set_order(const __grid_constant__ DebyeLatticeLaunch launch)
{
  const unsigned entry = blockIdx.x * blockDim.x + threadIdx.x;
  if (entry < launch.n_entries)
    launch.order[atomicAdd(&launch.starts[debye_lattice_bin(launch, entry)], 1)] = entry;
}

/* Where a warp keeps its atom's values and mesh points. */
struct DebyeLatticeWindow {
  double value[3][DEBYE_LATTICE_MAX_WIDTH];
  unsigned point[3][DEBYE_LATTICE_MAX_WIDTH];
};

/* All three axes, a value a lane. */
static __device__ __forceinline__ void
debye_lattice_window(const DebyeLatticeLaunch &launch, unsigned entry, DebyeLatticeWindow *window)
{
  const int width = (int)launch.spread.width;
  const double x = launch.position[0][entry], y = launch.position[1][entry], z = launch.position[2][entry];
  for (int at = threadIdx.x % 32; at < 3 * width; at += 32) {
    const int axis = at / width, i = at % width, mesh = (int)launch.spread.mesh[axis];
    const double place = debye_lattice_place(&launch.turn, axis, x, y, z, (double)mesh);
    const int point = debye_lattice_first(&launch.spread, place) + i;
    const double u = (2.0 / width) * (point - place), square = 1.0 - u * u;
    window->value[axis][i] = exp(launch.spread.beta * (sqrt(fmax(square, 0.0)) - 1.0));
    window->point[axis][i] = point < 0 ? point + mesh : point >= mesh ? point - mesh : point;
  }
}

/* SPAN lanes along a row, 8 or 16: the width at least. */
template <int SPAN>
static __global__ void __launch_bounds__(32 * DEBYE_LATTICE_WARPS)
    debye_lattice_spread_atoms(const __grid_constant__ DebyeLatticeLaunch launch)
{
  __shared__ DebyeLatticeWindow windows[DEBYE_LATTICE_WARPS];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, width = launch.spread.width;
  const unsigned at_entry = blockIdx.x * DEBYE_LATTICE_WARPS + warp, along = lane % SPAN;
  if (at_entry >= launch.n_entries)
    return;
  const unsigned entry = launch.order != NULL ? launch.order[at_entry] : at_entry;
  DebyeLatticeWindow *window = &windows[warp];
  debye_lattice_window(launch, entry, window);
  __syncwarp();
  if (along >= width)
    return;
  const double weight = launch.weight != NULL ? (double)launch.weight[entry] : 1.0;
  const double value = launch.units * weight * window->value[0][along];
  const size_t *mesh = launch.spread.mesh;
  for (unsigned row = lane / SPAN; row < width * width; row += 32 / SPAN) {
    const unsigned j = row % width, k = row / width;
    const long long whole = __double2ll_rn(value * window->value[1][j] * window->value[2][k]);
    const size_t at = ((size_t)window->point[2][k] * mesh[1] + window->point[1][j]) * mesh[0];
    atomicAdd(launch.whole + at + window->point[0][along], (unsigned long long)whole);
  }
}

/* Whole numbers to the transform's; in place where they are as long. */
template <class Real>
static __global__ void
debye_lattice_to_real(const unsigned long long *whole, double unit, size_t n, Real *real)
{
  const size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += step)
    real[i] = (Real)((double)(long long)whole[i] * unit);
}

/* Out of the transform, whose sign of the exponent is the other one. */
template <class Complex>
static __global__ void
debye_lattice_take(const Complex *transform, DebyeLatticeSpread spread, uint3 extent, const double *factor_h,
                   const double *factor_k, const double *factor_l, Complex *amplitudes)
{
  const size_t width = extent.x + 1, height = 2 * (size_t)extent.y + 1;
  const size_t n = width * height * (2 * (size_t)extent.z + 1), step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += step) {
    const size_t h = i % width, k = i / width % height, l = i / (width * height);
    const size_t y = (k + spread.mesh[1] - extent.y) % spread.mesh[1];
    const size_t z = (l + spread.mesh[2] - extent.z) % spread.mesh[2];
    const Complex value = transform[(z * spread.mesh[1] + y) * (spread.mesh[0] / 2 + 1) + h];
    const double factor = factor_h[extent.x + h] * factor_k[k] * factor_l[l];
    Complex out;
    out.x = factor * value.x;
    out.y = -factor * value.y;
    amplitudes[i] = out;
  }
}

/* Re(F_a F_b*) of all pairs of groups, added. */
template <class Complex>
static __global__ void
debye_lattice_add_products(const Complex *amplitudes, size_t n, unsigned n_groups, double *sums)
{
  const size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += step) {
    double *sum = sums + i;
    for (unsigned a = 0; a < n_groups; a++) {
      const Complex one = amplitudes[a * n + i];
      for (unsigned b = a; b < n_groups; b++, sum += n) {
        const Complex two = amplitudes[b * n + i];
        *sum += (double)one.x * (double)two.x + (double)one.y * (double)two.y;
      }
    }
  }
}

/* Likewise of all vectors of a length, both halves: a warp a length, a pair of groups for each blockIdx.y. */
template <class Complex>
static __global__ void __launch_bounds__(32 * DEBYE_LATTICE_WARPS)
    debye_lattice_add_lengths(const Complex *amplitudes, size_t n, unsigned n_groups, const uint32_t *places,
                              const uint32_t *starts, unsigned n_lengths, unsigned width, double *sums)
{
  const unsigned length = blockIdx.x * DEBYE_LATTICE_WARPS + threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned n_pairs = n_groups * (n_groups + 1) / 2;
  if (length >= n_lengths)
    return;
  for (unsigned pair = blockIdx.y; pair < n_pairs; pair += gridDim.y) {
    unsigned a = 0, b = pair;
    for (; b >= n_groups - a; a++)
      b -= n_groups - a;
    const Complex *one = amplitudes + a * n, *two = amplitudes + (a + b) * n;
    double sum = 0.0;
    for (unsigned i = starts[length] + lane; i < starts[length + 1]; i += 32) {
      const Complex first = one[places[i]], second = two[places[i]];
      const double product = (double)first.x * (double)second.x + (double)first.y * (double)second.y;
      sum += places[i] % width == 0 ? product : 2.0 * product;
    }
    for (unsigned step = 16; step > 0; step /= 2)
      sum += __shfl_xor_sync(0xffffffff, sum, step);
    if (lane == 0)
      sums[pair * (size_t)n_lengths + length] += sum;
  }
}

/* Values from places in the half arrays of all groups; a place's sign is that of h. */
template <class Complex>
static __global__ void
debye_lattice_pick(const Complex *amplitudes, size_t n, const long long *place, unsigned n_places,
                   double2 *out)
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n_places)
    return;
  /* One more than the index, so that 0 has a sign too. */
  const long long at = place[i];
  const Complex value = amplitudes[(size_t)blockIdx.y * n + (size_t)(at < 0 ? -at : at) - 1];
  out[(size_t)blockIdx.y * n_places + i] = make_double2(value.x, at < 0 ? -value.y : value.y);
}

template <class Complex>
static __global__ void
debye_lattice_widen(const Complex *amplitudes, size_t n, double2 *out)
{
  const size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += step)
    out[i] = make_double2(amplitudes[i].x, amplitudes[i].y);
}
