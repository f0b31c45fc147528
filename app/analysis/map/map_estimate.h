/* SPDX-License-Identifier: MIT */
/* What a map will cost; placed ions begin with one. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "map_plan.h"

/* Fills *estimate for all frames of the plan on the devices that `lanes` asks for. */
gboolean debye_map_estimate(const DebyeMapPlan *plan, const DebyeLaneSettings *lanes,
                            const DebyeRegistry *registry, DebyeEstimate *estimate, GError **error);
