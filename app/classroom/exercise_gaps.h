/* SPDX-License-Identifier: MIT */
/* Listings with gaps for a class to fill in, which compile as they are; called by classroom_exercise.c. */
#pragma once

#include <glib.h>

/* The listing without what is new in it: within functions, statements with lines that `before` doesn't have are a comment that
 * counts their lines. What the other lines need to be compiled stays: a block with its variables, and a number as a declaration
 * with the value 0, which the comment stands behind. `before` NULL, or nothing is new: without what adds to a sum. Free with
 * g_free. */
char *debye_exercise_leave_gaps(const char *text, const char *before);
