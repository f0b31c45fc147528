/* SPDX-License-Identifier: MIT */
/* What the tests of the pair histogram share: a body runs on every device that there is, each instruction set
 * of the processor and each size of tiles. */
#pragma once

#include "kernels/backend.h"
#include "kernels/pairs/pair_histogram.h"
#include "tests/support/pair_systems.h"

/* What a body runs on. */
typedef struct {
  const DebyePairHistogramKernel *kernel;
  int device;
  unsigned tile_atoms;
  size_t n_slices;
} DebyePairPath;

/* A group with itself. */
extern const DebyeGroupPair debye_pair_like;

/* The counts of one frame, slice by slice; to be freed. What is written behind them fails. */
uint64_t *debye_pair_test_count(const DebyePairPath *path, const DebyePairSettings *given,
                                const DebyePairFrame *frame);
void debye_pair_check_against_oracle(const DebyePairPath *path, const DebyePairSettings *settings,
                                     const DebyePairFrame *frame);
DebyePairSettings debye_pair_settings_for(const DebyePairSystem *system, const DebyeGroupPair *pairs,
                                          size_t n_pairs, size_t n_groups, double r_max, size_t n_bins);
/* Atoms at random in a cell, all pairs of groups, against the oracle. */
void debye_pair_check_random(const DebyePairPath *path, const DebyeCell *cell, size_t n, size_t n_groups,
                             double r_max, size_t n_bins, DebyePairImages images, double offset);
