/* SPDX-License-Identifier: MIT */
/* A result in a few lines, for the tooltips of results_panel.c. */
#pragma once

#include "data/results/result.h"

/* What it is, of which files, and the few settings that make it this one; what it warns of; when it was made,
 * by which version and on what. All settings and the story of the run are in its file. Free with g_free. */
char *debye_result_describe(DebyeResult *result);
/* "Made 14 July 2026, 09:05 with Debye 1.2, in 0.3 s on …"; NULL: it isn't known. Free with g_free. */
char *debye_result_describe_origin(DebyeResult *result);
