/* SPDX-License-Identifier: MIT */
/* Self scattering's fast kernel, for series up to DEBYE_SELF_WARP_FRAMES.
 *
 * A padded series of L = 1024·M points has its spectrum at the points r + M·k by one transform of 1,024 for
 * each residue r: of the points t + 1024·s, turned by −r·(t + 1024·s)/L and summed over s. Turning costs
 * nothing, because it is added to the phase. So neither phases nor spectra are ever in the device's memory: a
 * warp computes an atom's phases, transforms them (32 points a lane, a table of twiddles, one exchange
 * through shared memory, 32 points a lane again), and adds the squares to sums that stay in its registers
 * from atom to atom.
 *
 * A phase is three multiply-adds in double that leave its fraction in the lowest bits, and those, an integer
 * that wraps by itself, are the angle. */
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

#include "series_block.cuh"

#define DEBYE_SELF_POINTS 1024
#define DEBYE_SELF_WARP_FRAMES 4096
/* Adding it leaves 30 bits of the fraction of a turn. */
#define DEBYE_SELF_MAGIC 0x1.8p22

struct DebyeSelfLaunch {
  const float *position[3]; /* [atom·row + frame] */
  size_t row;
  unsigned n_frames, n_residues;
  const float *weight;            /* |b|² of each atom */
  const DebyeSeriesPiece *pieces; /* whose spectra are summed in float */
  unsigned n_pieces;
  const double *turns; /* q/2π, three a vector */
  unsigned n_vectors;
  const float2 *twiddles; /* [k][lane]: exp(−2πi k·lane/1024) */
  float *sums;            /* [vector][piece][residue][1024] */
  /* Where fq2 is wanted: */
  const float2 *mean_weights; /* [residue][1024] */
  float2 *means;              /* [vector][residue][atom] */
  size_t n_atoms;
};

/* exp(−2πi k/32). */
static __device__ constexpr float debye_self_cosine[16] = {
    1.0f, 0.98078528f,  0.92387953f,  0.83146961f,  0.70710678f,  0.55557023f,  0.38268343f,  0.19509032f,
    0.0f, -0.19509032f, -0.38268343f, -0.55557023f, -0.70710678f, -0.83146961f, -0.92387953f, -0.98078528f,
};
static __device__ constexpr float debye_self_sine[16] = {
    0.0f,  -0.19509032f, -0.38268343f, -0.55557023f, -0.70710678f, -0.83146961f, -0.92387953f, -0.98078528f,
    -1.0f, -0.98078528f, -0.92387953f, -0.83146961f, -0.70710678f, -0.55557023f, -0.38268343f, -0.19509032f,
};

static __host__ __device__ constexpr int
debye_self_reverse(int k)
{
  return (k & 1) << 4 | (k & 2) << 2 | (k & 4) | (k & 8) >> 2 | (k & 16) >> 4;
}

/* v·exp(−2πi K/32), by as few operations as K allows. */
template <int K>
static __device__ __forceinline__ float2
debye_self_turn(float2 v)
{
  constexpr float half = 0.70710678f;
  if (K == 0)
    return v;
  if (K == 8)
    return make_float2(v.y, -v.x);
  if (K == 4)
    return make_float2(half * (v.x + v.y), half * (v.y - v.x));
  if (K == 12)
    return make_float2(half * (v.y - v.x), -half * (v.x + v.y));
  constexpr float c = debye_self_cosine[K], s = debye_self_sine[K];
  return make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
}

/* One butterfly of a stage, the stage, and all five: the output's order is that of reversed bits. */
template <int HALF, int I>
static __device__ __forceinline__ void
debye_self_butterflies(float2 *v)
{
  if constexpr (I < 16) {
    constexpr int low = I / HALF * 2 * HALF + I % HALF, high = low + HALF;
    const float2 a = v[low], b = v[high];
    v[low] = make_float2(a.x + b.x, a.y + b.y);
    v[high] = debye_self_turn<I % HALF *(16 / HALF)>(make_float2(a.x - b.x, a.y - b.y));
    debye_self_butterflies<HALF, I + 1>(v);
  }
}

static __device__ __forceinline__ void
debye_self_transform32(float2 *v)
{
  debye_self_butterflies<16, 0>(v);
  debye_self_butterflies<8, 0>(v);
  debye_self_butterflies<4, 0>(v);
  debye_self_butterflies<2, 0>(v);
  debye_self_butterflies<1, 0>(v);
}

/* 1,024 points: v[j] is point lane + 32·j, and comes back as point lane + 32·k at v[reverse(k)]. */
static __device__ __forceinline__ void
debye_self_transform1024(float2 *v, const float2 *twiddles, float2 *exchange, unsigned lane)
{
  debye_self_transform32(v);
#pragma unroll
  for (int k = 0; k < 32; k++) {
    const float2 value = v[debye_self_reverse(k)], w = twiddles[32 * k + lane];
    exchange[32 * k + (lane ^ k)] = make_float2(value.x * w.x - value.y * w.y, value.x * w.y + value.y * w.x);
  }
  __syncwarp();
#pragma unroll
  for (int l = 0; l < 32; l++)
    v[l] = exchange[32 * lane + (l ^ lane)];
  __syncwarp();
  debye_self_transform32(v);
}

