/* SPDX-License-Identifier: MIT */
/* Which tiles meet, in which images of the cell; its twin is cpu/pairs/pair_meetings.c. */
#pragma once

#include "pair_approach.cuh"

/* Boxes of the lattice, or columns, that [from, to] touches. */
struct DebyePairRange {
  int first, last;
};

static __device__ __forceinline__ DebyePairRange
debye_touched(double from, double to, double inverse_length)
{
  return {(int)floor(from * inverse_length), (int)floor(to * inverse_length)};
}

static __device__ __forceinline__ DebyePairRange
debye_columns_touched(double from, double to, double per_length, uint32_t n)
{
  return {(int)fmin(fmax(floor(from * per_length), 0.0), (double)n),
          (int)fmax(fmin(floor(to * per_length), (double)n - 1.0), -1.0)};
}

/* A column's tiles, a lane looks at one: whether it meets tile i, and how its distances are told. */
template <class Shape>
static __device__ __forceinline__ void
debye_meet_column(const DebyePairLaunch &launch, DebyeTilePair &tiles, const DebyeTileBox &box,
                  const double *shift, uint32_t column, uint32_t part, const float4 (&atoms_i)[Shape::EACH],
                  DebyePairShared<Shape> *shared, unsigned *histogram)
{
  const uint32_t lane = threadIdx.x % 32, end = launch.column_tile[column + 1];
  const bool same_group = shared->work.same_group != 0;
  for (uint32_t first = launch.column_tile[column]; first < end; first += 32) {
    const uint32_t mine = first + lane;
    DebyePairApproach approach = {};
    bool meets = mine < end && (!same_group || debye_pair_owns(tiles.i, mine, tiles.n)) &&
                 (launch.parts_by_tile == 0 || mine % launch.n_parts == part);
    if (meets) {
      const DebyeTileBox other = launch.box[mine];
      for (int k = 0; k < 3; k++)
        approach.between[k] = (box.middle[k] - other.middle[k]) - shift[k];
      meets = debye_boxes_meet(approach.between, box.half, other.half, launch.layout.reach);
      if (meets)
        debye_set_approach(launch, box, other, same_group && tiles.i == mine, &approach);
    }
    for (unsigned left = __ballot_sync(~0u, meets); left != 0; left &= left - 1) {
      const int from = __ffs(left) - 1;
      tiles.j = first + from;
      debye_meet<Shape>(launch, tiles, debye_approach_of_lane(approach, from), box, atoms_i, shared,
                        histogram);
    }
  }
}

/* The columns within reach in one image of the box; *column_number counts columns over all images. */
template <class Shape>
static __device__ __forceinline__ void
debye_meet_image(const DebyePairLaunch &launch, DebyeTilePair &tiles, const DebyeTileBox &box, uint32_t part,
                 uint32_t *column_number, const float4 (&atoms_i)[Shape::EACH],
                 DebyePairShared<Shape> *shared, unsigned *histogram)
{
  const DebyePairColumns columns = launch.columns[shared->work.group];
  double shift[3], from[3], to[3];
  debye_lattice_shift(&launch.layout.lattice, tiles.n, shift);
  for (int k = 0; k < 3; k++) {
    const double middle = box.middle[k] - shift[k] - launch.layout.low[k];
    const double reach = (double)box.half[k] + launch.layout.reach;
    from[k] = middle - reach;
    to[k] = middle + reach;
  }
  const DebyePairRange x = debye_columns_touched(from[0], to[0], columns.per_x, columns.nx);
  const DebyePairRange y = debye_columns_touched(from[1], to[1], columns.per_y, columns.ny);
  for (int cy = y.first; cy <= y.last; cy++)
    for (int cx = x.first; cx <= x.last; cx++)
      if ((*column_number)++ % launch.n_parts == part || launch.parts_by_tile != 0)
        debye_meet_column<Shape>(launch, tiles, box, shift, columns.first_column + cx + columns.nx * cy, part,
                                 atoms_i, shared, histogram);
}

/* One item: a tile of the first group against its part of the second's tiles, in all images. */
template <class Shape>
static __device__ __forceinline__ void
debye_do_item(const DebyePairLaunch &launch, unsigned long long item, DebyePairShared<Shape> *shared,
              unsigned *histogram)
{
  const unsigned lane = threadIdx.x % 32;
  const DebyeLattice &lattice = launch.layout.lattice;
  const uint32_t part = (uint32_t)(item % launch.n_parts);
  uint32_t column_number = 0;
  DebyeTilePair tiles = {};
  tiles.i = shared->work.first_tile + (uint32_t)(item / launch.n_parts);
  const DebyeTileBox box = launch.box[tiles.i];
  float4 atoms_i[Shape::EACH];
#pragma unroll
  for (int a = 0; a < Shape::EACH; a++) {
    atoms_i[a] = launch.slots[(size_t)tiles.i * (Shape::TILE) + lane + 32 * a];
    /* Nowhere else than an empty place of j is. */
    if (lane + 32 * a >= launch.tile_atoms[tiles.i])
      atoms_i[a].x = -DEBYE_PAIR_NOWHERE;
  }
  if (!lattice.periodic) {
    debye_meet_image<Shape>(launch, tiles, box, part, &column_number, atoms_i, shared, histogram);
    return;
  }
  double from[3], to[3];
  for (int k = 0; k < 3; k++) {
    from[k] = box.middle[k] - (double)box.half[k] - launch.layout.reach;
    to[k] = box.middle[k] + (double)box.half[k] + launch.layout.reach;
  }
  const DebyePairRange c = debye_touched(from[2], to[2], lattice.inverse[2]);
  for (tiles.n[2] = c.first; tiles.n[2] <= c.last; tiles.n[2]++) {
    const double y = tiles.n[2] * lattice.vector[2][1];
    const DebyePairRange b = debye_touched(from[1] - y, to[1] - y, lattice.inverse[1]);
    for (tiles.n[1] = b.first; tiles.n[1] <= b.last; tiles.n[1]++) {
      const double x = tiles.n[2] * lattice.vector[2][0] + tiles.n[1] * lattice.vector[1][0];
      const DebyePairRange a = debye_touched(from[0] - x, to[0] - x, lattice.inverse[0]);
      for (tiles.n[0] = a.first; tiles.n[0] <= a.last; tiles.n[0]++)
        debye_meet_image<Shape>(launch, tiles, box, part, &column_number, atoms_i, shared, histogram);
    }
  }
}
