/* SPDX-License-Identifier: MIT */
/* Maps in files for debye-cli, and the results of them that `field` makes and `rerun` makes again. */
#pragma once

#include "arguments.h"
#include "data/results/result.h"

/* The map in a file, with progress, which ends with Ctrl-C; its warnings are printed (or the error, under
 * --strict). */
DebyeField *debye_cli_load_field(const char *path, gpointer arguments, GError **error);

/* The result of debye_field_run for the map in the file `path`, less that in `subtract`, which may be NULL;
 * its inputs are said. `request` is of debye_field_table. */
DebyeResult *debye_cli_make_field(DebyeArguments *arguments, DebyeRequest *request, const char *path,
                                  const char *subtract, GError **error);
