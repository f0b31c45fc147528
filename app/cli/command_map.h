/* SPDX-License-Identifier: MIT */
/* What debye-cli map checks before it computes; called by command_analyses.c. */
#pragma once

#include "command.h"

G_BEGIN_DECLS

/* Settings that would change nothing, and files written over others. */
gboolean debye_command_map_check(DebyeArguments *arguments, GError **error);

G_END_DECLS
