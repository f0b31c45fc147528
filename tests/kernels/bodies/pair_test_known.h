/* SPDX-License-Identifier: MIT */
/* Pair counts that are known without counting. */
#pragma once

#include "pair_test_support.h"

void debye_pair_test_crystals(const DebyePairPath *path);
void debye_pair_test_primitive_cell(const DebyePairPath *path);
void debye_pair_test_edges(const DebyePairPath *path);
void debye_pair_test_ideal_gas(const DebyePairPath *path);
