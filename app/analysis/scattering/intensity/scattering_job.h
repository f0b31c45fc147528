/* SPDX-License-Identifier: MIT */
/* Computes I(q) as a job: keeps the rows of an earlier result and computes the others block by block.
 * scattering_analysis.c calls it for static scattering; it calls scattering_run.c for each block, which calls
 * the method of scattering_method.c. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "app/analysis/scattering/system/scattering_plan.h"

/* As debye_analysis_scattering's run. */
DebyeResult *debye_scattering_job_run(const DebyeScatteringPlan *plan, const DebyeRunInput *input,
                                      GError **error);
