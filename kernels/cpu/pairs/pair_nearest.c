/* SPDX-License-Identifier: MIT */
/* Nearest images only, where pairs have several in range; its twin is cuda/pairs/pair_nearest.cuh. */
#include "pair_meetings.h"

void
debye_pair_meet_nearest(const DebyePairMeeting *meeting)
{
  const DebyePairTiles *tiles = &meeting->plan->tiles;
  const size_t tile_atoms = tiles->layout.tile_atoms;
  const int here[3] = {0, 0, 0};
  for (uint32_t other = tiles->group_tile[meeting->group]; other < tiles->group_tile[meeting->group + 1];
       other++) {
    bool self = meeting->same_group && other == meeting->tile;
    if (meeting->same_group && !debye_pair_owns(meeting->tile, other, here))
      continue;
    const uint32_t *atoms_i = tiles->atom + meeting->tile * tile_atoms,
                   *atoms_j = tiles->atom + other * tile_atoms;
    for (size_t i = 0; i < tiles->n_atoms[meeting->tile]; i++)
      for (size_t j = self ? i + 1 : 0; j < tiles->n_atoms[other]; j++)
        debye_pair_count_exact(meeting->plan, meeting->counts,
                               debye_pair_tiles_nearest(tiles, atoms_i[i], atoms_j[j]), 1);
  }
}
