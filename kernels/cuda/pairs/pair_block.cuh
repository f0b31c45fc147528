/* SPDX-License-Identifier: MIT */
/* The inner loop of the GPU's pair histogram: atoms of one tile against those of another; its twin is
 * cpu/pairs/pair_block.h.
 *
 * A warp holds the atoms of tile i in registers, TILE/32 a lane, and goes through the atoms of tile j in its
 * part of the shared memory. Both are relative to the middle of tile j's image, so that no image is looked
 * for. A block's warps share one histogram and nothing else: they wait for each other only when it is
 * emptied.
 *
 * A pair's bin is found twice, with the distance a little too small and a little too large by the bound of
 * the float's error (pair_layout.h). Each time it takes one instruction, that adds 1.5·2²³ and rounds down:
 * the sum's last bits are the bin. Where both agree, that is the exact bin. Else the pair is in doubt:
 * counted all the same, since a condition would cost every pair, and a bit of its lane remembers the atom j.
 * After each 32 atoms j the doubts are found again, their counts taken back, and they are put on a list that
 * is decided in double once for each pair of tiles, so that all lanes have something to do. Pairs out of
 * range are counted too, behind the bins. */
#pragma once

#include "pair_launch.cuh"

/* 1.5·2²³: a float's last bits are whole numbers there. */
#define DEBYE_PAIR_MAGIC 12582912.0f
#define DEBYE_PAIR_MAGIC_BITS 0x4b400000u
/* How the distances of a pair of tiles are told. */
enum DebyePairManner {
  DEBYE_PAIR_NEAR,    /* with a bound of the error in bins */
  DEBYE_PAIR_FAR,     /* with a bound of the error relative to the distance */
  DEBYE_PAIR_SPECIAL, /* near, and a tile with itself or its own image */
  DEBYE_PAIR_EXACT,   /* in double, since a float can't */
  DEBYE_PAIR_EXACT_SPECIAL,
};

/* A pair of tiles and the lattice vector between them. */
struct DebyeTilePair {
  uint32_t i, j;
  int n[3];
};

/* A root times its scale (near: plus its offset) is in bins for certain too few, and too many. */
struct DebyePairScales {
  float low, high;
  float offset; /* near: the one is less by so much, the other more */
};

/* A lane's atoms of tile i from the middle of tile j. */
template <int EACH> struct DebyePairRow {
  float x[EACH], y[EACH], z[EACH];
};

static __device__ __forceinline__ float
debye_root(float square)
{
  float result;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(square));
  return result;
}

/* Into the block's histogram, or where that is too large for shared memory straight into the total. */
template <class Shape>
static __device__ __forceinline__ void
debye_count_bin(const DebyePairLaunch &launch, unsigned *histogram, uint32_t which, size_t bin)
{
  if (Shape::SHARED)
    atomicAdd(&histogram[bin * launch.copies + (threadIdx.x & (launch.copies - 1))], 1u);
  else
    atomicAdd(&launch.counts[which * launch.n_bins + bin], 1ull);
}

template <class Shape>
static __device__ __noinline__ void
debye_decide(const DebyePairLaunch &launch, DebyeTilePair tiles, unsigned *histogram, uint32_t which,
             unsigned i, unsigned j)
{
  const size_t atom_i = launch.atom[(size_t)tiles.i * Shape::TILE + i],
               atom_j = launch.atom[(size_t)tiles.j * Shape::TILE + j];
  double difference[3];
  debye_pair_difference(&launch.layout.lattice, &launch.place[3 * atom_i], &launch.place[3 * atom_j], tiles.n,
                        difference);
  const DebyePairBins bins = {launch.edge2, launch.n_bins, launch.inverse_width};
  const size_t bin = debye_pair_bin(&bins, debye_dot3(difference, difference));
  if (bin < launch.n_bins)
    debye_count_bin<Shape>(launch, histogram, which, bin);
}

/* The pairs that may count: all, or of a tile with itself (only j after i) or with its own image (j ≠ i). */
template <DebyePairManner MANNER>
static __device__ __forceinline__ bool
debye_belongs(const DebyeTilePair &tiles, unsigned i, unsigned j)
{
  return MANNER != DEBYE_PAIR_SPECIAL ||
         (tiles.n[0] == 0 && tiles.n[1] == 0 && tiles.n[2] == 0 ? j > i : j != i);
}

/* The bits of a pair's bin behind DEBYE_PAIR_MAGIC_BITS, and whether it is in doubt. */
template <class Shape, DebyePairManner MANNER>
static __device__ __forceinline__ bool
debye_look(const DebyePairScales &scales, float behind2, const DebyePairRow<Shape::EACH> &row, int a,
           float4 b, bool belongs, unsigned *bits)
{
  const float dx = __fsub_rn(row.x[a], b.x), dy = __fsub_rn(row.y[a], b.y), dz = __fsub_rn(row.z[a], b.z);
  const float square = fmaf(dz, dz, fmaf(dy, dy, __fmul_rn(dx, dx)));
  const float root = debye_root(fminf(belongs ? square : INFINITY, behind2));
  float low, high;
  if (MANNER == DEBYE_PAIR_FAR) {
    low = __fmaf_rd(root, scales.low, DEBYE_PAIR_MAGIC);
    high = __fmaf_rd(root, scales.high, DEBYE_PAIR_MAGIC);
  } else {
    low = __fadd_rd(fmaf(root, scales.low, -scales.offset), DEBYE_PAIR_MAGIC);
    high = __fadd_rd(fmaf(root, scales.high, scales.offset), DEBYE_PAIR_MAGIC);
  }
  *bits = __float_as_uint(high);
  return low != high;
}

