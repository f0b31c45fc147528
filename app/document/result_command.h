/* SPDX-License-Identifier: MIT */
/* The command that makes a result again, as a window's exports and sessions say it. */
#pragma once

#include "data/results/result.h"

/* "debye-cli map --spacing 0.5 … -o OUTPUT FILE…", of its request and inputs. What was made of a map that had
 * no file, and so has no inputs, tells the lines that it was given: the map's first. Free with g_free. */
char *debye_result_command(DebyeResult *result, const char *output);
/* For pictures, which are given away: the same without an output, and of each file the name without its folder. NULL: the
 * result has no inputs, or no such line. Free with g_free. */
char *debye_result_command_of_names(DebyeResult *result);
