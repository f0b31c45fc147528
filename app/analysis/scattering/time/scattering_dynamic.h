/* SPDX-License-Identifier: MIT */
/* Scattering in time as a run. */
#pragma once

#include "app/analysis/driver/analysis.h"

G_BEGIN_DECLS

/* Whether the request asks for courses in time: F(q, τ), a spectrum, or rows of single vectors, whose means
 * in time are told. */
gboolean debye_scattering_is_dynamic(DebyeRequest *request);

/* DebyeAnalysis.check of such a request: with times and frames that suit each other. */
gboolean debye_scattering_dynamic_check(DebyeDataset *dataset, DebyeRequest *request, const char **key,
                                        GError **error);

/* DebyeAnalysis.run of such a request. */
DebyeResult *debye_scattering_dynamic_run(const DebyeRunInput *input, GError **error);

G_END_DECLS
