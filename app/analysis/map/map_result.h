/* SPDX-License-Identifier: MIT */
/* Makes the result of a map, complete or partial; called by the runs of maps. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "map_plan.h"

/* Takes `values`, one a point of the plan's grid, in the plan's unit. */
DebyeResult *debye_map_result_new(const DebyeRunInput *input, const DebyeMapPlan *plan, gsize n_frames_done,
                                  float *values);
/* A second map: how sure the mean is. Nothing with fewer than two whole blocks. */
void debye_map_result_add_error(DebyeResult *result, const DebyeMapPlan *plan,
                                const DebyeMapAccumulator *accumulator);

/* Room for values that nobody has written. NULL: no memory. */
float *debye_map_result_new_values(gsize n_points);
/* Copies of values in e/Å in the request's unit; one of the two is NULL. NULL: no memory. */
float *debye_map_result_scale(const DebyeMapPlan *plan, const float *single, const double *twice);
float *debye_map_result_scale_statistic(const DebyeMapPlan *plan, const DebyeMapAccumulator *accumulator);
