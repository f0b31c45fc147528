/* SPDX-License-Identifier: MIT */
/* The inner loops of the ladder's blocked steps: a strip of neighbouring points of a row against a tile of
 * atoms, one evaluation at a time or with the vectors of each instruction set. */
#pragma once

#include "kernels/potential/potential_math.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/ladder/ladder.h"

/* The longest strip: two vectors of the longest kind. */
#define DEBYE_LADDER_STRIP 32

typedef struct {
  size_t n_atoms;
  float core2;
  float x[DEBYE_DIRECT_TILE], charge[DEBYE_DIRECT_TILE];
  float square[DEBYE_DIRECT_TILE]; /* (y − yᵢ)² + (z − zᵢ)² */
} DebyeLadderTile;

typedef struct {
  size_t width; /* points at x[0] … x[width − 1] */
  /* Adds to sum. */
  void (*add)(const DebyeLadderTile *tile, const float *x, float *sum);
} DebyeLadderStrip;

extern const DebyeLadderStrip debye_ladder_strip_single;
const DebyeLadderStrip *debye_ladder_strip_vectors(DebyeCpuLevel level);
