/* SPDX-License-Identifier: MIT */
/* Puts mean square displacements into a result: curves, tables and notes. msd_analysis.c calls it. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "msd_paths.h"
#include "msd_statistic.h"

/* The result of paths of n_frames, `paths` telling their times. */
DebyeResult *debye_msd_result_new(const DebyeRunInput *input, const DebyeMsdPlan *plan,
                                  const DebyeMsdPaths *paths, gsize n_frames,
                                  const DebyeMsdStatistic *statistic);
