/* SPDX-License-Identifier: MIT */
/* Self scattering's fast kernel, for series up to DEBYE_SELF_WARP_FRAMES.
 *
 * A padded series of L = 1024·R points has its spectrum at the points r + R·k by one transform of 1,024 for
 * each residue r: of the points t + 1024·s, turned by −r·(t + 1024·s)/L and summed over s. Turning costs
 * nothing, because it is added to the phase. So neither phases nor spectra are ever in the device's memory: a
 * warp computes an atom's phases, transforms them (self_transform.cuh), and adds the squares to sums that it
 * keeps from atom to atom.
 *
 * Phases, their cosines and sines take as long as a transform. A pair of warps shares them: that of residues
 * r and r + R/2, whose points differ by half a turn in 1,024 points only, by which the second's transform is
 * shifted, and by a sign every 1,024 frames.
 *
 * A phase is three multiply-adds in double that leave its fraction in the lowest bits, and those, an integer
 * that wraps by itself, are the angle. */
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

#include "self_transform.cuh"
#include "series_block.cuh"

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
  const float4 *twiddles; /* as debye_self_fill_twiddles has them */
  float *sums;            /* [vector][piece][residue][1024] */
  /* Where fq2 is wanted: */
  const float2 *mean_weights; /* [residue][1024] */
  float2 *means;              /* [vector][residue][atom] */
  size_t n_atoms;
};

/* q·r in 2⁻³² turns. */
static __device__ __forceinline__ unsigned
debye_self_turns(const float *x, const float *y, const float *z, size_t place, const double q[3])
{
  const double phase =
      fma(q[0], (double)x[place], fma(q[1], (double)y[place], fma(q[2], (double)z[place], DEBYE_SELF_MAGIC)));
  return (unsigned)__double2loint(phase) << 2;
}

/* exp(i·angle) of an angle in 2⁻³² turns. */
static __device__ __forceinline__ float2
debye_self_point(unsigned turns)
{
  const float angle = (float)(int)turns * 1.4629181e-9f; /* 2π/2³² */
  return make_float2(__cosf(angle), __sinf(angle));
}

/* What a warp computes for one piece of the atoms. */
struct DebyeSelfWork {
  unsigned vector, residue;
  unsigned step;        /* in 2⁻³² turns a frame, by which its points are turned back */
  unsigned second;      /* 1 of the second warp of a pair */
  unsigned pair;        /* of the block */
  float4 *own;          /* in shared memory */
  const float4 *others; /* the other's of the pair */
  const float4 *twiddles;
};

/* Waits for the other warp of a pair. */
static __device__ __forceinline__ void
debye_self_meet(const DebyeSelfWork &work)
{
  asm volatile("bar.sync %0, 64;" ::"r"(work.pair + 1) : "memory");
}

/* Eight points 32 apart, from t of the lane on; those behind the last frame are 0. */
template <bool TURNED>
static __device__ __forceinline__ void
debye_self_load(const DebyeSelfLaunch &launch, size_t start, unsigned t, const double q[3], unsigned step,
                float2 *v)
{
  const float *const x = launch.position[0], *const y = launch.position[1], *const z = launch.position[2];
  const size_t place = start + t; /* and what is added to it a constant of the load */
  const unsigned back = TURNED ? step * t : 0, more = TURNED ? 32 * step : 0;
  const int left = (int)launch.n_frames - (int)t;
  unsigned turns[8];
  if (left + (int)(threadIdx.x % 32) >= 256) {
#pragma unroll
    for (int i = 0; i < 8; i++)
      turns[i] = debye_self_turns(x, y, z, place + 32 * i, q);
#pragma unroll
    for (int i = 0; i < 8; i++)
      v[i] = debye_self_point(turns[i] - back - more * i);
  } else {
#pragma unroll
    for (int i = 0; i < 8; i++)
      turns[i] = 32 * i < left ? debye_self_turns(x, y, z, place + 32 * i, q) : 0;
#pragma unroll
    for (int i = 0; i < 8; i++)
      v[i] = 32 * i < left ? debye_self_point(turns[i] - back - more * i) : make_float2(0.0f, 0.0f);
  }
}

/* Gives the pair's other warp 16 points, and takes its. */
template <class Take>
static __device__ __forceinline__ void
debye_self_share(const DebyeSelfWork &work, const float2 *points, Take take)
{
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < 8; i++)
    work.own[32 * i + lane] =
        make_float4(points[2 * i].x, points[2 * i].y, points[2 * i + 1].x, points[2 * i + 1].y);
  debye_self_meet(work);
#pragma unroll
  for (int i = 0; i < 8; i++) {
    const float4 two = work.others[32 * i + lane];
    take(2 * i, make_float2(two.x, two.y));
    take(2 * i + 1, make_float2(two.z, two.w));
  }
  debye_self_meet(work);
}

