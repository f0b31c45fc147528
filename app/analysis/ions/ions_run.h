/* SPDX-License-Identifier: MIT */
/* Places ions as planned; called by ions_analysis.c. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "ions_plan.h"

G_BEGIN_DECLS

/* The name of the table of ions in a result: index, element, x, y, z, potential before the ion was put
 * there. */
#define DEBYE_IONS_TABLE "ions"

/* DebyeAnalysis.run of the ions. */
DebyeResult *debye_ions_run(const DebyeIonsPlan *plan, const DebyeRunInput *input, GError **error);

G_END_DECLS
