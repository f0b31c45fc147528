/* SPDX-License-Identifier: MIT */
/* Maps of the cutoff method against the exact sum. */
#include "cutoff_test_support.h"

DebyePotentialSettings
debye_cutoff_problem_new(DebyeGrid grid, double cutoff, DebyeSmoothing smoothing)
{
  return (DebyePotentialSettings){.method = DEBYE_POTENTIAL_CUTOFF,
                                  .grid = grid,
                                  .core_radius = DEBYE_MAP_CORE,
                                  .cutoff = cutoff,
                                  .smoothing = smoothing};
}

double
debye_cutoff_map_error(const DebyePotentialSettings *problem, const DebyeCharges *charges,
                       const DebyeTestMap *map)
{
  const DebyePairFunction function = debye_pair_function_smoothing(problem->smoothing, problem->cutoff);
  const DebyeCutoffProblem oracle = {&function, problem->core_radius, problem->periodic, &problem->cell};
  return debye_oracle_cutoff_error(&oracle, charges, &problem->grid, map->floats,
                                   map->exact ? map->doubles : NULL, 60);
}

size_t
debye_cutoff_check(const DebyeMapPath *path, const DebyePotentialSettings *problem,
                   const DebyeCharges *charges)
{
  DebyeTestMap map = debye_map_compute(path, problem, charges);
  CHECK_AT_MOST(debye_cutoff_map_error(problem, charges, &map),
                path->exact ? DEBYE_CUTOFF_MAP_DOUBLE : DEBYE_CUTOFF_MAP_FLOAT);
  debye_test_map_clear(&map);
  return map.n_overflow;
}
