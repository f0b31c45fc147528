/* SPDX-License-Identifier: MIT */
/* 1,024 points transformed by a warp: 32 points a lane, an exchange through shared memory, 32 points again.
 *
 * A butterfly a ± w·b is six multiply-adds: four for a + w·b, and 2·a less that. The twiddles between both halves
 * are in the second's butterflies, where they cost nothing: sixteen a lane, the others being those by −i. */
#pragma once

#include <cuda_runtime.h>
#include <math.h>

#define DEBYE_SELF_POINTS 1024
/* Of each lane. */
#define DEBYE_SELF_TWIDDLES 16
/* In shared memory, in 16 bytes each: unshifted twiddles, and shifted ones; and what a warp exchanges through. */
#define DEBYE_SELF_TABLE (2 * 32 * DEBYE_SELF_TWIDDLES / 2)
#define DEBYE_SELF_EXCHANGE (32 * 9)

static __host__ __device__ constexpr int
debye_self_reverse(int k)
{
  return (k & 1) << 4 | (k & 2) << 2 | (k & 4) | (k & 8) >> 2 | (k & 16) >> 4;
}

/* Of n numbers, a power of two. */
static __host__ __device__ constexpr int
debye_self_reverse_below(int k, int n)
{
  return debye_self_reverse(k) * n / 32;
}

/* exp(−2πi k/64). */
static __device__ constexpr float debye_self_cosine[32] = {
    1.0f,         0.99518473f,  0.98078528f,  0.95694034f,  0.92387953f,  0.88192126f,  0.83146961f,
    0.77301045f,  0.70710678f,  0.63439328f,  0.55557023f,  0.47139674f,  0.38268343f,  0.29028468f,
    0.19509032f,  0.09801714f,  0.0f,         -0.09801714f, -0.19509032f, -0.29028468f, -0.38268343f,
    -0.47139674f, -0.55557023f, -0.63439328f, -0.70710678f, -0.77301045f, -0.83146961f, -0.88192126f,
    -0.92387953f, -0.95694034f, -0.98078528f, -0.99518473f,
};
static __device__ constexpr float debye_self_sine[32] = {
    0.0f,         -0.09801714f, -0.19509032f, -0.29028468f, -0.38268343f, -0.47139674f, -0.55557023f,
    -0.63439328f, -0.70710678f, -0.77301045f, -0.83146961f, -0.88192126f, -0.92387953f, -0.95694034f,
    -0.98078528f, -0.99518473f, -1.0f,        -0.99518473f, -0.98078528f, -0.95694034f, -0.92387953f,
    -0.88192126f, -0.83146961f, -0.77301045f, -0.70710678f, -0.63439328f, -0.55557023f, -0.47139674f,
    -0.38268343f, -0.29028468f, -0.19509032f, -0.09801714f,
};

/* a, b = a ± w·b. */
static __device__ __forceinline__ void
debye_self_butterfly(float2 *a, float2 *b, float2 w)
{
  const float2 sum =
      make_float2(fmaf(-w.y, b->y, fmaf(w.x, b->x, a->x)), fmaf(w.y, b->x, fmaf(w.x, b->y, a->y)));
  *b = make_float2(fmaf(2.0f, a->x, -sum.x), fmaf(2.0f, a->y, -sum.y));
  *a = sum;
}

/* The first 32 points: butterfly I of the stage whose points are HALF apart. Where they are SHIFTed by half a frequency,
 * the second 16 points are given negative. */
template <int HALF, int I, int SHIFT>
static __device__ __forceinline__ void
debye_self_first(float2 *v)
{
  if constexpr (I < 16) {
    constexpr int low = I / HALF * 2 * HALF + I % HALF, high = low + HALF;
    constexpr int turn = (2 * debye_self_reverse_below(I / HALF, 16 / HALF) + SHIFT) * HALF;
    constexpr bool negative = SHIFT > 0 && HALF == 16;
    const float2 a = v[low], b = v[high];
    if constexpr (turn == 0) {
      v[low] = make_float2(a.x + b.x, a.y + b.y);
      v[high] = make_float2(a.x - b.x, a.y - b.y);
    } else if constexpr (negative) {
      v[low] = make_float2(a.x - b.y, a.y + b.x);
      v[high] = make_float2(a.x + b.y, a.y - b.x);
    } else if constexpr (turn == 16) {
      v[low] = make_float2(a.x + b.y, a.y - b.x);
      v[high] = make_float2(a.x - b.y, a.y + b.x);
    } else {
      constexpr float c = debye_self_cosine[turn], s = debye_self_sine[turn];
      debye_self_butterfly(v + low, v + high, make_float2(c, s));
    }
    debye_self_first<HALF, I + 1, SHIFT>(v);
  }
}

/* The second 32: the stage's butterflies with its twiddle number K, which is w, and those with −i·w. */
template <int HALF, int K>
static __device__ __forceinline__ void
debye_self_second(float2 *v, float2 w)
{
  constexpr int n = 16 / HALF, even = debye_self_reverse_below(K, n);
#pragma unroll
  for (int i = 0; i < HALF; i++)
    debye_self_butterfly(v + even * 2 * HALF + i, v + even * 2 * HALF + i + HALF, w);
  if constexpr (n > 1) {
    constexpr int odd = debye_self_reverse_below(K + n / 2, n);
#pragma unroll
    for (int i = 0; i < HALF; i++)
      debye_self_butterfly(v + odd * 2 * HALF + i, v + odd * 2 * HALF + i + HALF, make_float2(w.y, -w.x));
  }
}