/* Where the counters are: the bits, scaled, are an address. */
struct DebyePairCounters {
  unsigned begin, stride;
  unsigned n_bins;
  unsigned long long *counts;
};

template <class Shape>
static __device__ __forceinline__ DebyePairCounters
debye_pair_counters_of(const DebyePairLaunch &launch, unsigned *histogram, uint32_t which)
{
  DebyePairCounters counters = {};
  if (Shape::SHARED) {
    /* Told so that the compiler does not take the scale apart again, which costs an instruction a pair. */
    asm("mul.lo.u32 %0, %1, 4;" : "=r"(counters.stride) : "r"(launch.copies));
    counters.begin = (unsigned)__cvta_generic_to_shared(histogram) +
                     4u * (threadIdx.x & (launch.copies - 1)) - counters.stride * DEBYE_PAIR_MAGIC_BITS;
  } else {
    counters.counts = launch.counts + which * launch.n_bins;
    counters.n_bins = (unsigned)launch.n_bins;
  }
  return counters;
}

/* Each lane has its own counters as far as there are copies. */
template <class Shape, int BY>
static __device__ __forceinline__ void
debye_count_bits(const DebyePairCounters &counters, unsigned bits)
{
  if (Shape::SHARED)
    asm volatile("{\n\t.reg .u32 address;\n\tmad.lo.u32 address, %0, %1, %2;\n\t"
                 "red.shared.add.u32 [address], %3;\n\t}" ::"r"(bits),
                 "r"(counters.stride), "r"(counters.begin), "n"(BY));
  else if (bits - DEBYE_PAIR_MAGIC_BITS < counters.n_bins)
    atomicAdd(&counters.counts[bits - DEBYE_PAIR_MAGIC_BITS], (unsigned long long)(long long)BY);
}

/* A pair of tiles at hand: n_j atoms j are in shared memory, with those nowhere that fill it up to whole
 * steps of UNROLL. */
template <class Shape> struct DebyePairMeeting {
  const DebyePairLaunch &launch;
  DebyePairShared<Shape> *shared;
  unsigned *histogram;
  DebyeTilePair tiles;
  DebyePairScales scales;
  unsigned n_j;
};

/* All pairs of a step that are in doubt, for each that says so among `doubtful`. */
template <class Shape, DebyePairManner MANNER, class Found>
static __device__ __forceinline__ void
debye_find_doubts(const DebyePairMeeting<Shape> &meeting, const DebyePairRow<Shape::EACH> &row,
                  unsigned first, unsigned doubtful, Found found)
{
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (; doubtful != 0; doubtful &= doubtful - 1) {
    const unsigned step = first + (__ffs(doubtful) - 1) * Shape::UNROLL;
#pragma unroll 1
    for (unsigned at = step; at < step + Shape::UNROLL; at++) {
      const unsigned j = meeting.shared->number[warp][at];
      const float4 b = meeting.shared->atoms_j[warp][at];
#pragma unroll
      for (int a = 0; a < Shape::EACH; a++) {
        unsigned bits;
        const unsigned i = lane + 32 * a;
        if (debye_look<Shape, MANNER>(meeting.scales, meeting.launch.behind2, row, a, b,
                                      debye_belongs<MANNER>(meeting.tiles, i, j), &bits))
          found(i, j, bits);
      }
    }
  }
}

/* Not counted after all, and onto the warp's list as long as it has room. Seldom, a pair in a thousand. */
template <class Shape, DebyePairManner MANNER>
static __device__ __forceinline__ void
debye_note_doubts(const DebyePairMeeting<Shape> &meeting, const DebyePairRow<Shape::EACH> &row,
                  const DebyePairCounters &counters, unsigned first, unsigned doubtful)
{
  const unsigned warp = threadIdx.x / 32;
  debye_find_doubts<Shape, MANNER>(meeting, row, first, doubtful, [&](unsigned i, unsigned j, unsigned bits) {
    debye_count_bits<Shape, -1>(counters, bits);
    const unsigned place = atomicAdd(&meeting.shared->n_doubts[warp], 1u);
    if (place < DEBYE_PAIR_DOUBTS)
      meeting.shared->doubt[warp][place] = (uint16_t)(i << 8 | j);
  });
}

