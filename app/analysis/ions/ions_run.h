/* SPDX-License-Identifier: MIT */
/* Places ions as planned; called by ions_analysis.c. */
#pragma once

#include "app/analysis/driver/analysis.h"

/* DebyeAnalysis.run of the ions. */
DebyeResult *debye_ions_run(gpointer plan, const DebyeRunInput *input, GError **error);
