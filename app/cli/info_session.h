/* SPDX-License-Identifier: MIT */
/* What debye-cli info tells of a session: its files and whether they are what they were, what is shown, and
 * the analyses that are filled in. */
#pragma once

#include "arguments.h"

G_BEGIN_DECLS

/* To standard output, as text or with --json. Files that are missing or have changed are warned of (or the
 * error, under --strict). FALSE with an error, or without one after Ctrl-C;
 * with DEBYE_USAGE_ERROR where it isn't the only file. */
gboolean debye_info_session_tell(DebyeArguments *arguments, const char *path, GError **error);

G_END_DECLS
