/* SPDX-License-Identifier: MIT */
/* Maps of the free energy and what is said with them. */
#pragma once

#include "app/analysis/density/density_statistic.h"
#include "app/analysis/driver/analysis.h"
#include "ligands_plan.h"

/* Of the means of exp(−E/kT) so far. */
DebyeResult *debye_ligands_result_new(const DebyeRunInput *input, const DebyeLigandsPlan *plan,
                                      const DebyeDensityStatistic *statistic);
/* Of the result of a run that has come to its end: cavities and paths, where they are wanted. */
void debye_ligands_result_add_cavities(DebyeResult *result, const DebyeLigandsPlan *plan);
