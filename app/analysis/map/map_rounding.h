/* SPDX-License-Identifier: MIT */
/* Whether single precision keeps what the direct sum promises, by the charges and the grid of a plan. */
#pragma once

#include "data/results/result.h"
#include "map_plan.h"

G_BEGIN_DECLS

/* Sets plan->rounding to the error that single precision is expected to have, over the map's root mean square
 * (0: not known), and takes double precision where the settings leave the choice and that is more than its
 * tolerance. The plan's grid must be laid. */
void debye_map_rounding_settle(DebyeMapPlan *plan);

/* A warning where single precision was asked for and isn't enough, a reason where double was chosen instead. */
void debye_map_rounding_add_note(DebyeResult *result, const DebyeMapPlan *plan);

G_END_DECLS
