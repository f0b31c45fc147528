/* SPDX-License-Identifier: MIT */
/* The inner loops of the CPU's pair histogram: atoms of one tile against those of another, one version for
 * each instruction set; its twin is cuda/pairs/pair_block.cuh. Who calls them: pair_meetings.c.
 *
 * The float distance in bins, t = d·n/r_max, has its bin where its fraction is clear of 0 and 1 by the bound
 * of its error; other pairs are in doubt and handed back. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernels/cpu/common/cpu_level.h"

/* Increments that follow one another go to different copies of the histogram, because a CPU that reads
 * what it has just written waits for it. */
#define DEBYE_PAIR_COPIES 4
/* Bins beyond n_bins for pairs out of range, where picking out the others would cost more. */
#define DEBYE_PAIR_WASTE 16
/* Atoms of a tile are padded to a multiple of this. */
#define DEBYE_PAIR_STEP 16
#define DEBYE_PAIR_MAX_TILE 256

typedef enum {
  DEBYE_PAIR_BLOCK_WHOLE,
  DEBYE_PAIR_BLOCK_UPPER,   /* a tile with itself: only j after i */
  DEBYE_PAIR_BLOCK_NO_SELF, /* a tile with its own image: j ≠ i */
} DebyePairBlockKind;

typedef struct {
  DebyePairBlockKind kind;
  size_t n_i, n_j; /* n_j without its padding */
  /* Atoms i from the middle of j's tile, and their numbers in their own. */
  float xi[DEBYE_PAIR_MAX_TILE], yi[DEBYE_PAIR_MAX_TILE], zi[DEBYE_PAIR_MAX_TILE];
  uint32_t number[DEBYE_PAIR_MAX_TILE];
  const float *x, *y, *z; /* atoms j */
  float scale;            /* bins per Å */
  float limit2;           /* squared distances from here on are out of range for certain */
  float clear;            /* one half less the error in bins: |fraction − 1/2| from here on is in doubt */
  uint32_t n_bins;
  uint32_t *histogram[DEBYE_PAIR_COPIES];
} DebyePairBlock;

typedef struct {
  uint16_t i, j; /* numbers in their tiles */
} DebyePairDoubt;

typedef struct {
  /* Counts the pairs that are clear; writes those in doubt, n_i·n_j at most, and returns how many. */
  size_t (*count)(const DebyePairBlock *block, DebyePairDoubt *doubts);
} DebyePairBlockLoops;

DEBYE_DECLARE_LEVELS(DebyePairBlockLoops, debye_pair_block_loops)

/* Defines a level's loops from its static count_kind(block, doubts, kind), which is compiled once for each kind
 * so that whole tiles don't pay for the comparisons of the others. */
#define DEBYE_DEFINE_PAIR_BLOCK_LOOPS(count_kind)                          \
  static size_t count(const DebyePairBlock *block, DebyePairDoubt *doubts) \
  {                                                                        \
    switch (block->kind) {                                                 \
    case DEBYE_PAIR_BLOCK_UPPER:                                           \
      return count_kind(block, doubts, DEBYE_PAIR_BLOCK_UPPER);            \
    case DEBYE_PAIR_BLOCK_NO_SELF:                                         \
      return count_kind(block, doubts, DEBYE_PAIR_BLOCK_NO_SELF);          \
    default:                                                               \
      return count_kind(block, doubts, DEBYE_PAIR_BLOCK_WHOLE);            \
    }                                                                      \
  }                                                                        \
  const DebyePairBlockLoops DEBYE_AT_LEVEL(debye_pair_block_loops) = {.count = count};
