/* SPDX-License-Identifier: MIT */
/* What a map took for the settings that the data decide, so that its result tells all of them. */
#pragma once

#include "map_plan.h"

/* What is unset of the atoms, the temperature and the permittivity, which the methods take differently. Nothing happens to
 * requests of other analyses. */
void debye_map_set_effective_defaults(DebyeRequest *request, const DebyeMapSettings *settings);
/* `request` is the result's own. */
void debye_map_set_effective_settings(DebyeRequest *request, const DebyeMapPlan *plan);
