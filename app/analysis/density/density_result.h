/* SPDX-License-Identifier: MIT */
/* What a density has summed over frames, and the map or curve with its standard error that comes of it. */
#pragma once

#include "app/analysis/driver/device_choice.h"
#include "density_plan.h"
#include "density_statistic.h"

typedef struct {
  DebyeDensityPlan *plan;
  DebyeDensityStatistic statistic;
  double bulk;       /* Σ over frames of what all atoms weigh over the cell's volume */
  double length;     /* Σ of the cell's height along a profile's axis, Å */
  double *volumes;   /* Σ of bins' volumes by distance to atoms; NULL otherwise */
  guint64 n_weighed; /* atoms, over all frames */
  DebyeLaneTotals lanes;
} DebyeDensityCounted;

DebyeResult *debye_density_result_new(const DebyeRunInput *input, const DebyeDensityCounted *counted);