template <class Shape, DebyePairManner MANNER>
static __device__ __noinline__ void
debye_decide_round(DebyePairMeeting<Shape> meeting, DebyePairRow<Shape::EACH> row, unsigned first,
                   unsigned doubtful)
{
  debye_find_doubts<Shape, MANNER>(meeting, row, first, doubtful, [&](unsigned i, unsigned j, unsigned) {
    debye_decide<Shape>(meeting.launch, meeting.tiles, meeting.histogram, meeting.shared->work.histogram, i,
                        j);
  });
}

template <class Shape>
static __device__ __forceinline__ void
debye_decide_list(const DebyePairMeeting<Shape> &meeting, unsigned n)
{
  const unsigned warp = threadIdx.x / 32;
  for (unsigned at = threadIdx.x % 32; at < n; at += 32) {
    const unsigned doubt = meeting.shared->doubt[warp][at];
    debye_decide<Shape>(meeting.launch, meeting.tiles, meeting.histogram, meeting.shared->work.histogram,
                        doubt >> 8, doubt & 255u);
  }
}

/* The doubts of a round onto the list, which is worked off when it is half full or `last`. Where the round
 * has more than fit, they are decided as they are found. n is how many the list has. */
template <class Shape, DebyePairManner MANNER>
static __device__ __forceinline__ unsigned
debye_settle_doubts(const DebyePairMeeting<Shape> &meeting, const DebyePairRow<Shape::EACH> &row,
                    const DebyePairCounters &counters, unsigned first, unsigned doubtful, bool last,
                    unsigned n)
{
  const unsigned warp = threadIdx.x / 32;
  debye_note_doubts<Shape, MANNER>(meeting, row, counters, first, doubtful);
  __syncwarp();
  const unsigned listed = meeting.shared->n_doubts[warp];
  if (listed > DEBYE_PAIR_DOUBTS)
    debye_decide_round<Shape, MANNER>(meeting, row, first, doubtful);
  else
    n = listed;
  if (n > DEBYE_PAIR_DOUBTS / 2 || last) {
    debye_decide_list<Shape>(meeting, n);
    n = 0;
  }
  __syncwarp();
  if (threadIdx.x % 32 == 0)
    meeting.shared->n_doubts[warp] = n;
  __syncwarp();
  return n;
}

/* A step's pairs counted; true where one of the lane's is in doubt. */
template <class Shape, DebyePairManner MANNER>
static __device__ __forceinline__ bool
debye_count_step(const DebyePairMeeting<Shape> &meeting, const DebyePairRow<Shape::EACH> &row,
                 const DebyePairCounters &counters, unsigned step)
{
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const float4 *const atoms_j = &meeting.shared->atoms_j[warp][step];
  float4 b[Shape::UNROLL];
  bool doubt = false;
#pragma unroll
  for (int u = 0; u < Shape::UNROLL; u++)
    b[u] = atoms_j[u];
#pragma unroll
  for (int u = 0; u < Shape::UNROLL; u++) {
    const unsigned j = MANNER == DEBYE_PAIR_SPECIAL ? meeting.shared->number[warp][step + u] : 0;
#pragma unroll
    for (int a = 0; a < Shape::EACH; a++) {
      unsigned bits;
      const bool belongs = debye_belongs<MANNER>(meeting.tiles, lane + 32 * a, j);
      doubt |=
          debye_look<Shape, MANNER>(meeting.scales, meeting.launch.behind2, row, a, b[u], belongs, &bits);
      debye_count_bits<Shape, 1>(counters, bits);
    }
  }
  return doubt;
}

/* All pairs of the atoms at hand. */
template <class Shape, DebyePairManner MANNER>
static __device__ __forceinline__ void
debye_count_meeting(const DebyePairMeeting<Shape> &meeting, const DebyePairRow<Shape::EACH> &row)
{
  const DebyePairCounters counters =
      debye_pair_counters_of<Shape>(meeting.launch, meeting.histogram, meeting.shared->work.histogram);
  constexpr unsigned ROUND = 32 * Shape::UNROLL; /* a bit for each step */
  unsigned n_listed = 0;
  for (unsigned first = 0; first < meeting.n_j; first += ROUND) {
    const unsigned end = min(meeting.n_j, first + ROUND);
    unsigned doubtful = 0, bit = 1;
    for (unsigned step = first; step < end; step += Shape::UNROLL, bit += bit)
      if (debye_count_step<Shape, MANNER>(meeting, row, counters, step))
        doubtful |= bit;
    n_listed = debye_settle_doubts<Shape, MANNER>(meeting, row, counters, first, doubtful, end == meeting.n_j,
                                                  n_listed);
  }
}

/* Where a float is too coarse for the bins: all pairs in double. */
template <class Shape, DebyePairManner MANNER>
static __device__ __noinline__ void
debye_decide_tiles(const DebyePairLaunch &launch, DebyeTilePair tiles, uint32_t which, unsigned *histogram)
{
  const unsigned n_i = launch.tile_atoms[tiles.i], n_j = launch.tile_atoms[tiles.j];
  for (unsigned i = threadIdx.x % 32; i < n_i; i += 32)
    for (unsigned j = 0; j < n_j; j++)
      if (debye_belongs<MANNER>(tiles, i, j))
        debye_decide<Shape>(launch, tiles, histogram, which, i, j);
}
