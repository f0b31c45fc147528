/* SPDX-License-Identifier: MIT */
/* Lines of numbers as AMBER's coordinate files have them: 10F8.3 in trajectories, 6F12.7 in restart files. */
#pragma once

#include "data/files/input.h"

#define DEBYE_AMBER_LINE 10 /* numbers at most */

/* How many numbers the current line has, by its columns of `width` or, where a number has outgrown its
 * column, by blanks. */
gsize debye_amber_count_numbers(const DebyeLineReader *lines, gsize width);
/* Exactly `n` numbers, all finite. */
gboolean debye_amber_read_numbers(const DebyeLineReader *lines, gsize width, gsize n,
                                  double values[DEBYE_AMBER_LINE], GError **error);
/* The next line, which must have them; `what` is missing where there is none. */
gboolean debye_amber_read_next_numbers(DebyeLineReader *lines, const char *what, gsize width, gsize n,
                                       double values[DEBYE_AMBER_LINE], GError **error);
