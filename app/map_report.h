/* SPDX-License-Identifier: MIT */
/* What debye-cli says about a map that it has computed. */
#pragma once

#include "arguments.h"
#include "data/result.h"

G_BEGIN_DECLS

/* The endings that a map can be written under, NULL-terminated. */
extern const char *const debye_map_endings[];

/* To standard output: outputs, grid, unit, statistics, devices … `warnings` are those of the files. */
void debye_map_report_json(DebyeResult *result, const char *const *outputs, const char *const *warnings);
/* The result's notes and range, one a line, unless --quiet. */
void debye_map_report_say(DebyeArguments *arguments, DebyeResult *result);

G_END_DECLS