/* An atom's points for a pair of warps, each of which computes half of them. The second has its own first,
 * from 512 on, so that the others, 1,024 points before those that would follow, are negative to it. */
template <bool LONG>
static __device__ __forceinline__ void
debye_self_load_pair(const DebyeSelfLaunch &launch, const DebyeSelfWork &work, size_t start,
                     const double q[3], float2 *v)
{
  const unsigned t = 512 * work.second + threadIdx.x % 32;
  debye_self_load<LONG>(launch, start, t, q, work.step, v);
  debye_self_load<LONG>(launch, start, t + 256, q, work.step, v + 8);
  debye_self_share(work, v, [v](int i, float2 point) { v[16 + i] = point; });
  float sign = 1.0f;
  for (unsigned begin = DEBYE_SELF_POINTS; LONG && begin < launch.n_frames; begin += DEBYE_SELF_POINTS) {
    float2 points[16];
    sign = work.second ? -sign : sign;
    const auto add = [v, sign](int i, float2 point) {
      v[i] = make_float2(fmaf(sign, point.x, v[i].x), fmaf(sign, point.y, v[i].y));
    };
    debye_self_load<LONG>(launch, start, begin + t, q, work.step, points);
    debye_self_load<LONG>(launch, start, begin + t + 256, q, work.step, points + 8);
#pragma unroll
    for (int i = 0; i < 16; i++)
      add(i, points[i]);
    debye_self_share(work, points, [add](int i, float2 point) { add(16 + i, point); });
  }
}

/* The same for a warp alone, of at most 512 frames. */
static __device__ __forceinline__ void
debye_self_load_alone(const DebyeSelfLaunch &launch, size_t start, const double q[3], float2 *v)
{
  const unsigned t = threadIdx.x % 32;
  debye_self_load<false>(launch, start, t, q, 0, v);
  debye_self_load<false>(launch, start, t + 256, q, 0, v + 8);
#pragma unroll
  for (int i = 16; i < 32; i++)
    v[i] = make_float2(0.0f, 0.0f);
}

/* A warp's sums of |value|², in the order of its values: in registers, or where it needs those, SHARED. */
template <bool SHARED> struct DebyeSelfSums {
  float4 own[8];
  float4 *place;

  __device__ __forceinline__ float4 get(int i) const
  {
    return SHARED ? place[32 * i] : own[i];
  }
  __device__ __forceinline__ void set(int i, float4 sums)
  {
    if (SHARED)
      place[32 * i] = sums;
    else
      own[i] = sums;
  }
};

static __device__ __forceinline__ float
debye_self_power(float2 value, float sum)
{
  return fmaf(value.x, value.x, fmaf(value.y, value.y, sum));
}

/* Adds an atom, of the weight that sums are in units of. */
template <bool SHARED>
static __device__ __forceinline__ void
debye_self_add(const float2 *v, DebyeSelfSums<SHARED> *sums)
{
#pragma unroll
  for (int i = 0; i < 8; i++) {
    const float4 s = sums->get(i);
    const float2 *const each = v + 4 * i;
    sums->set(i, make_float4(debye_self_power(each[0], s.x), debye_self_power(each[1], s.y),
                             debye_self_power(each[2], s.z), debye_self_power(each[3], s.w)));
  }
}

/* Adds a share of an atom. Returns Σ power·W over its points where fq2 is wanted. */
template <bool SHARED, bool ELASTIC>
static __device__ __forceinline__ float2
debye_self_add_share(const float2 *v, float share, const float2 *mean_weights, DebyeSelfSums<SHARED> *sums)
{
  float2 mean = make_float2(0.0f, 0.0f);
#pragma unroll
  for (int i = 0; i < 8; i++) {
    const float4 s = sums->get(i);
    float power[4];
#pragma unroll
    for (int j = 0; j < 4; j++) {
      power[j] = debye_self_power(v[4 * i + j], 0.0f);
      if (ELASTIC) {
        const float2 w = mean_weights[32 * debye_self_reverse(4 * i + j) + threadIdx.x % 32];
        mean = make_float2(mean.x + power[j] * w.x, mean.y + power[j] * w.y);
      }
    }
    sums->set(i, make_float4(s.x + share * power[0], s.y + share * power[1], s.z + share * power[2],
                             s.w + share * power[3]));
  }
  for (int width = 16; ELASTIC && width > 0; width /= 2) {
    mean.x += __shfl_xor_sync(0xffffffffu, mean.x, width);
    mean.y += __shfl_xor_sync(0xffffffffu, mean.y, width);
  }
  return mean;
}

