/* SPDX-License-Identifier: MIT */
/* A command for each analysis of the list. */
#pragma once

#include "command.h"

/* Adds them in the order of the list; they are kept as long as the process. */
void debye_command_add_analyses(GPtrArray *commands);
