/* SPDX-License-Identifier: MIT */
/* The inner loops of the CPU's sum of pair functions: a block of grid points against the atoms near it, one
 * version for each instruction set. Who calls them: potential_cutoff.c.
 *
 * Lengths are in units of the cutoff here, so that d² below 1 is within it, and charges are divided by it. */
#pragma once

#include "cutoff_table.h"
#include "kernels/cpu/common/cpu_level.h"
#include "kernels/potential/cutoff_bins.h"
#include "kernels/potential/pair_function.h"

/* A column is 4 points in x by 4 in z, one vector of AVX-512, in each of 8 rows along y; a block is four
 * columns side by side. The nearer a column is to a cube the more of its pairs are in range: 69 % for steps
 * of a 24th of the cutoff, where 16 points in x are 57 %. */
#define DEBYE_CUTOFF_SIDE 4
#define DEBYE_CUTOFF_POINTS (DEBYE_CUTOFF_SIDE * DEBYE_CUTOFF_SIDE)
#define DEBYE_CUTOFF_ROWS 8
#define DEBYE_CUTOFF_COLUMNS 4
/* Few enough that what is kept of them stays in first-level cache. */
#define DEBYE_CUTOFF_TILE 256
/* And room for whole vectors to be written at the end. */
#define DEBYE_CUTOFF_ROOM (DEBYE_CUTOFF_TILE + 16)

/* Points of a row of a column that are as far from an atom as the cutoff is, as far as float can tell. */
typedef struct {
  uint16_t atom, row;
  uint32_t points; /* a bit each */
} DebyeEdgePair;

/* Atoms of a block, relative to its middle. */
typedef struct {
  size_t n;
  size_t n_edge_pairs; /* of a column */
  float x[DEBYE_CUTOFF_ROOM], y[DEBYE_CUTOFF_ROOM], z[DEBYE_CUTOFF_ROOM], charge[DEBYE_CUTOFF_ROOM];
  uint32_t index[DEBYE_CUTOFF_ROOM];             /* in the bins */
  float s[DEBYE_CUTOFF_TILE][DEBYE_CUTOFF_ROWS]; /* (y − yᵢ)², made by fill_rows */
  /* Room for the shortest vectors, four a row. */
  DebyeEdgePair edge_pair[DEBYE_CUTOFF_TILE * DEBYE_CUTOFF_ROWS * 4];
} DebyeCutoffTile;

/* The classes of a tile's atoms by how near they are to a column. */
typedef enum {
  DEBYE_CUTOFF_CORE, /* maybe within the core radius of a point */
  DEBYE_CUTOFF_NEAR, /* nearer than the tables reach */
  DEBYE_CUTOFF_MIDDLE,
  DEBYE_CUTOFF_FAR,
  DEBYE_CUTOFF_FAR_LOW, /* far, and seen by none but the lower half of the rows */
  DEBYE_CUTOFF_FAR_HIGH,
  DEBYE_CUTOFF_CLASSES,
} DebyeCutoffClass;

typedef struct {
  size_t n[DEBYE_CUTOFF_CLASSES];
  uint32_t atom[DEBYE_CUTOFF_CLASSES][DEBYE_CUTOFF_ROOM];
} DebyeCutoffLists;

/* A block: point (column, i, row) stands at (point_x[column][i] + row·shift_x, point_y[i] + row_y[row],
 * point_z[i]) from its middle. */
typedef struct {
  DebyePairForm form;
  DebyePairFloats pair;
  const DebyeCutoffTables *tables;
  float seen2; /* no point sees an atom whose gap to them is longer, squared */
  float
      above2[DEBYE_CUTOFF_FAR + 1]; /* of a class are atoms farther than this, but not than the next one's */
  bool sheared;                     /* shift_x or one of point_y is not 0 */
  uint32_t middle[3];
  float unit, charge_unit;
  float half[3];                        /* of the box around the points */
  float column_x[DEBYE_CUTOFF_COLUMNS]; /* middles of the columns' boxes; in y and z the block's */
  float column_y, column_z, column_half[3];
  float half_y[2],
      half_half_y; /* of the lower and the upper rows' boxes: from column_y, and half their height */
  float point_x[DEBYE_CUTOFF_COLUMNS][DEBYE_CUTOFF_POINTS];
  float point_y[DEBYE_CUTOFF_POINTS], point_z[DEBYE_CUTOFF_POINTS];
  float row_y[DEBYE_CUTOFF_ROWS], shift_x, shift_y;
} DebyeCutoffFrame;

/* The same points for the checking path, in Å: a row of a column. */
typedef struct {
  size_t n_atoms;
  const DebyeBinnedExactAtom *atom;
  const DebyePairFunction *pair;
  double core2;
  double x[DEBYE_CUTOFF_POINTS], y[DEBYE_CUTOFF_POINTS], z[DEBYE_CUTOFF_POINTS];
  double low[3], high[3]; /* of the box around them */
} DebyeCutoffDoubleRow;

typedef struct {
  /* Appends those of `n` atoms (at most DEBYE_CUTOFF_BATCH, and the tile has room for as many) that a point
   * of the block may see. */
  void (*select)(const DebyeCutoffFrame *frame, const DebyeBinnedAtom *atoms, size_t n, uint32_t first_index,
                 DebyeCutoffTile *tile);
  /* What y contributes to d², for all columns. */
  void (*fill_rows)(const DebyeCutoffFrame *frame, DebyeCutoffTile *tile);
  /* Those of the tile's atoms that a point of the column may see. */
  void (*list)(const DebyeCutoffFrame *frame, const DebyeCutoffTile *tile, size_t column,
               DebyeCutoffLists *lists);
  /* Adds listed atoms to the sums of a column. Pairs at the step of a function that has one are left to the
   * caller and appended to the tile's. */
  void (*add)(const DebyeCutoffFrame *frame, DebyeCutoffTile *tile, size_t column, const uint32_t *list,
              size_t n, bool clamped, float (*sum)[DEBYE_CUTOFF_POINTS]);
  /* The same by a table; NULL where the CPU can't look up a vector in its registers. */
  void (*add_by_table)(const DebyeCutoffFrame *frame, DebyeCutoffTile *tile, size_t column,
                       DebyeCutoffClass class, const uint32_t *list, size_t n,
                       float (*sum)[DEBYE_CUTOFF_POINTS]);
  void (*add_double)(const DebyeCutoffDoubleRow *row, double *sum);
} DebyeCutoffBlock;

#define DEBYE_CUTOFF_BATCH 64

DEBYE_DECLARE_LEVELS(DebyeCutoffBlock, debye_cutoff_block)