/* Shared memory: twiddles, what each warp exchanges through, and its sums. */
static constexpr size_t
debye_self_shared_bytes(int warps, bool shared)
{
  return sizeof(float4) *
         (DEBYE_SELF_TABLE + warps * (size_t)(DEBYE_SELF_EXCHANGE + (shared ? DEBYE_SELF_POINTS / 4 : 0)));
}

template <int WARPS, bool PAIRED>
static __device__ __forceinline__ DebyeSelfWork
debye_self_work(const DebyeSelfLaunch &launch, float4 *shared, unsigned item)
{
  const unsigned warp = threadIdx.x / 32, place = item % launch.n_residues;
  float4 *const exchanges = shared + DEBYE_SELF_TABLE;
  DebyeSelfWork work;
  work.vector = item / launch.n_residues;
  work.pair = warp / 2;
  work.second = PAIRED ? place % 2 : 0;
  const unsigned turned = PAIRED ? place / 2 : place;
  work.residue = turned + work.second * (launch.n_residues / 2);
  work.step = turned * (unsigned)((1ull << 32) / DEBYE_SELF_POINTS / launch.n_residues);
  work.own = exchanges + warp * DEBYE_SELF_EXCHANGE;
  work.others = exchanges + (warp ^ 1) * DEBYE_SELF_EXCHANGE;
  work.twiddles = shared + work.second * (DEBYE_SELF_TABLE / 2);
  return work;
}

/* A warp for each piece, vector and residue, those of one piece together: its atoms' places are then read
 * once. PAIRED: there is an even number of residues. */
template <int WARPS, int BLOCKS, bool PAIRED, bool LONG, bool ELASTIC, bool SHARED>
static __global__ void __launch_bounds__(32 * WARPS, BLOCKS) debye_self_spectra(const DebyeSelfLaunch launch)
{
  extern __shared__ float4 debye_self_shared[];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (unsigned i = threadIdx.x; i < DEBYE_SELF_TABLE; i += 32 * WARPS)
    debye_self_shared[i] = launch.twiddles[i];
  __syncthreads();
  const unsigned n_items = launch.n_vectors * launch.n_residues, number = blockIdx.x * WARPS + warp;
  const unsigned place = number / n_items;
  if (place >= launch.n_pieces)
    return;
  const DebyeSelfWork work = debye_self_work<WARPS, PAIRED>(launch, debye_self_shared, number % n_items);
  const DebyeSeriesPiece piece = launch.pieces[place];
  float unit = 0.0f; /* of the sums: the greatest weight, which atoms of a piece often share */
  for (uint32_t atom = piece.first; atom < piece.first + piece.count; atom++)
    unit = fmaxf(unit, launch.weight[atom]);
  DebyeSelfSums<SHARED> sums;
  sums.place = debye_self_shared + DEBYE_SELF_TABLE + WARPS * DEBYE_SELF_EXCHANGE +
               warp * (DEBYE_SELF_POINTS / 4) + lane;
#pragma unroll
  for (int i = 0; i < 8; i++)
    sums.set(i, make_float4(0.0f, 0.0f, 0.0f, 0.0f));
  for (uint32_t atom = piece.first; atom < piece.first + piece.count; atom++) {
    float2 v[32];
    /* Again for each atom: registers are few. */
    const double *const turns = launch.turns + 3 * work.vector;
    const double q[3] = {turns[0], turns[1], turns[2]};
    if (PAIRED)
      debye_self_load_pair<LONG>(launch, work, atom * launch.row, q, v);
    else
      debye_self_load_alone(launch, atom * launch.row, q, v);
    debye_self_transform1024(v, work.second, work.twiddles, (float *)work.own);
    const float weight = launch.weight[atom];
    if (!ELASTIC && weight == unit) {
      debye_self_add(v, &sums);
    } else {
      const float2 mean = debye_self_add_share<SHARED, ELASTIC>(
          v, unit > 0.0f ? weight / unit : 0.0f, launch.mean_weights + work.residue * DEBYE_SELF_POINTS,
          &sums);
      if (ELASTIC && lane == 0)
        launch.means[((size_t)work.vector * launch.n_residues + work.residue) * launch.n_atoms + atom] = mean;
    }
  }
  float *const out =
      launch.sums + (((size_t)work.vector * launch.n_pieces + place) * launch.n_residues + work.residue) *
                        DEBYE_SELF_POINTS;
#pragma unroll
  for (int i = 0; i < 8; i++) {
    const float4 s = sums.get(i);
    const float each[4] = {s.x, s.y, s.z, s.w};
#pragma unroll
    for (int j = 0; j < 4; j++)
      out[32 * debye_self_reverse(4 * i + j) + lane] = unit * each[j];
  }
}
