/* SPDX-License-Identifier: MIT */
/* Adds bins that were found to the copies of the histogram; included by the pair loops of AVX2 and AVX-512. */
#pragma once

#include "pair_block.h"

/* Bins wait here for each other: a loop over a few has its end guessed wrong as often as it has one. */
#define DEBYE_PAIR_WAITING 2048

static inline __attribute__((always_inline)) void
debye_pair_add_bins(const DebyePairBlock *block, const int32_t *bin, size_t n)
{
  uint32_t *const one = block->histogram[0], *const two = block->histogram[1];
  uint32_t *const three = block->histogram[2], *const four = block->histogram[3];
  size_t k = 0;
  for (; k + DEBYE_PAIR_COPIES <= n; k += DEBYE_PAIR_COPIES) {
    one[bin[k]]++;
    two[bin[k + 1]]++;
    three[bin[k + 2]]++;
    four[bin[k + 3]]++;
  }
  for (; k < n; k++)
    one[bin[k]]++;
}
