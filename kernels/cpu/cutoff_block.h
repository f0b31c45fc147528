/* SPDX-License-Identifier: MIT */
/* The inner loops of the CPU's sum of pair functions: a block of grid points against the atoms near it, one
 * version for each instruction set. Who calls them: potential_cutoff.c. */
#pragma once

#include "direct_block.h"
#include "kernels/cutoff_bins.h"
#include "kernels/pair_function.h"

/* A block is 16 points in x by 4 by 4 rows: one vector of AVX-512, and as many sums as it has registers to
 * spare. */
#define DEBYE_CUTOFF_WIDTH 16
#define DEBYE_CUTOFF_ROWS_Y 4
#define DEBYE_CUTOFF_ROWS_Z 4
#define DEBYE_CUTOFF_ROWS (DEBYE_CUTOFF_ROWS_Y * DEBYE_CUTOFF_ROWS_Z)
/* Few enough that what is kept of them stays in first-level cache. */
#define DEBYE_CUTOFF_TILE 256

/* Points of a row that are as far from an atom as the cutoff is, as far as float can tell. */
typedef struct {
  uint16_t atom, row;
  uint32_t points; /* a bit each */
} DebyeEdgePair;

/* Atoms of a block, relative to its middle. */
typedef struct {
  size_t n;
  size_t n_edge_pairs;
  float x[DEBYE_CUTOFF_TILE], y[DEBYE_CUTOFF_TILE], z[DEBYE_CUTOFF_TILE], charge[DEBYE_CUTOFF_TILE];
  uint32_t index[DEBYE_CUTOFF_TILE];             /* in the bins */
  float s[DEBYE_CUTOFF_TILE][DEBYE_CUTOFF_ROWS]; /* (y − yᵢ)² + (z − zᵢ)², made by add_float */
  /* Room for the shortest vectors, four a row. */
  DebyeEdgePair edge_pair[DEBYE_CUTOFF_TILE * DEBYE_CUTOFF_ROWS * 4];
} DebyeCutoffTile;

/* A block: point (i, row) stands at (point_x[i] + row_x[row], row_y[row], row_z[row]) from its middle. */
typedef struct {
  DebyePairForm form;
  DebyePairFloats pair;
  bool sheared; /* row_x is not 0 */
  uint32_t middle[3];
  float unit;
  float half[3]; /* of the box around the points */
  float point_x[DEBYE_CUTOFF_WIDTH];
  float row_x[DEBYE_CUTOFF_ROWS], row_y[DEBYE_CUTOFF_ROWS], row_z[DEBYE_CUTOFF_ROWS];
} DebyeCutoffFrame;

/* The same for the checking path. */
typedef struct {
  size_t n_atoms;
  const DebyeBinnedExactAtom *atom;
  const DebyePairFunction *pair;
  double core2;
  double row_x, y, z, step_x; /* point i of the row stands at (row_x + i·step_x, y, z) */
} DebyeCutoffDoubleRow;

typedef struct {
  const char *name;
  /* Appends those of `n` atoms (at most DEBYE_CUTOFF_BATCH, and both tiles have room for them) that a point
   * of the block may see: to `near` where it may be within the core radius, else to `far`. */
  void (*select)(const DebyeCutoffFrame *frame, const DebyeBinnedAtom *atoms, size_t n, uint32_t first_index,
                 DebyeCutoffTile *far, DebyeCutoffTile *near);
  /* Adds the tile's atoms to the sums. Pairs at the step of a function that has one are left to the caller
   * and listed. */
  void (*add_float)(const DebyeCutoffFrame *frame, DebyeCutoffTile *tile, bool clamped,
                    float (*sum)[DEBYE_CUTOFF_WIDTH]);
  /* Adds to `count` points of a row, count ≤ DEBYE_CUTOFF_WIDTH. */
  void (*add_double)(const DebyeCutoffDoubleRow *row, size_t count, double *sum);
} DebyeCutoffBlock;

#define DEBYE_CUTOFF_BATCH 64

const DebyeCutoffBlock *debye_cutoff_block(DebyeCpuLevel level);

extern const DebyeCutoffBlock debye_cutoff_block_portable;
#if defined(__x86_64__)
extern const DebyeCutoffBlock debye_cutoff_block_avx2;
extern const DebyeCutoffBlock debye_cutoff_block_avx512;
#endif
