/* SPDX-License-Identifier: MIT */
/* Counting pair distributions that are planned. */
#pragma once

#include "app/analysis/driver/analysis.h"

/* DebyeAnalysis.run of pair distributions. */
DebyeResult *debye_rdf_run(gpointer plan, const DebyeRunInput *input, GError **error);
