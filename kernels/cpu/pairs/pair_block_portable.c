/* SPDX-License-Identifier: MIT */
/* The pair histogram's inner loops for any CPU; called by pair_meetings.c. */
#include "pair_block.h"

#include <math.h>
#include <stdbool.h>

#define LANES DEBYE_PAIR_STEP

static inline __attribute__((always_inline)) bool
belongs(DebyePairBlockKind kind, uint32_t i, uint32_t j)
{
  return kind == DEBYE_PAIR_BLOCK_WHOLE || (kind == DEBYE_PAIR_BLOCK_UPPER ? j > i : j != i);
}

/* LANES pairs of one i: their bins, those out of range in the waste, and how far each is from the middle of
 * its bin, −1 where it is out of range. Returns how many are in doubt. */
static inline __attribute__((always_inline)) int
find_bins(const DebyePairBlock *block, size_t a, size_t first, const DebyePairBlockKind kind, int32_t *bin,
          float *fraction)
{
  const float xi = block->xi[a], yi = block->yi[a], zi = block->zi[a];
  int n_doubtful = 0;
  for (uint32_t l = 0; l < LANES; l++) {
    float dx = xi - block->x[first + l], dy = yi - block->y[first + l], dz = zi - block->z[first + l];
    float square = dx * dx + dy * dy + dz * dz;
    bool counts = square < block->limit2;
    if (kind != DEBYE_PAIR_BLOCK_WHOLE)
      counts = counts && belongs(kind, block->number[a], (uint32_t)first + l);
    float t = sqrtf(counts ? square : 0.0f) * block->scale;
    int32_t k = (int32_t)t;
    fraction[l] = counts ? fabsf(t - (float)k - 0.5f) : -1.0f;
    bin[l] = counts ? k : (int32_t)(block->n_bins + l);
    n_doubtful += fraction[l] >= block->clear;
  }
  return n_doubtful;
}

static inline __attribute__((always_inline)) size_t
count_kind(const DebyePairBlock *block, DebyePairDoubt *doubts, const DebyePairBlockKind kind)
{
  size_t n_doubts = 0;
  for (size_t a = 0; a < block->n_i; a++)
    for (size_t first = 0; first < block->n_j; first += LANES) {
      int32_t bin[LANES];
      float fraction[LANES];
      int n_doubtful = find_bins(block, a, first, kind, bin, fraction);
      for (uint32_t l = 0; n_doubtful > 0 && l < LANES; l++)
        if (fraction[l] >= block->clear) {
          doubts[n_doubts++] = (DebyePairDoubt){(uint16_t)block->number[a], (uint16_t)(first + l)};
          bin[l] = (int32_t)(block->n_bins + l);
        }
      for (uint32_t l = 0; l < LANES; l++)
        block->histogram[l % DEBYE_PAIR_COPIES][bin[l]]++;
    }
  return n_doubts;
}

DEBYE_DEFINE_PAIR_BLOCK_LOOPS(count_kind)
