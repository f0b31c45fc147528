/* SPDX-License-Identifier: MIT */
/* What a launch of the pair histogram's kernel is told, and what a block's warps share. */
#pragma once

#include <stdint.h>

#include "kernels/pair_layout.h"

/* The list's length; what does not fit is decided at once. */
#define DEBYE_PAIR_DOUBTS 192
/* 1.5·2²³: adding it leaves the nearest whole number in a float's last bits. */
#define DEBYE_PAIR_MAGIC 12582912.0f
#define DEBYE_PAIR_MAGIC_BITS 0x4b400000u
/* A block empties its histogram when one of the counters could have come this far. */
#define DEBYE_PAIR_MOST_COUNTS ((uint64_t)1 << 31)

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
  const DebyePairWork *work;
  uint32_t n_work;
  uint32_t n_parts;
  uint32_t parts_by_tile;        /* tiles, not columns, are dealt out among the parts */
  unsigned copies;               /* counters of a bin */
  unsigned long long *next_item; /* of each work */
  unsigned long long *counts;    /* n_bins for each histogram */
  /* Not 0 when the result is no longer wanted. On the device: a look across the bus takes a microsecond, and
   * all warps would wait in one line for it. */
  const volatile unsigned long long *stop;
};

/* Behind the bins and one that rounding could reach, where a bank begins. */
static __host__ __device__ __forceinline__ size_t
debye_first_waste(size_t n_bins, unsigned copies)
{
  return ((n_bins + 1) * copies + 31) / 32 * 32;
}

/* What a warp's lanes know of the pair of tiles at hand. */
struct DebyePairMeeting {
  uint32_t tile, other;
  int n[3];
  float scale, limit2, clear;
  uint32_t n_j;
};

/* Shared by a block, in front of its histogram. */
template <int WARPS> struct DebyePairShared {
  DebyePairWork work;
  unsigned which;      /* its number; n_work: there is no more */
  unsigned n_looked;   /* works that were looked at */
  unsigned n_meetings; /* since the histogram was emptied */
  unsigned n_doubts[WARPS];
  uint16_t doubt[WARPS][DEBYE_PAIR_DOUBTS];
};
