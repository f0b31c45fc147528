/* SPDX-License-Identifier: MIT */
/* What pair histograms are compared with: plain loops over pairs and over the images of the caller's own
 * cell, in double, nothing wrapped, reduced or sorted. */
#pragma once

#include "kernels/pairs/pair_histogram.h"

/* counts[pair·n_bins + bin], with exclusions and self images as the settings say; near[pair·(n_bins + 1) +
 * edge]: pairs that are so near to the edge. */
void debye_oracle_pairs(const DebyePairSettings *settings, const DebyePairFrame *frame, uint64_t *counts,
                        uint64_t *near);
/* How many histograms, of the settings' pairs, differ by more than what stands near the edges. */
size_t debye_oracle_pairs_compare(const DebyePairSettings *settings, const uint64_t *counts,
                                  const uint64_t *expected, const uint64_t *near);
/* The distance of j's nearest image from i, by trying all that could be. */
double debye_oracle_pair_distance(const DebyeCell *cell, DebyeVec3 i, DebyeVec3 j);
