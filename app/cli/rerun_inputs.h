/* SPDX-License-Identifier: MIT */
/* The files that a result was made from: found again, and held against what the result keeps of them. */
#pragma once

#include "arguments.h"
#include "data/results/result.h"

/* Files are named as they were given; where the folder is another now, they are looked for beside the result.
 * Puts the names that are found into `inputs` and into those settings that name a file. FALSE with an error
 * where one of them is to be written over. */
gboolean debye_rerun_find_files(DebyeArguments *arguments, DebyeRequest *request, char **inputs,
                                const char *result, GError **error);
/* Warns of each input, and of each file that a setting of `request` names, whose size or SHA-256 is another
 * than that which `stored` keeps, if it does, and puts its name into `changed`. What was found of the inputs
 * that had to be read for it (element-type DebyeInputRecord); NULL with an error: of --strict, or stopped. */
GPtrArray *debye_rerun_check_inputs(DebyeArguments *arguments, DebyeResult *stored, DebyeRequest *request,
                                    char **inputs, GStrvBuilder *changed, GError **error);

/* The name of an input that is there: as it was given, or beside the result. Free with g_free. */
char *debye_rerun_find_file(const char *name, const char *result);
/* The same warnings for files by themselves: `records` (DebyeInputRecord) as they were, `paths` as many, where they are now. */
gboolean debye_rerun_check_records(DebyeArguments *arguments, GPtrArray *records, const char *const *paths,
                                   GStrvBuilder *changed, GError **error);
