/* SPDX-License-Identifier: MIT */
/* I(q): the sums over frames that a plan asks for. */
#pragma once

#include "analysis.h"
#include "scattering_plan.h"

G_BEGIN_DECLS

/* The rows of a plan, as debye_analysis_scattering's run. The result's request is that of the input. */
DebyeResult *debye_scattering_run_rows(const DebyeRunInput *input, const DebyeScatteringPlan *plan,
                                       GError **error);

G_END_DECLS
