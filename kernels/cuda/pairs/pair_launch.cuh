/* SPDX-License-Identifier: MIT */
/* Arguments of the pair histogram's kernel and the shared memory of a block; used by pair_plan.cuh and pair_block.cuh. */
#pragma once

#include <stdint.h>

#include "kernels/pairs/pair_layout.h"

/* Pairs in doubt that a warp's list holds; those of a round that has more are decided one by one. */
#define DEBYE_PAIR_DOUBTS 256
/* A block empties its histogram when one of the counters could have come this far. */
#define DEBYE_PAIR_MAX_COUNTS ((uint64_t)1 << 31)

/* A pair of groups in a launch. An item is one tile of the first group against one part of the second's. */
struct DebyePairWork {
  uint64_t n_items;
  uint32_t first_tile; /* of the first group, in the launch */
  uint32_t group;      /* the second */
  uint32_t histogram;
  uint32_t same_group;
};

struct DebyePairLaunch {
  DebyePairLayout layout;
  const DebyePairColumns *columns;
  const uint32_t *column_tile, *tile_atoms;
  const DebyeTileBox *box;
  const float4 *slots;  /* x, y, z from the tile's middle, atoms of empty places nowhere */
  const uint32_t *atom; /* in each slot */
  const double *place;
  const double *edge2;
  size_t n_bins;
  double inverse_width;
  float behind2; /* a squared distance in the middle of the bin behind the last one */
  const DebyePairWork *work;
  uint32_t n_work;
  uint32_t n_parts;
  uint32_t parts_by_tile;        /* tiles, not columns, are dealt out among the parts */
  unsigned copies;               /* counters of a bin, a power of two */
  unsigned long long *next_item; /* of each work */
  unsigned long long *counts;    /* n_bins for each histogram */
  /* Not 0 when the result is no longer wanted. On the device: a look across the bus takes a microsecond, and
   * all warps would wait in one line for it. */
  const volatile unsigned long long *stop;
};

/* How the kernel is made. A lane holds EACH atoms of a tile; a block has WARPS warps and, where it is SHARED,
 * the histogram in shared memory. UNROLL: atoms j of a step. tests/bench/bench_pair_shapes times them. */
template <int EACH_, int WARPS_, bool SHARED_, int UNROLL_ = (EACH_ < 8 ? 4 : 2)> struct DebyePairShape {
  static constexpr int EACH = EACH_, TILE = 32 * EACH, WARPS = WARPS_, UNROLL = UNROLL_;
  static constexpr bool SHARED = SHARED_;
};

/* Shared by a block's warps, in front of the histogram. */
template <class Shape> struct DebyePairShared {
  float4 atoms_j[Shape::WARPS][Shape::TILE];
  uint8_t number[Shape::WARPS][Shape::TILE]; /* in their tile */
  uint16_t doubt[Shape::WARPS][DEBYE_PAIR_DOUBTS];
  unsigned n_doubts[Shape::WARPS];
  DebyePairWork work;
  unsigned which;      /* its number; n_work: there is no more */
  unsigned n_looked;   /* works that were looked at */
  unsigned n_meetings; /* since the histogram was emptied */
};

/* Counters of a block: behind the bins there is one for pairs out of range. */
static __host__ __device__ __forceinline__ size_t
debye_pair_counters(size_t n_bins, unsigned copies)
{
  return (n_bins + 1) * copies;
}
