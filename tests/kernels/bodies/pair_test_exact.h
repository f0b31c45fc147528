/* SPDX-License-Identifier: MIT */
/* Pair counts against the oracle's, in every cell, and each path against the others. */
#pragma once

#include "pair_test_support.h"

void debye_pair_test_cells(const DebyePairPath *path);
void debye_pair_test_nearest(const DebyePairPath *path);
void debye_pair_test_open(const DebyePairPath *path);
void debye_pair_test_far_from_origin(const DebyePairPath *path);
void debye_pair_test_bin_widths(const DebyePairPath *path);
void debye_pair_test_groups(const DebyePairPath *path);
void debye_pair_test_some_pairs(const DebyePairPath *path);
void debye_pair_test_few_atoms(const DebyePairPath *path);
void debye_pair_test_exclusions(const DebyePairPath *path);
void debye_pair_test_same_counts(const DebyePairPath *path);
void debye_pair_test_frames(const DebyePairPath *path);
