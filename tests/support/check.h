/* SPDX-License-Identifier: MIT */
/* Checks for tests in plain C: the kernels' tests also run on machines without GLib. Callable from any
 * thread. */
#pragma once

#include <stdbool.h>

#define CHECK(condition) debye_check((condition), __FILE__, __LINE__, "%s", #condition)
/* With a sentence of its own, printf's way. */
#define CHECK_THAT(condition, ...) debye_check((condition), __FILE__, __LINE__, __VA_ARGS__)
/* Not true for what is not a number. */
#define CHECK_AT_MOST(value, limit)                                                                    \
  debye_check((value) <= (limit), __FILE__, __LINE__, "%s is %.3g, at most %.3g was expected", #value, \
              (double)(value), (double)(limit))

/* What the checks that follow are about, shown with those that fail; "" for nothing. */
void debye_check_subject(const char *format, ...) __attribute__((format(printf, 1, 2)));
void debye_check(bool holds, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Says how many checks there were, and returns main's result: a failure also where there was none at all. */
int debye_check_finish(void);
