/* SPDX-License-Identifier: MIT */
/* The amplitudes' kernels.
 *
 * What a term costs: a phase in double, two instructions that make its fraction a float, one sine and one
 * cosine by the special function unit, which is the limit: 16 values a clock and multiprocessor. Three
 * multiply-adds in double would take as many of the scheduler's turns as the rest of it together. So where
 * the device has matrix units for double, a warp's phases are an 8 × 4 matrix of q (and 1) by a 4 × 8 matrix
 * of atoms (and the base of the fixed point), one instruction for 64 of them. Devices without have the plain
 * kernel.
 *
 * A warp holds some vectors and goes through its share of a section's atoms, which wait in shared memory. Up
 * to 32 terms are summed in one float, and these sums in two floats that keep what the addition loses. The
 * warps of a block share its section, and are added at the end. */
#pragma once

#include "kernels/scattering/amplitude_math.h"
#include "kernels/scattering/amplitude_rays.h"

/* Q vectors a lane, WARPS a block, atoms unrolled, blocks a multiprocessor at least: of the plain kernel and
 * that in double. */
template <int Q, int WARPS_, int UNROLL_, int BLOCKS_> struct DebyeAmplitudeShape {
  static constexpr int VECTORS = Q;
  static constexpr int WARPS = WARPS_;
  static constexpr int UNROLL = UNROLL_;
  static constexpr int BLOCKS = BLOCKS_;
  static constexpr int THREADS = 32 * WARPS;
  static constexpr int TILE = 32 * Q; /* vectors of a block */
};

/* ROWS times eight vectors a warp, of which SOFTWARE times eight get their sines and cosines from the
 * multiply-add pipe, so that it and the special function unit are busy about equally long; WARPS a block,
 * eights of atoms unrolled, blocks a multiprocessor at least: of the kernel by matrices. */
template <int ROWS_, int SOFTWARE_, int WARPS_, int UNROLL_, int BLOCKS_> struct DebyeAmplitudeMatrixShape {
  static constexpr int ROWS = ROWS_;
  static constexpr int SOFTWARE = SOFTWARE_;
  static constexpr int WARPS = WARPS_;
  static constexpr int UNROLL = UNROLL_;
  static constexpr int BLOCKS = BLOCKS_;
  static constexpr int THREADS = 32 * WARPS;
  static constexpr int TILE = 8 * ROWS; /* vectors of a block */
};

/* Entries of the groups' list, all of one group. */
struct DebyeAmplitudeSection {
  uint32_t first, count;
};

struct DebyeAmplitudeLaunch {
  const float *position[3]; /* of each entry, frame after frame */
  const float *weight;      /* of each entry; NULL: 1 */
  size_t n_entries;
  const DebyeAmplitudeSection *sections;
  const double2 *bias; /* of each: what the special function unit is off by in the mean, times the weights */
  unsigned n_sections;
  const double *turns[6]; /* as in DebyeTurnVector, each of n_vectors with zeros to the end of a tile */
  unsigned first_tile, n_tiles;
  double2 *sums; /* [(frame·n_sections + section)·n_tiles·TILE + vector] */
};

/* The float nearest to 2π. The unit multiplies by 1/2π again and cuts the product off: of the floats around
 * this one has the least mean error over a turn (tests/bench/bench_amplitude_shapes). */
#define DEBYE_AMPLITUDE_TURN 6.2831855f

static __device__ __forceinline__ void
debye_fast_sine_cosine(float u, float *sine, float *cosine)
{
  const float angle = u * DEBYE_AMPLITUDE_TURN;
  *sine = __sinf(angle);
  *cosine = __cosf(angle);
}

/* A sum in two floats (Knuth's exact addition). */
struct DebyeTwoFloats {
  float high, low;

  __device__ __forceinline__ void add(float value)
  {
    const float sum = high + value, part = sum - high;
    low += (high - (sum - part)) + (value - part);
    high = sum;
  }

  __device__ __forceinline__ double total() const
  {
    return (double)high + (double)low;
  }
};

/* Where a warp's 32 atoms wait. */
struct DebyeAmplitudeAtoms {
  double2 xy[32];
  double z[32];
  float weight[32];
};

/* Brings up to 32 entries from `first` on; returns how many. */
static __device__ __forceinline__ unsigned
debye_amplitude_bring(const DebyeAmplitudeLaunch &launch, size_t frame, unsigned first, unsigned end,
                      DebyeAmplitudeAtoms *atoms)
{
  const unsigned lane = threadIdx.x % 32, n = end - first < 32 ? end - first : 32;
  __syncwarp();
  if (lane < n) {
    const size_t at = frame * launch.n_entries + first + lane;
    atoms->xy[lane] = make_double2(launch.position[0][at], launch.position[1][at]);
    atoms->z[lane] = launch.position[2][at];
    if (launch.weight != NULL)
      atoms->weight[lane] = launch.weight[first + lane];
  }
  __syncwarp();
  return n;
}

