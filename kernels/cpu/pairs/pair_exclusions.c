/* SPDX-License-Identifier: MIT */
/* Excluded pairs' nearest images taken away from the counts; its twin is cuda/pairs/pair_exclusions.cu. */
#include "pair_exclusions.h"

static void
exclude(const DebyePairExcluding *excluding, size_t i, size_t j)
{
  const DebyeCpuPairPlan *plan = excluding->plan;
  const DebyePairTiles *tiles = &plan->tiles;
  size_t groups = plan->settings.n_groups;
  if (i >= tiles->n_frame || j >= tiles->n_frame || tiles->group[i] >= groups || tiles->group[j] >= groups)
    return;
  size_t pair = plan->histogram_of[tiles->group[i] * groups + tiles->group[j]];
  if (pair < plan->settings.n_pairs)
    debye_pair_count_exact(plan, excluding->counts + pair * plan->settings.n_bins,
                           debye_pair_tiles_nearest(tiles, i, j), UINT64_MAX);
}

void
debye_pair_exclude_chunk(void *context, size_t chunk)
{
  const DebyePairExcluding *excluding = context;
  const DebyePairExclusions *exclusions = &excluding->plan->settings.exclusions;
  const size_t n_members = debye_pair_exclusion_members(exclusions);
  size_t at = excluding->begin + chunk * DEBYE_PAIR_EXCLUSION_CHUNK, end = at + DEBYE_PAIR_EXCLUSION_CHUNK,
         class = 0;
  end = end < excluding->end ? end : excluding->end;
  for (; at < end && at < n_members; at++) {
    class = debye_pair_exclusion_class(exclusions, at, class);
    for (size_t other = at + 1; other < exclusions->class_first[class + 1]; other++)
      exclude(excluding, exclusions->members[at], exclusions->members[other]);
  }
  for (; at < end; at++) {
    size_t i = at - n_members;
    for (size_t k = exclusions->partner_first[i]; k < exclusions->partner_first[i + 1]; k++)
      exclude(excluding, i, exclusions->partners[k]);
  }
}
