/* SPDX-License-Identifier: MIT */
/* I(q) as a job: rows that an earlier result holds are kept, the rest comes block by block. */
#pragma once

#include "app/analysis/driver/analysis.h"

G_BEGIN_DECLS

/* As debye_analysis_scattering's run. */
DebyeResult *debye_scattering_job_run(const DebyeRunInput *input, GError **error);

G_END_DECLS
