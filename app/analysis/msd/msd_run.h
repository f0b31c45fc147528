/* SPDX-License-Identifier: MIT */
/* Mean square displacements from their plan to their result; msd_analysis.c calls it. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "msd_plan.h"

G_BEGIN_DECLS

/* NULL with an error. A stopped run gives what it has: the frames that were read, or the centres that were
 * followed through all. */
DebyeResult *debye_msd_run(const DebyeMsdPlan *plan, const DebyeRunInput *input, GError **error);

G_END_DECLS