/* The block's warps added, in their order; shared[warp·TILE + vector] has their sums. Vectors from
 * `first_biased` on were summed by the special function unit. */
template <class Shape>
static __device__ __forceinline__ void
debye_amplitude_write(const DebyeAmplitudeLaunch &launch, size_t frame, unsigned section, unsigned tile,
                      const double2 *shared, unsigned first_biased)
{
  __syncthreads();
  double2 *out =
      launch.sums + ((frame * launch.n_sections + section) * launch.n_tiles + tile) * (size_t)Shape::TILE;
  for (unsigned i = threadIdx.x; i < Shape::TILE; i += Shape::THREADS) {
    double2 total = shared[i];
    for (int w = 1; w < Shape::WARPS; w++) {
      total.x += shared[w * Shape::TILE + i].x;
      total.y += shared[w * Shape::TILE + i].y;
    }
    if (i >= first_biased) {
      total.x -= launch.bias[section].x;
      total.y -= launch.bias[section].y;
    }
    out[i] = total;
  }
}

template <int Q, int UNROLL, bool WEIGHTED>
static __device__ __forceinline__ void
debye_amplitude_run(const DebyeAmplitudeAtoms *atoms, unsigned n, const double (&qx)[Q],
                    const double (&qy)[Q], const double (&qz)[Q], float (&real)[Q], float (&imaginary)[Q])
{
#pragma unroll UNROLL
  for (unsigned i = 0; i < n; i++) {
    const double2 xy = atoms->xy[i];
    const double z = atoms->z[i];
#pragma unroll
    for (int j = 0; j < Q; j++) {
      float sine, cosine;
      debye_fast_sine_cosine(
          debye_turn_fraction(fma(qx[j], xy.x, fma(qy[j], xy.y, fma(qz[j], z, DEBYE_TURN_BASE)))), &sine,
          &cosine);
      if (WEIGHTED) {
        real[j] = fmaf(atoms->weight[i], cosine, real[j]);
        imaginary[j] = fmaf(atoms->weight[i], sine, imaginary[j]);
      } else {
        real[j] += cosine;
        imaginary[j] += sine;
      }
    }
  }
}

template <class Shape, bool WEIGHTED>
static __global__ void
__launch_bounds__(Shape::THREADS, Shape::BLOCKS)
    debye_amplitude_plain(const __grid_constant__ DebyeAmplitudeLaunch launch)
{
  constexpr int Q = Shape::VECTORS;
  __shared__ DebyeAmplitudeAtoms waiting[Shape::WARPS];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned tile = blockIdx.x % launch.n_tiles, section = blockIdx.x / launch.n_tiles;
  const size_t frame = blockIdx.y, vector = (size_t)(launch.first_tile + tile) * Shape::TILE + lane;
  const DebyeAmplitudeSection place = launch.sections[section];
  double qx[Q], qy[Q], qz[Q];
  DebyeTwoFloats real[Q] = {}, imaginary[Q] = {};
#pragma unroll
  for (int j = 0; j < Q; j++) {
    qx[j] = launch.turns[0][vector + 32 * j];
    qy[j] = launch.turns[1][vector + 32 * j];
    qz[j] = launch.turns[2][vector + 32 * j];
  }
  const unsigned end = place.first + place.count;
  for (unsigned first = place.first + 32 * warp; first < end; first += Shape::THREADS) {
    const unsigned n = debye_amplitude_bring(launch, frame, first, end, &waiting[warp]);
    float a[Q] = {}, b[Q] = {};
    if (n == 32)
      debye_amplitude_run<Q, Shape::UNROLL, WEIGHTED>(&waiting[warp], 32, qx, qy, qz, a, b);
    else
      debye_amplitude_run<Q, 1, WEIGHTED>(&waiting[warp], n, qx, qy, qz, a, b);
#pragma unroll
    for (int j = 0; j < Q; j++) {
      real[j].add(a[j]);
      imaginary[j].add(b[j]);
    }
  }
  __shared__ double2 sums[Shape::WARPS * Shape::TILE];
#pragma unroll
  for (int j = 0; j < Q; j++)
    sums[warp * Shape::TILE + 32 * j + lane] = make_double2(real[j].total(), imaginary[j].total());
  debye_amplitude_write<Shape>(launch, frame, section, tile, sums, 0);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
/* The product of an 8 × 4 and a 4 × 8 matrix: lane l has row l/4, column l % 4 of the first, row l % 4,
 * column l/4 of the second, and gets row l/4, columns 2(l % 4) and the next, of the product. */
static __device__ __forceinline__ double2
debye_matrix_product(double a, double b)
{
  double2 product;
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %4};"
      : "=d"(product.x), "=d"(product.y)
      : "d"(a), "d"(b), "d"(0.0));
  return product;
}
#else
/* Never launched there. */
static __device__ __forceinline__ double2
debye_matrix_product(double, double)
{
  return make_double2(0.0, 0.0);
}
#endif

