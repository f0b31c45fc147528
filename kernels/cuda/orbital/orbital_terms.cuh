/* SPDX-License-Identifier: MIT */
/* Lists the terms in reach of a tile, strong and weak ones; a part of orbital_squares.cu, which has included its own header
 * before. */
#pragma once

#include <cuda_fp16.h>

constexpr int WIDE = 8, HIGH = 4; /* points of a tile: WIDE·HIGH·HIGH */
constexpr int POINTS = WIDE * HIGH * HIGH;
constexpr int GROUPS =
    4; /* of threads that share the points: each evaluates its terms, and multiplies its functions */
constexpr int THREADS = GROUPS * POINTS;
constexpr int WARPS = THREADS / 32;
constexpr int FUNCTIONS = 192; /* of a launch */
constexpr int DEPTH = 16;      /* terms of a product */
constexpr int CAPACITY = 1024; /* terms that a block lists at once */
constexpr int SHIFT = 8;       /* of rows in shared memory, so that eight of them are in different banks */
/* Fewer functions are drawn one after the other. */
constexpr size_t LEAST_FUNCTIONS = 8;
/* The largest values are up to 2¹³ in either factor. */
constexpr int RANGE = 13;
constexpr int LARGEST_SCALE = 100;
/* Terms below this times the set's tolerance are weak. */
constexpr double WEAK = 1024.0;

struct Shared {
  float4 centres[CAPACITY]; /* of the listed primitives, from the tile's first point; their rates */
  /* Row; primitive, powers and scale. Strong terms are listed from the first place on, weak ones from the last back. */
  uint2 terms[CAPACITY];
  __half points[2][2][DEPTH][POINTS + SHIFT]; /* by turn and part */
  __half rows[2][2][DEPTH][FUNCTIONS + SHIFT];
  float weights[FUNCTIONS], sums[GROUPS][POINTS];
  uint64_t counts[WARPS];
};

/* A launch. */
struct Product {
  DebyeOrbitalField field;
  DebyeOrbitalSquares squares;
  unsigned n_tiles[3];
  uint32_t first, count;
  bool adds;
};

/* Older devices have no such product: find_cores(). */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

constexpr uint32_t ROOM = CAPACITY - 2 * DEPTH; /* both lists end in whole products */
constexpr uint32_t NONE = UINT32_MAX;
constexpr int SCALE_BIAS = 512; /* scales are listed without a sign */

/* --- Terms in reach --- */

enum Strength { OUT_OF_REACH, IS_WEAK, IS_STRONG };

static __device__ __forceinline__ Strength
find_strength(const Product &product, const unsigned (&begin)[3], uint32_t primitive, float4 *from)
{
  const DebyeOrbitalField &field = product.field;
  const double *centre = field.centres + 3 * (size_t)product.squares.centre[primitive];
  const unsigned edge[3] = {WIDE, HIGH, HIGH};
  float square = 0.0f, place[3];
#pragma unroll
  for (int axis = 0; axis < 3; axis++) {
    const unsigned last = min(begin[axis] + edge[axis], field.shape[axis]) - 1;
    const double one = field.origin[axis] + field.step[axis] * begin[axis] - centre[axis],
                 other = field.origin[axis] + field.step[axis] * last - centre[axis];
    const float away = (float)fmax(0.0, fmax(fmin(one, other), -fmax(one, other)));
    square = fmaf(away, away, square);
    place[axis] = (float)one;
  }
  *from = make_float4(place[0], place[1], place[2], field.primitives[primitive].rate);
  const float far = product.squares.reach[primitive], strong = product.squares.strong[primitive];
  return square < strong * strong ? IS_STRONG : square < far * far ? IS_WEAK : OUT_OF_REACH;
}

