/* SPDX-License-Identifier: MIT */
/* Nearest images only, where pairs have several in range; its twin is cpu/pairs/pair_nearest.c. */
#pragma once

#include "pair_block.cuh"

/* Pairs that have several images in range, of which only the nearest counts: in double, one by one. */
template <class Shape>
static __device__ __forceinline__ void
debye_do_nearest(const DebyePairLaunch &launch, unsigned long long item, const DebyePairWork &work,
                 unsigned *histogram)
{
  const uint32_t lane = threadIdx.x % 32, tile_atoms = launch.layout.tile_atoms;
  const uint32_t tile = work.first_tile + (uint32_t)(item / launch.n_parts), part = item % launch.n_parts;
  const DebyePairColumns columns = launch.columns[work.group];
  const DebyePairBins bins = {launch.edge2, launch.n_bins, launch.inverse_width};
  const uint32_t end = launch.column_tile[columns.first_column + columns.nx * columns.ny];
  const int here[3] = {0, 0, 0};
  for (uint32_t other = launch.column_tile[columns.first_column]; other < end; other++) {
    if (other % launch.n_parts != part || (work.same_group != 0 && !debye_pair_owns(tile, other, here)))
      continue;
    for (uint32_t i = lane; i < launch.tile_atoms[tile]; i += 32)
      for (uint32_t j = work.same_group != 0 && tile == other ? i + 1 : 0; j < launch.tile_atoms[other];
           j++) {
        const size_t u = launch.atom[(size_t)tile * tile_atoms + i];
        const size_t v = launch.atom[(size_t)other * tile_atoms + j];
        const double square = debye_pair_nearest(&launch.layout.lattice, &launch.place[3 * (u < v ? u : v)],
                                                 &launch.place[3 * (u < v ? v : u)]);
        const size_t bin = debye_pair_bin(&bins, square);
        if (bin < launch.n_bins)
          debye_count_bin<Shape>(launch, histogram, work.histogram, bin);
      }
  }
}
