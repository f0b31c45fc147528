/* SPDX-License-Identifier: MIT */
/* Distances of an atom to some others and their places in bins, one version for each instruction set. Who calls it:
 * scattering_debye_moments.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernels/cpu/common/cpu_level.h"

/* Pairs of one call at most. */
#define DEBYE_MOMENTS_PAIRS 128

typedef struct {
  const double *x, *y, *z, *w; /* of the others */
  double origin[3], weight;    /* the atom's; the weight times what a pair counts */
  double inverse;              /* bins an Å */
  double n_bins;
} DebyeMomentsRow;

/* The bin is key's last 32 bits: a sum with a number of which the last bit is 1. */
typedef union {
  double sum;
  uint32_t bin[2];
} DebyeMomentsKey;

/* Of each pair; t is the place within the bin, in widths from its middle. A bin beyond the last is n_bins, and its t means
 * nothing. */
typedef struct {
  DebyeMomentsKey key[DEBYE_MOMENTS_PAIRS];
  double first[DEBYE_MOMENTS_PAIRS][2]; /* w/r and w/r·t */
  double square[DEBYE_MOMENTS_PAIRS];   /* t² */
} DebyeMomentsPairs;

typedef struct {
  void (*find)(const DebyeMomentsRow *row, size_t n, DebyeMomentsPairs *pairs);
} DebyeMomentsBlock;

static inline uint32_t
debye_moments_bin(const DebyeMomentsPairs *pairs, size_t i)
{
  return pairs->key[i].bin[__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__];
}

DEBYE_DECLARE_LEVELS(DebyeMomentsBlock, debye_moments_block)