constexpr unsigned DEBYE_AMPLITUDE_MATRIX_RUN = 128;

/* Where a warp's atoms wait, as columns of a matrix. */
struct DebyeAmplitudeColumns {
  double2 column[DEBYE_AMPLITUDE_MATRIX_RUN][2]; /* x, y; z, the base */
  float weight[DEBYE_AMPLITUDE_MATRIX_RUN];
};

/* Brings a run of entries from `first` on, and fills it up with atoms of no weight to a multiple of eight,
 * which is returned. */
template <bool WEIGHTED>
static __device__ __forceinline__ unsigned
debye_amplitude_bring_columns(const DebyeAmplitudeLaunch &launch, size_t frame, unsigned first, unsigned end,
                              double base, DebyeAmplitudeColumns *columns)
{
  const unsigned left = end - first,
                 n = left < DEBYE_AMPLITUDE_MATRIX_RUN ? left : DEBYE_AMPLITUDE_MATRIX_RUN;
  const unsigned filled = (n + 7) / 8 * 8;
  __syncwarp();
  for (unsigned i = threadIdx.x % 32; i < filled; i += 32) {
    const size_t at = frame * launch.n_entries + first + (i < n ? i : 0);
    columns->column[i][0] = make_double2(launch.position[0][at], launch.position[1][at]);
    columns->column[i][1] = make_double2(launch.position[2][at], base);
    columns->weight[i] = i >= n ? 0.0f : WEIGHTED ? launch.weight[first + i] : 1.0f;
  }
  __syncwarp();
  return filled;
}

template <class Shape, bool WEIGHTED>
static __device__ __forceinline__ void
debye_amplitude_run_columns(const DebyeAmplitudeColumns *columns, unsigned n,
                            const double (&rows)[Shape::ROWS], float (&real)[Shape::ROWS],
                            float (&imaginary)[Shape::ROWS])
{
  const unsigned lane = threadIdx.x % 32;
  const double *const numbers = (const double *)columns->column;
#pragma unroll(Shape::UNROLL)
  for (unsigned eight = 0; eight < n / 8; eight++) {
    const double column = numbers[32 * eight + lane];
    const float2 weight = ((const float2 *)columns->weight)[4 * eight + lane % 4];
#pragma unroll
    for (int j = 0; j < Shape::ROWS; j++) {
      const double2 turns = debye_matrix_product(rows[j], column);
      float sine[2], cosine[2];
      if (j < Shape::SOFTWARE) {
        debye_turn_sine_cosine(debye_turn_fraction(turns.x), &sine[0], &cosine[0]);
        debye_turn_sine_cosine(debye_turn_fraction(turns.y), &sine[1], &cosine[1]);
      } else {
        debye_fast_sine_cosine(debye_turn_fraction(turns.x), &sine[0], &cosine[0]);
        debye_fast_sine_cosine(debye_turn_fraction(turns.y), &sine[1], &cosine[1]);
      }
      if (WEIGHTED) {
        real[j] = fmaf(weight.y, cosine[1], fmaf(weight.x, cosine[0], real[j]));
        imaginary[j] = fmaf(weight.y, sine[1], fmaf(weight.x, sine[0], imaginary[j]));
      } else {
        real[j] = real[j] + cosine[0] + cosine[1];
        imaginary[j] = imaginary[j] + sine[0] + sine[1];
      }
    }
  }
}

/* The sum over the four lanes that have the same vector. */
static __device__ __forceinline__ double
debye_amplitude_add_lanes(double value)
{
  value += __shfl_xor_sync(0xffffffffu, value, 1);
  return value + __shfl_xor_sync(0xffffffffu, value, 2);
}

