/* SPDX-License-Identifier: MIT */
/* What debye-cli info tells of a map, or of a result that Debye wrote. */
#pragma once

#include "arguments.h"

G_BEGIN_DECLS

/* Whether this file is one, by its content; what can't be read is none. */
gboolean debye_info_result_is_one(const char *path);

/* To standard output: of a map its grid (in the map's lengths, mostly Å), unit and statistics; of curves
 * their quantities and numbers of points; of a result also the line that made it. With --json as the command
 * says it that makes results. FALSE with an error that names the file where it can't be read whole. */
gboolean debye_info_result_tell(DebyeArguments *arguments, const char *path, GError **error);

G_END_DECLS
