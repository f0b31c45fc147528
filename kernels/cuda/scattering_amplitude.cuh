/* SPDX-License-Identifier: MIT */
/* The amplitudes' kernels.
 *
 * A warp holds 32·Q vectors, Q a lane, and goes through its share of a section's atoms: 32 at a time are put
 * into shared memory, from where all lanes read the same one. A term costs three multiply-adds in double for
 * the phase, which the pipe in double has time for, two instructions that make its fraction a float, and one
 * sine and one cosine by the special function unit, which is the limit: 16 values a clock and multiprocessor.
 * 32 terms are summed in one float, and these sums in two floats that keep what the addition loses. The warps
 * of a block share its section, and are added at the end. */
#pragma once

#include "kernels/amplitude_math.h"

/* Q vectors a lane, WARPS a block, atoms unrolled, blocks a multiprocessor at least. */
template <int Q, int WARPS_, int UNROLL_, int BLOCKS_> struct DebyeAmplitudeShape {
  static constexpr int VECTORS = Q;
  static constexpr int WARPS = WARPS_;
  static constexpr int UNROLL = UNROLL_;
  static constexpr int BLOCKS = BLOCKS_;
  static constexpr int THREADS = 32 * WARPS;
  static constexpr int TILE = 32 * Q; /* vectors of a block */
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
  unsigned n_sections;
  const double *turns[6]; /* as in DebyeTurnVector, each of n_vectors with zeros to the end of a tile */
  unsigned first_tile, n_tiles;
  double2 *sums; /* [(frame·n_sections + section)·n_tiles·TILE + vector] */
};

/* The nearest float to 2π, and a hair more: the unit multiplies by 1/2π again and cuts the product off, and
 * so that cutting does not make all phases smaller. */
#ifndef DEBYE_AMPLITUDE_TURN
#define DEBYE_AMPLITUDE_TURN 6.2831855f
#endif

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

/* The block's warps added, in their order. */
template <class Shape>
static __device__ __forceinline__ void
debye_amplitude_write(const DebyeAmplitudeLaunch &launch, size_t frame, unsigned section, unsigned tile,
                      const double2 (&sum)[Shape::VECTORS])
{
  __shared__ double2 shared[Shape::WARPS][Shape::TILE];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int j = 0; j < Shape::VECTORS; j++)
    shared[warp][32 * j + lane] = sum[j];
  __syncthreads();
  double2 *out =
      launch.sums + ((frame * launch.n_sections + section) * launch.n_tiles + tile) * (size_t)Shape::TILE;
  for (unsigned i = threadIdx.x; i < Shape::TILE; i += Shape::THREADS) {
    double2 total = shared[0][i];
    for (int w = 1; w < Shape::WARPS; w++) {
      total.x += shared[w][i].x;
      total.y += shared[w][i].y;
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
    debye_amplitude_float(const __grid_constant__ DebyeAmplitudeLaunch launch)
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
  double2 sum[Q];
#pragma unroll
  for (int j = 0; j < Q; j++)
    sum[j] = make_double2((double)real[j].high + (double)real[j].low,
                          (double)imaginary[j].high + (double)imaginary[j].low);
  debye_amplitude_write<Shape>(launch, frame, section, tile, sum);
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
  double2 sum[1] = {};
  const unsigned end = place.first + place.count;
  for (unsigned first = place.first + 32 * warp; first < end; first += Shape::THREADS) {
    const unsigned n = debye_amplitude_bring(launch, frame, first, end, &waiting[warp]);
#pragma unroll(Shape::UNROLL)
    for (unsigned i = 0; i < n; i++) {
      const double2 xy = waiting[warp].xy[i];
      const double weight = launch.weight != NULL ? (double)waiting[warp].weight[i] : 1.0;
      double sine, cosine;
      debye_exact_sine_cosine(debye_exact_fraction(&q, xy.x, xy.y, waiting[warp].z[i]), &sine, &cosine);
      sum[0].x = fma(weight, cosine, sum[0].x);
      sum[0].y = fma(weight, sine, sum[0].y);
    }
  }
  debye_amplitude_write<Shape>(launch, frame, section, tile, sum);
}

/* The sections of each group added, in their order: one thread a vector, a row of blocks a frame and group.
 * `bias` is what each unit of weight is off by. */
static __global__ void
debye_amplitude_gather(const double2 *sums, unsigned n_sections, size_t stride, const unsigned *group_section,
                       const double2 *bias, unsigned n_vectors, size_t out_stride, double2 *out)
{
  const unsigned vector = blockIdx.x * blockDim.x + threadIdx.x, group = blockIdx.y, frame = blockIdx.z;
  if (vector >= n_vectors)
    return;
  double2 total = make_double2(-bias[group].x, -bias[group].y);
  for (unsigned s = group_section[group]; s < group_section[group + 1]; s++) {
    const double2 part = sums[((size_t)frame * n_sections + s) * stride + vector];
    total.x += part.x;
    total.y += part.y;
  }
  out[((size_t)frame * gridDim.y + group) * out_stride + vector] = total;
}
