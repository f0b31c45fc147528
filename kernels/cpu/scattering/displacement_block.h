/* SPDX-License-Identifier: MIT */
/* The loop of the displacements over the times of one atom, one version for each instruction set. Who calls
 * it: displacement_histogram.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernels/cpu/common/cpu_level.h"

/* Pairs of times of one call at most, so that sums in float stay short. */
#define DEBYE_DISPLACEMENT_STRIP 256

typedef struct {
  const float *x, *y, *z; /* the first time's place; the second's is `lag` further */
  size_t lag, n;          /* n pairs of times */
  float scale;            /* bins an Å */
  float end;              /* n_bins + 1/2: bins beyond end there */
} DebyeDisplacementStrip;

typedef struct {
  /* Writes the bin of each pair, ~bin where it is in doubt, and adds to the sums of d² and d⁴. */
  void (*find)(const DebyeDisplacementStrip *strip, int32_t *bin, double *square, double *fourth);
} DebyeDisplacementBlock;

DEBYE_DECLARE_LEVELS(DebyeDisplacementBlock, debye_displacement_block)