/* The phase turned by −residue·t/L, in 2⁻³² turns. */
static __device__ __forceinline__ float2
debye_self_phase(const float *x, const float *y, const float *z, size_t place, const double q[3],
                 unsigned back)
{
  const double phase =
      fma(q[0], (double)x[place], fma(q[1], (double)y[place], fma(q[2], (double)z[place], DEBYE_SELF_MAGIC)));
  const int fraction = (int)(((unsigned)__double2loint(phase) << 2) - back);
  const float angle = (float)fraction * 1.4629181e-9f; /* 2π/2³² */
  return make_float2(__cosf(angle), __sinf(angle));
}

template <bool LONG>
static __device__ __forceinline__ void
debye_self_load(const DebyeSelfLaunch &launch, size_t start, const double q[3], unsigned step, unsigned lane,
                float2 *v)
{
  const float *x = launch.position[0] + start, *y = launch.position[1] + start,
              *z = launch.position[2] + start;
#pragma unroll
  for (int j = 0; j < 32; j++) {
    const unsigned t = lane + 32 * j;
    v[j] = make_float2(0.0f, 0.0f);
    if (t < launch.n_frames)
      v[j] = debye_self_phase(x, y, z, t, q, step * t);
  }
  if (LONG)
    for (unsigned first = DEBYE_SELF_POINTS; first < launch.n_frames; first += DEBYE_SELF_POINTS)
#pragma unroll
      for (int j = 0; j < 32; j++) {
        const unsigned t = first + lane + 32 * j;
        if (t < launch.n_frames) {
          const float2 more = debye_self_phase(x, y, z, t, q, step * t);
          v[j] = make_float2(v[j].x + more.x, v[j].y + more.y);
        }
      }
}

/* A warp for each piece, vector and residue, those of one piece together: its atoms' places are then read
 * once. */
template <int WARPS, int BLOCKS, bool LONG, bool ELASTIC>
static __global__ void __launch_bounds__(32 * WARPS, BLOCKS) debye_self_spectra(const DebyeSelfLaunch launch)
{
  extern __shared__ float2 debye_self_shared[];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float2 *twiddles = debye_self_shared,
         *exchange = debye_self_shared + DEBYE_SELF_POINTS + warp * DEBYE_SELF_POINTS;
  for (unsigned i = threadIdx.x; i < DEBYE_SELF_POINTS; i += 32 * WARPS)
    twiddles[i] = launch.twiddles[i];
  __syncthreads();
  const unsigned n_items = launch.n_vectors * launch.n_residues, number = blockIdx.x * WARPS + warp;
  const unsigned place = number / n_items, item = number % n_items;
  const unsigned vector = item / launch.n_residues, residue = item % launch.n_residues;
  if (place >= launch.n_pieces)
    return;
  const double q[3] = {launch.turns[3 * vector], launch.turns[3 * vector + 1], launch.turns[3 * vector + 2]};
  const unsigned step = residue * (unsigned)((1ull << 32) / DEBYE_SELF_POINTS / launch.n_residues);
  const DebyeSeriesPiece piece = launch.pieces[place];
  float sum[32];
#pragma unroll
  for (int k = 0; k < 32; k++)
    sum[k] = 0.0f;
  for (uint32_t atom = piece.first; atom < piece.first + piece.count; atom++) {
    float2 v[32];
    debye_self_load<LONG>(launch, atom * launch.row, q, step, lane, v);
    debye_self_transform1024(v, twiddles, exchange, lane);
    const float weight = launch.weight[atom];
    float re = 0.0f, im = 0.0f;
#pragma unroll
    for (int k = 0; k < 32; k++) {
      const float2 value = v[debye_self_reverse(k)];
      const float power = value.x * value.x + value.y * value.y;
      sum[k] += weight * power;
      if (ELASTIC) {
        const float2 w = launch.mean_weights[residue * DEBYE_SELF_POINTS + 32 * k + lane];
        re += power * w.x;
        im += power * w.y;
      }
    }
    if (ELASTIC) {
      for (int width = 16; width > 0; width /= 2) {
        re += __shfl_xor_sync(0xffffffffu, re, width);
        im += __shfl_xor_sync(0xffffffffu, im, width);
      }
      if (lane == 0)
        launch.means[((size_t)vector * launch.n_residues + residue) * launch.n_atoms + atom] =
            make_float2(re, im);
    }
  }
  float *out = launch.sums +
               (((size_t)vector * launch.n_pieces + place) * launch.n_residues + residue) * DEBYE_SELF_POINTS;
#pragma unroll
  for (int k = 0; k < 32; k++)
    out[32 * k + lane] = sum[k];
}

static inline size_t
debye_self_shared_bytes(int warps)
{
  return (size_t)(1 + warps) * DEBYE_SELF_POINTS * sizeof(float2);
}
