/* SPDX-License-Identifier: MIT */
/* A frame's atoms in tiles, on the CPU: pair_layout.h made real; its twin is cuda/pairs/pair_tiles.cu. */
#pragma once

#include "kernels/pairs/pair_layout.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/plan_memory.h"

typedef struct {
  uint64_t key;
  uint32_t atom;
} DebyeKeyedAtom;

typedef struct {
  DebyePairLayout layout;
  DebyePairColumns *columns; /* of each group */
  uint32_t *group_tile;      /* first tile of each group; one entry more */
  uint32_t *column_tile;     /* first tile of each column; one entry more */
  size_t n_tiles;
  DebyeTileBox *box;
  float *x, *y, *z;   /* from the tile's middle; tile_atoms places a tile, the empty ones nowhere */
  uint32_t *atom;     /* in each place; UINT32_MAX in an empty one */
  uint32_t *n_atoms;  /* in each tile */
  double *place;      /* of each atom of the frame, three each, in the turned frame */
  uint32_t *group;    /* of each atom of the frame */
  DebyePairScan scan; /* of the frame */
  DebyeKeyedAtom *sorted, *spare;
  size_t n_sorted, n_frame;
} DebyePairTiles;

/* Its part of a plan's list. */
void debye_pair_tiles_list(DebyePairTiles *tiles, const DebyePairSettings *settings, DebyePlanMemory *memory);
DebyeStatusCode debye_pair_tiles_set(DebyePairTiles *tiles, const DebyePairSettings *settings,
                                     const DebyePairFrame *frame, DebyePool *pool, DebyeStatus *status);
/* The squared distance of two atoms' nearest images. */
double debye_pair_tiles_nearest(const DebyePairTiles *tiles, size_t i, size_t j);
