/* SPDX-License-Identifier: MIT */
/* Whether files that are read one after the other go on in time. */
#pragma once

#include <glib.h>

/* Of one file, ps; NAN: not known. */
typedef struct {
  const char *name;
  double first, last, step;
} DebyeFileTimes;

/* NULL where `after` begins one step behind the end of `before`, or where the times aren't known; else a
 * message that says how they don't fit. Simulations that were continued often have the last frame of the one
 * file as the first of the next, or start to count anew. */
char *debye_file_times_describe_joint(const DebyeFileTimes *before, const DebyeFileTimes *after);
