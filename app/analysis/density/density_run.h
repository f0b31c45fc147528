/* SPDX-License-Identifier: MIT */
/* The run of a density over its frames. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "density_plan.h"

G_BEGIN_DECLS

DebyeResult *debye_density_run(DebyeDensityPlan *plan, const DebyeRunInput *input, GError **error);

G_END_DECLS
