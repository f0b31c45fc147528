/* SPDX-License-Identifier: MIT */
/* What the tests of the cutoff method share.
 *
 * Tolerances of a map. Float: as for the direct sum, 5e-6 of its root mean square. Double: a few ulp of the
 * terms. */
#pragma once

#include "map_test_support.h"
#include "tests/support/oracle_cutoff.h"

#define DEBYE_CUTOFF_MAP_FLOAT 5e-6
#define DEBYE_CUTOFF_MAP_DOUBLE 1e-12

DebyePotentialSettings debye_cutoff_problem_new(DebyeGrid grid, double cutoff, DebyeSmoothing smoothing);
/* Root mean square against the exact sum over images, over that of the map. */
double debye_cutoff_map_error(const DebyePotentialSettings *problem, const DebyeCharges *charges,
                              const DebyeTestMap *map);
/* Computes the map and holds it against the exact sum. Returns how many atoms were overflow. */
size_t debye_cutoff_check(const DebyeMapPath *path, const DebyePotentialSettings *problem,
                          const DebyeCharges *charges);
