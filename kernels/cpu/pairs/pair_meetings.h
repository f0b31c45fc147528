/* SPDX-License-Identifier: MIT */
/* Tiles that meet, counted; its twin is cuda/pairs/pair_meetings.cuh. */
#pragma once

#include "pair_plan.h"

/* A tile and the group whose tiles it meets. */
typedef struct {
  const DebyeCpuPairPlan *plan;
  DebyePairScratch *scratch;
  uint64_t *counts; /* of the pair of groups */
  uint32_t tile, group;
  bool same_group;
} DebyePairMeeting;

/* The tile's pairs with the group's tiles in range, in all images. */
void debye_pair_meet_all(DebyePairMeeting *meeting);
/* The same with nearest images only, beyond half the shortest lattice vector, pair by pair: for comparison
 * with programs that count so, not for speed (pair_nearest.c). */
void debye_pair_meet_nearest(const DebyePairMeeting *meeting);
