/* SPDX-License-Identifier: MIT */
/* Pictures without a display: what debye-cli render shares with debye-cli figure. */
#pragma once

#include "arguments.h"

/* The one picture that these arguments of debye_command_render say, as pixels (RGBA as debye_capture() gives
 * it) and not as a file. */
GBytes *debye_render_capture(DebyeArguments *arguments, GError **error);
