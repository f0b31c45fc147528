/* SPDX-License-Identifier: MIT */
/* What every method refuses alike. */
#pragma once

#include "map_test_support.h"

/* A small map of a method, for four charges in slabs of four planes at most. */
DebyePotentialSettings debye_small_map_settings(const DebyeMapPath *path, DebyePotentialMethod method,
                                                unsigned periodic);
/* Checks that no plan is made, with a sentence. */
void debye_map_check_refused(const DebyeMapPath *path, const DebyePotentialSettings *settings);
/* With a plan for a small map: charges, cells, slabs and arrays that can't be; then one that was told to
 * stop, and that it works after all of that. */
void debye_map_check_arguments(const DebyeMapPath *path, const DebyePotentialSettings *small);
