/* SPDX-License-Identifier: MIT */
/* What debye-cli says about a result that it has computed. */
#pragma once

#include "arguments.h"
#include "data/results/result.h"

/* The endings under which maps, and curves, can be written, NULL-terminated. */
extern const char *const debye_map_endings[], *const debye_curve_endings[];

/* To standard output: outputs, a map's grid, unit and statistics, curves, tables, notes. `warnings` are those
 * of the files. */
void debye_result_report_json(DebyeResult *result, const char *const *outputs, const char *const *warnings);
/* The result's notes and what it shows, one a line, unless --quiet. */
void debye_result_report_say(DebyeArguments *arguments, DebyeResult *result);
