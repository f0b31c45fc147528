/* SPDX-License-Identifier: MIT */
/* What the commands of analyses do, all in the same way: open the files, compute, write the outputs, say what
 * came of it. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "arguments.h"

G_BEGIN_DECLS

/* Runs the analysis on the arguments' files. Without an output there must be --json: listed says which
 * endings there are. Under MPI the first rank alone writes and reports. FALSE and no error: Ctrl-C left a
 * partial result, which is written. */
gboolean debye_cli_run_analysis(DebyeArguments *arguments, const DebyeAnalysis *analysis,
                                const char *const *endings, const char *listed, GError **error);

G_END_DECLS
