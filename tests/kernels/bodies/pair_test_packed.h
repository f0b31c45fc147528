/* SPDX-License-Identifier: MIT */
/* Frames that reach the kernel packed. */
#pragma once

#include "pair_test_support.h"

void debye_pair_test_packed(const DebyePairPath *path);
void debye_pair_test_packed_refusals(const DebyePairPath *path);