/* Numbers of strong and weak terms and of primitives, in 21 bits each: of the threads before this one, and of all. */
static __device__ __forceinline__ uint64_t
count_before(Shared *shared, uint64_t mine, uint64_t *total)
{
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  uint64_t sum = mine;
#pragma unroll
  for (unsigned shift = 1; shift < 32; shift *= 2) {
    const uint64_t other = __shfl_up_sync(~0u, sum, shift);
    sum += lane >= shift ? other : 0;
  }
  if (lane == 31)
    shared->counts[warp] = sum;
  __syncthreads();
  *total = 0;
#pragma unroll
  for (unsigned i = 0; i < WARPS; i++) {
    sum += i < warp ? shared->counts[i] : 0;
    *total += shared->counts[i];
  }
  __syncthreads();
  return sum - mine;
}

static __device__ __forceinline__ uint32_t
get_count(uint64_t counts, int which)
{
  return (uint32_t)(counts >> (21 * which)) & 0x1fffffu;
}

/* A list's last product is complete. */
static __device__ __forceinline__ uint32_t
fill_up(uint32_t n)
{
  return (n + DEPTH - 1) / DEPTH * DEPTH;
}

static __device__ __forceinline__ void
list_primitive(const Product &product, Shared *shared, uint32_t primitive, Strength strength, uint32_t slot,
               uint32_t place)
{
  const uint32_t first = product.squares.first[primitive], n = product.squares.first[primitive + 1] - first;
  for (uint32_t i = 0; i < n; i++) {
    const DebyeOrbitalTerm term = product.squares.terms[first + i];
    shared->terms[strength == IS_STRONG ? place + i : CAPACITY - 1 - place - i] =
        make_uint2(first + i, slot | (uint32_t)term.a << 10 | (uint32_t)term.b << 14 |
                                  (uint32_t)term.c << 18 | (uint32_t)(term.scale + SCALE_BIAS) << 22);
  }
}

/* Lists terms of primitives from *next on, as many as there is room for; returns how many are strong and weak, in whole
 * products. */
static __device__ uint2
list_terms(const Product &product, const unsigned (&begin)[3], Shared *shared, uint32_t *next)
{
  const uint32_t most = product.squares.most_terms;
  uint32_t at_once = min((uint32_t)THREADS, 0x1fffffu / most);
  uint64_t listed = 0, total;
  while (*next < product.field.n_primitives) {
    const uint32_t primitive = *next + threadIdx.x;
    uint64_t mine = 0;
    float4 from;
    Strength strength = OUT_OF_REACH;
    if (threadIdx.x < at_once && primitive < product.field.n_primitives)
      strength = find_strength(product, begin, primitive, &from);
    const uint32_t n = strength != OUT_OF_REACH
                           ? product.squares.first[primitive + 1] - product.squares.first[primitive]
                           : 0;
    if (n > 0)
      mine = (uint64_t)n << (strength == IS_STRONG ? 0 : 21) | (uint64_t)1 << 42;
    const uint64_t before = count_before(shared, mine, &total) + listed;
    if (get_count(listed + total, 0) + get_count(listed + total, 1) > ROOM) {
      if (listed != 0)
        break;
      at_once = max(at_once / 2, ROOM / most);
      continue;
    }
    if (n > 0) {
      shared->centres[get_count(before, 2)] = from;
      list_primitive(product, shared, primitive, strength, get_count(before, 2),
                     get_count(before, strength == IS_STRONG ? 0 : 1));
    }
    listed += total;
    *next += at_once;
  }
  const uint32_t strong = get_count(listed, 0), weak = get_count(listed, 1);
  if (threadIdx.x < fill_up(strong) - strong)
    shared->terms[strong + threadIdx.x] = make_uint2(NONE, 0);
  if (threadIdx.x < fill_up(weak) - weak)
    shared->terms[CAPACITY - 1 - weak - threadIdx.x] = make_uint2(NONE, 0);
  __syncthreads();
  return make_uint2(fill_up(strong) / DEPTH, fill_up(weak) / DEPTH);
}

/* Where a step's terms are, the strong ones' first. */
static __device__ __forceinline__ const uint2 *
find_terms(const Shared *shared, uint2 n_steps, uint32_t step)
{
  return shared->terms + (step < n_steps.x ? step * DEPTH : CAPACITY - (step - n_steps.x + 1) * DEPTH);
}
#endif
