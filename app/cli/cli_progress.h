/* SPDX-License-Identifier: MIT */
/* What debye-cli says while it works: a progress line on a terminal, warnings, notes. All on standard error. */
#pragma once

#include "arguments.h"

typedef struct {
  gboolean shown, on_terminal;
  gint64 start, last; /* microseconds */
  const char *title;
} DebyeCliProgress;

void debye_cli_progress_init(DebyeCliProgress *progress, DebyeArguments *arguments, const char *title);
/* At most ten times a second on a terminal, else one line every two seconds. */
void debye_cli_progress_update(double fraction, const char *message, gpointer progress);
/* Clears the line. */
void debye_cli_progress_end(DebyeCliProgress *progress);

/* What a terminal may be given of a file's names: UTF-8 without control characters. `length` −1: to its end.
 * Free it. */
char *debye_cli_make_printable(const char *text, gssize length);
/* "debye-cli: TEXT" on one line of standard error, whatever the names in it hold. */
void debye_cli_print_line(const char *text, gsize length);
/* Prints the warnings, on a terminal at once; FALSE with the first of them as the error under --strict. */
gboolean debye_cli_warn(DebyeArguments *arguments, const char *const *warnings, GError **error);
/* Those that waited, when the command has done its work. */
void debye_cli_print_held_warnings(DebyeArguments *arguments);
/* A line unless --quiet. */
void debye_cli_say(DebyeArguments *arguments, const char *format, ...) G_GNUC_PRINTF(2, 3);
