/* SPDX-License-Identifier: MIT */
/* What `field` makes and `rerun` makes again: a result of maps in files. */
#pragma once

#include "arguments.h"
#include "data/result.h"

G_BEGIN_DECLS

/* The result of debye_field_run for the map in the file `path`, less that in `subtract`, which may be NULL;
 * its inputs are said. `request` is of debye_field_table. The maps' warnings are printed (or the error, under
 * --strict). */
DebyeResult *debye_cli_make_field(DebyeArguments *arguments, DebyeRequest *request, const char *path,
                                  const char *subtract, GError **error);

G_END_DECLS
