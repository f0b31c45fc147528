/* SPDX-License-Identifier: MIT */
/* Scattering in time as a run: F(q, τ), spectra, rows of single vectors. scattering_analysis.c calls it; it
 * calls intermediate_scattering.h for each block of rows and scattering_dynamic_result.c for the result. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "app/analysis/scattering/system/scattering_plan.h"

/* Whether the plan's times and frames suit each other. FALSE with *key, the setting that is the cause. */
gboolean debye_scattering_dynamic_check(DebyeScatteringPlan *plan, const char **key, GError **error);

/* DebyeAnalysis.run of such a plan. */
DebyeResult *debye_scattering_dynamic_run(DebyeScatteringPlan *plan, const DebyeRunInput *input,
                                          GError **error);

/* Lags of a result, τ = 0 among them: up to the longest that is asked for, else as many as frames. 0: the
 * frames, `step` ps apart (0: not known), don't last so long. */
gsize debye_scattering_count_lags(const DebyeScatteringPlan *plan, double step);
