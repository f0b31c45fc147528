/* SPDX-License-Identifier: MIT */
/* How a frame's atoms are put into tiles, the same on every device, and who counts which pair.
 *
 * Each group has its own columns: the box (the cell in its turned frame, or the bounding box of an open
 * system) is divided along x and y into upright columns, a column's atoms are sorted by z and cut into tiles
 * of `tile_atoms`. Tiles are then nearly cubes, all but a column's last are full, and where a tile's
 * neighbours are follows from arithmetic: no lists, so that memory does not depend on the number of pairs.
 * With r_max large against a tile this is the sum over all pairs of tiles, with those out of range skipped;
 * with r_max small it is a cell list; there is no border between the two.
 *
 * Images are lattice vectors of whole tiles: a pair of tiles is looked at once for every lattice vector that
 * brings their boxes into range, and its pairs of atoms then need no minimum image.
 *
 * The task (pair of groups, tile i of its first group) counts the pairs of i's atoms with those of all tiles
 * of the second group. Of one group with itself each pair of tiles belongs to one of the two
 * (debye_pair_owns). Slices are runs of tasks. */
#pragma once

#include "pair_math.h"

DEBYE_BEGIN_DECLS

/* Bits of the height in a sort key. */
#define DEBYE_PAIR_HEIGHT_BITS 24
/* A tile's empty places stand here, relative to it: far from everything, and the square is still a float. */
#define DEBYE_PAIR_NOWHERE 1e15f

/* The columns of one group: number x + nx·y of `first_column` on. */
typedef struct {
  uint64_t n_atoms;
  uint32_t nx, ny;
  uint32_t first_column;
  double per_x, per_y; /* columns per Å */
} DebyePairColumns;

typedef struct {
  DebyeLattice lattice;
  double low[3], length[3]; /* the box; low is zero in a periodic system */
  double height_scale;
  double r_max;
  double reach; /* r_max and a margin for rounding */
  double bins_per_angstrom;
  unsigned tile_atoms;
  uint32_t n_columns; /* of all groups */
  bool nearest_only;  /* pairs have several images in range, of which only the nearest counts */
} DebyePairLayout;

/* A tile's box in the turned frame. */
typedef struct {
  double middle[3];
  float half[3]; /* at least half the lengths */
  float radius;  /* of the box: |half| */
} DebyeTileBox;

/* What a frame is before it is laid out. */
typedef struct {
  uint64_t *group_size;   /* n_groups */
  uint64_t groups_number; /* of the frame that they are of; 0: none */
  float low[3], high[3];  /* of an open system's atoms that take part; 0 where there are none */
} DebyePairScan;

/* INVALID with the reason where there are too many atoms, packed ones in an open system or more than the plan has room for, or
 * the cell can't be used or is too small for r_max: all that is known without a look at positions. */
DebyeStatusCode debye_pair_frame_check(const DebyePairSettings *settings, const DebyePairFrame *frame,
                                       DebyeStatus *status);
/* INVALID with the reason where there are too many atoms, the cell can't be used or is too small for r_max,
 * or a position is not a number (the atom is named, counted from 1). Else fills the scan. */
DebyeStatusCode debye_pair_scan(const DebyePairSettings *settings, const DebyePairFrame *frame,
                                DebyePairScan *scan, DebyeStatus *status);
/* Columns of each group, n_groups of them, for a frame that was scanned. */
void debye_pair_layout_set(DebyePairLayout *layout, DebyePairColumns *columns,
                           const DebyePairSettings *settings, const DebyePairFrame *frame,
                           const DebyePairScan *scan);
/* As many columns and tiles as n atoms in groups can need at most. */
uint64_t debye_pair_max_columns(const DebyePairSettings *settings);
uint64_t debye_pair_max_tiles(const DebyePairSettings *settings, unsigned tile_atoms);
/* Places in tiles, whatever the size of tiles. */
uint64_t debye_pair_max_slots(const DebyePairSettings *settings);

/* Orders atoms: by group, column, height. */
DEBYE_SHARED_MATH uint64_t
debye_pair_key(const DebyePairLayout *layout, const DebyePairColumns *columns, const double *place)
{
  const double top = (double)((1 << DEBYE_PAIR_HEIGHT_BITS) - 1);
  double x = (place[0] - layout->low[0]) * columns->per_x, y = (place[1] - layout->low[1]) * columns->per_y;
  double z = (place[2] - layout->low[2]) * layout->height_scale;
  uint32_t cx = (uint32_t)fmin(fmax(x, 0.0), (double)(columns->nx - 1));
  uint32_t cy = (uint32_t)fmin(fmax(y, 0.0), (double)(columns->ny - 1));
  uint64_t column = (uint64_t)columns->first_column + cx + (uint64_t)columns->nx * cy;
  return (column << DEBYE_PAIR_HEIGHT_BITS) | (uint64_t)fmin(fmax(z, 0.0), top);
}

/* Of a group with itself: whether the pair of tiles (i, j), for this lattice vector, is counted by i's task.
 * One of (i, j, n) and (j, i, −n) is, evenly shared. */
DEBYE_SHARED_MATH bool
debye_pair_owns(uint32_t i, uint32_t j, const int *n)
{
  if (i == j)
    return n[2] > 0 || (n[2] == 0 && (n[1] > 0 || (n[1] == 0 && n[0] >= 0)));
  return ((i < j) != (((i ^ j) & 1u) != 0));
}

/* How near to an edge, in bins, a float's distance can't tell its bin. With u = 2⁻²⁴, D the vector between
 * the middles, h the boxes' radii and d ≤ |D| + h_i + h_j any distance in range: the places in the tiles are
 * rounded (u·h each), so is the one atom's place relative to the other's tile (u·(|D| + 2·h_i)) and the
 * difference (u·(|D| + h_i + h_j)); the square of the distance has three roundings, its root (GPU) an error
 * of two units, the scale and the product one each: 1.5 + 2 + 2. */
DEBYE_SHARED_MATH float
debye_pair_tolerance(const DebyePairLayout *layout, const double *between, float radii)
{
  double apart = sqrt(debye_dot3(between, between)), farthest = fmin(apart + (double)radii, layout->reach);
  double tolerance = 5.9604644775390625e-8 * (2.0 * apart + 5.0 * (double)radii + 5.6 * farthest);
  return (float)(tolerance * layout->bins_per_angstrom * 1.0001 + 1e-9);
}

/* Whether boxes so far apart have points within reach. */
DEBYE_SHARED_MATH bool
debye_boxes_meet(const double *between, const float *half_i, const float *half_j, double reach)
{
  double square = 0.0;
  for (int k = 0; k < 3; k++) {
    double gap = fmax(fabs(between[k]) - (double)half_i[k] - (double)half_j[k], 0.0);
    square = fma(gap, gap, square);
  }
  return square < reach * reach;
}

/* The group whose tiles are a pair's tasks: the larger one. */
static inline uint32_t
debye_pair_first_group(const DebyePairColumns *columns, DebyeGroupPair pair)
{
  return columns[pair.a].n_atoms >= columns[pair.b].n_atoms ? pair.a : pair.b;
}

DEBYE_END_DECLS
