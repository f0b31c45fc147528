/* SPDX-License-Identifier: MIT */
/* What the pair histogram refuses, and being stopped. */
#pragma once

#include "pair_test_support.h"

void debye_pair_test_wrong_settings(const DebyePairPath *path);
void debye_pair_test_wrong_frames(const DebyePairPath *path);
void debye_pair_test_cancelled(const DebyePairPath *path);
