/* SPDX-License-Identifier: MIT */
/* The inner loops of the CPU's direct sum: a block of grid points against a tile of atoms, one version for
 * each instruction set. Who calls them: potential_direct.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "kernels/potential/nearest_image.h"
#include "kernels/cpu/common/cpu_level.h"

#define DEBYE_BLOCK_ROWS 4
#define DEBYE_BLOCK_WIDTH 64
/* Widths of blocks are multiples of this, the longest vector in float. */
#define DEBYE_BLOCK_STEP 16

/* Points in float from the block's reference, atoms from the same reference. */
typedef struct {
  size_t n_atoms;
  size_t width; /* points in x, a multiple of DEBYE_BLOCK_STEP */
  bool sheared; /* rows are shifted against each other by row_x */
  bool clamped; /* an atom may be nearer than the core radius */
  float core2;
  float point_x[DEBYE_BLOCK_WIDTH];
  float row_x[DEBYE_BLOCK_ROWS];
  float x[DEBYE_DIRECT_TILE];
  float charge[DEBYE_DIRECT_TILE];
  float s[DEBYE_BLOCK_ROWS][DEBYE_DIRECT_TILE]; /* (y − yᵢ)² + (z − zᵢ)² */
} DebyeFloatTile;

/* Atoms that have several images to try, in float from the block's middle, for the same points. */
typedef struct {
  const DebyeNearestImage *image;
  size_t n_atoms;
  size_t width;
  float core2;
  float point_x[DEBYE_BLOCK_WIDTH];
  float row_x[DEBYE_BLOCK_ROWS], row_y[DEBYE_BLOCK_ROWS];
  float x[DEBYE_DIRECT_TILE], y[DEBYE_DIRECT_TILE], z[DEBYE_DIRECT_TILE], charge[DEBYE_DIRECT_TILE];
  uint32_t doubts[DEBYE_DIRECT_TILE]; /* debye_nearest_doubts */
} DebyeNearestTile;

/* One row of points in double. */
typedef struct {
  size_t n_atoms;
  double row_x, y, z, step_x; /* point i of the row stands at (row_x + i·step_x, y, z) */
  double core2;
  const double *x, *y_atom, *z_atom, *charge;
  const DebyeNearestImage *image; /* of sum_nearest */
} DebyeDoubleRow;

typedef struct {
  double score; /* rough pairs a second of one core */
  /* Adds to sum[row][i], i < width. */
  void (*add_float)(const DebyeFloatTile *tile, float (*sum)[DEBYE_BLOCK_WIDTH]);
  void (*add_nearest)(const DebyeNearestTile *tile, float (*sum)[DEBYE_BLOCK_WIDTH]);
  /* Writes points [first, first + count) of the row, count ≤ DEBYE_BLOCK_WIDTH. */
  void (*sum_double)(const DebyeDoubleRow *row, size_t first, size_t count, double *out);
  /* The same with the nearest image of each atom. */
  void (*sum_nearest)(const DebyeDoubleRow *row, size_t first, size_t count, double *out);
} DebyeDirectBlock;

DEBYE_DECLARE_LEVELS(DebyeDirectBlock, debye_direct_block)
