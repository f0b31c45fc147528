/* SPDX-License-Identifier: MIT */
/* Scattering in time as a run: F(q, τ), spectra, rows of single vectors. scattering_analysis.c calls it; it
 * calls intermediate_scattering.h for each block of rows and scattering_dynamic_result.c for the result. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "app/analysis/scattering/system/scattering_plan.h"
#include "kernels/scattering/correlation.h"

G_BEGIN_DECLS

/* Whether the request asks for scattering in time: F(q, τ), a spectrum, or rows of single vectors and
 * their means in time. */
gboolean debye_scattering_is_dynamic(DebyeRequest *request);

/* DebyeAnalysis.check of such a request: with times and frames that suit each other. */
gboolean debye_scattering_dynamic_check(DebyeDataset *dataset, DebyeRequest *request, const char **key,
                                        GError **error);

/* DebyeAnalysis.run of such a request. */
DebyeResult *debye_scattering_dynamic_run(const DebyeRunInput *input, GError **error);

/* Lags of a result, τ = 0 among them: up to the longest that is asked for, else as many as frames. 0: the
 * frames, `step` ps apart (0: not known), don't last so long. */
gsize debye_scattering_count_lags(const DebyeScatteringPlan *plan, DebyeRequest *request, DebyeSignal signal,
                                  double step);

G_END_DECLS
