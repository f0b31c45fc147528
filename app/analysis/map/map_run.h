/* SPDX-License-Identifier: MIT */
/* Computes a map as planned; called by map_analysis.c. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "map_plan.h"

G_BEGIN_DECLS

/* DebyeAnalysis.run of the map. */
DebyeResult *debye_map_run(const DebyeMapPlan *plan, const DebyeRunInput *input, GError **error);

G_END_DECLS