template <class Shape, bool WEIGHTED>
static __global__ void
__launch_bounds__(Shape::THREADS, Shape::BLOCKS)
    debye_amplitude_matrix(const __grid_constant__ DebyeAmplitudeLaunch launch)
{
  constexpr int ROWS = Shape::ROWS;
  __shared__ DebyeAmplitudeColumns waiting[Shape::WARPS];
  __shared__ double2 sums[Shape::WARPS * Shape::TILE];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned tile = blockIdx.x % launch.n_tiles, section = blockIdx.x / launch.n_tiles;
  const size_t frame = blockIdx.y, vector = (size_t)(launch.first_tile + tile) * Shape::TILE + lane / 4;
  const DebyeAmplitudeSection place = launch.sections[section];
  double rows[ROWS];
  DebyeTwoFloats real[ROWS] = {}, imaginary[ROWS] = {};
#pragma unroll
  for (int j = 0; j < ROWS; j++)
    rows[j] = lane % 4 < 3 ? launch.turns[lane % 4][vector + 8 * j] : 1.0;
  const unsigned end = place.first + place.count;
  for (unsigned first = place.first + DEBYE_AMPLITUDE_MATRIX_RUN * warp; first < end;
       first += DEBYE_AMPLITUDE_MATRIX_RUN * Shape::WARPS) {
    const unsigned n =
        debye_amplitude_bring_columns<WEIGHTED>(launch, frame, first, end, DEBYE_TURN_BASE, &waiting[warp]);
    float a[ROWS] = {}, b[ROWS] = {};
    if (first + n <= end)
      debye_amplitude_run_columns<Shape, WEIGHTED>(&waiting[warp], n, rows, a, b);
    else
      debye_amplitude_run_columns<Shape, true>(&waiting[warp], n, rows, a, b);
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
      real[j].add(a[j]);
      imaginary[j].add(b[j]);
    }
  }
#pragma unroll
  for (int j = 0; j < ROWS; j++) {
    const double2 sum = make_double2(debye_amplitude_add_lanes(real[j].total()),
                                     debye_amplitude_add_lanes(imaginary[j].total()));
    if (lane % 4 == 0)
      sums[warp * Shape::TILE + 8 * j + lane / 4] = sum;
  }
  debye_amplitude_write<Shape>(launch, frame, section, tile, sums, 8 * Shape::SOFTWARE);
}

/* The double path: one vector a lane, and no special functions. */
template <class Shape>
static __global__ void
__launch_bounds__(Shape::THREADS, Shape::BLOCKS)
    debye_amplitude_double(const __grid_constant__ DebyeAmplitudeLaunch launch)
{
  static_assert(Shape::VECTORS == 1, "one vector a lane");
  __shared__ DebyeAmplitudeAtoms waiting[Shape::WARPS];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned tile = blockIdx.x % launch.n_tiles, section = blockIdx.x / launch.n_tiles;
  const size_t frame = blockIdx.y, vector = (size_t)(launch.first_tile + tile) * Shape::TILE + lane;
  const DebyeAmplitudeSection place = launch.sections[section];
  const DebyeTurnVector q = {launch.turns[0][vector], launch.turns[1][vector], launch.turns[2][vector],
                             launch.turns[3][vector], launch.turns[4][vector], launch.turns[5][vector]};
  double2 sum = make_double2(0.0, 0.0);
  const unsigned end = place.first + place.count;
  for (unsigned first = place.first + 32 * warp; first < end; first += Shape::THREADS) {
    const unsigned n = debye_amplitude_bring(launch, frame, first, end, &waiting[warp]);
#pragma unroll(Shape::UNROLL)
    for (unsigned i = 0; i < n; i++) {
      const double2 xy = waiting[warp].xy[i];
      const double weight = launch.weight != NULL ? (double)waiting[warp].weight[i] : 1.0;
      double sine, cosine;
      debye_exact_sine_cosine(debye_exact_fraction(&q, xy.x, xy.y, waiting[warp].z[i]), &sine, &cosine);
      sum.x = fma(weight, cosine, sum.x);
      sum.y = fma(weight, sine, sum.y);
    }
  }
  __shared__ double2 sums[Shape::WARPS * Shape::TILE];
  sums[warp * Shape::TILE + lane] = sum;
  debye_amplitude_write<Shape>(launch, frame, section, tile, sums, Shape::TILE);
}

/* The sections of each group added, in their order: one thread a vector, a row of blocks a frame and group.
 * Vectors go to their places among all; without any, as they come. */
static __global__ void
debye_amplitude_gather(const double2 *sums, unsigned n_sections, size_t stride, const unsigned *group_section,
                       unsigned n_vectors, const uint32_t *places, size_t out_stride, double2 *out)
{
  const unsigned vector = blockIdx.x * blockDim.x + threadIdx.x, group = blockIdx.y, frame = blockIdx.z;
  if (vector >= n_vectors)
    return;
  const uint32_t place = places != NULL ? places[vector] : vector;
  if (place == DEBYE_RAY_NO_PLACE)
    return;
  double2 total = make_double2(0.0, 0.0);
  for (unsigned s = group_section[group]; s < group_section[group + 1]; s++) {
    const double2 part = sums[((size_t)frame * n_sections + s) * stride + vector];
    total.x += part.x;
    total.y += part.y;
  }
  out[((size_t)frame * gridDim.y + group) * out_stride + place] = total;
}