/* Lane `lane` multiplies by W^(h·(lane + shift/2 + 32·k)), W = exp(−2πi/1024), in the stage h = 16/n, with number
 * n/2 + k for k < n/2, or 0: the power of that number, in halves. */
static inline unsigned
debye_self_twiddle_power(int number, int lane, int shift)
{
  int n = 1;
  while (n <= number)
    n *= 2;
  const int half = 16 / n, k = n > 1 ? number - n / 2 : 0;
  return (unsigned)(half * (2 * (lane + 32 * k) + shift)) % (2 * DEBYE_SELF_POINTS);
}

/* The tables that are in shared memory: for shifts of 0 and 1, of two numbers after the other each lane's. */
static inline void
debye_self_fill_twiddles(float2 *table)
{
  for (int shift = 0; shift < 2; shift++)
    for (int number = 0; number < DEBYE_SELF_TWIDDLES; number++)
      for (int lane = 0; lane < 32; lane++) {
        const double angle =
            debye_self_twiddle_power(number, lane, shift) * (3.14159265358979323846 / DEBYE_SELF_POINTS);
        table[((shift * DEBYE_SELF_TWIDDLES + number) / 2 * 32 + lane) * 2 + number % 2] =
            make_float2((float)cos(angle), -(float)sin(angle));
      }
}

template <int SHIFT>
static __device__ __forceinline__ void
debye_self_transform_first(float2 *v)
{
  debye_self_first<16, 0, SHIFT>(v);
  debye_self_first<8, 0, SHIFT>(v);
  debye_self_first<4, 0, SHIFT>(v);
  debye_self_first<2, 0, SHIFT>(v);
  debye_self_first<1, 0, SHIFT>(v);
}

/* The lane's twiddles are 32 apart, two together. */
static __device__ __forceinline__ void
debye_self_transform_second(float2 *v, const float4 *twiddles)
{
  const float4 a = twiddles[0];
  debye_self_second<16, 0>(v, make_float2(a.x, a.y));
  debye_self_second<8, 0>(v, make_float2(a.z, a.w));
  const float4 b = twiddles[32];
  debye_self_second<4, 0>(v, make_float2(b.x, b.y));
  debye_self_second<4, 1>(v, make_float2(b.z, b.w));
  const float4 c = twiddles[64], d = twiddles[96];
  debye_self_second<2, 0>(v, make_float2(c.x, c.y));
  debye_self_second<2, 1>(v, make_float2(c.z, c.w));
  debye_self_second<2, 2>(v, make_float2(d.x, d.y));
  debye_self_second<2, 3>(v, make_float2(d.z, d.w));
  const float4 e = twiddles[128], f = twiddles[160];
  debye_self_second<1, 0>(v, make_float2(e.x, e.y));
  debye_self_second<1, 1>(v, make_float2(e.z, e.w));
  debye_self_second<1, 2>(v, make_float2(f.x, f.y));
  debye_self_second<1, 3>(v, make_float2(f.z, f.w));
  const float4 g = twiddles[192], h = twiddles[224];
  debye_self_second<1, 4>(v, make_float2(g.x, g.y));
  debye_self_second<1, 5>(v, make_float2(g.z, g.w));
  debye_self_second<1, 6>(v, make_float2(h.x, h.y));
  debye_self_second<1, 7>(v, make_float2(h.z, h.w));
}

/* Point k of lane l becomes point l of lane k, real parts first. Between the rows that lanes read are 16 bytes, so
 * that eight lanes read from all banks. */
static __device__ __forceinline__ void
debye_self_exchange(float2 *v, float *shared)
{
  float *const to = shared + threadIdx.x % 32;
  const float4 *const from = (const float4 *)shared + 9 * (threadIdx.x % 32);
  float re[32];
#pragma unroll
  for (int k = 0; k < 32; k++)
    to[36 * k] = v[debye_self_reverse(k)].x;
  __syncwarp();
#pragma unroll
  for (int i = 0; i < 8; i++) {
    const float4 four = from[i];
    re[4 * i] = four.x, re[4 * i + 1] = four.y, re[4 * i + 2] = four.z, re[4 * i + 3] = four.w;
  }
  __syncwarp();
#pragma unroll
  for (int k = 0; k < 32; k++)
    to[36 * k] = v[debye_self_reverse(k)].y;
  __syncwarp();
#pragma unroll
  for (int i = 0; i < 8; i++) {
    const float4 four = from[i];
    v[4 * i] = make_float2(re[4 * i], four.x), v[4 * i + 1] = make_float2(re[4 * i + 1], four.y);
    v[4 * i + 2] = make_float2(re[4 * i + 2], four.z), v[4 * i + 3] = make_float2(re[4 * i + 3], four.w);
  }
  __syncwarp();
}

/* v[j] is point lane + 32·j, and comes back as point lane + 32·k at v[reverse(k)]: at frequencies k, or where
 * `shifted` k + 1/2, with the twiddles for that. */
static __device__ __forceinline__ void
debye_self_transform1024(float2 *v, bool shifted, const float4 *twiddles, float *shared)
{
  if (shifted)
    debye_self_transform_first<1>(v);
  else
    debye_self_transform_first<0>(v);
  debye_self_exchange(v, shared);
  debye_self_transform_second(v, twiddles + threadIdx.x % 32);
}
