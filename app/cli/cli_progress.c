/* SPDX-License-Identifier: MIT */
/* Prints progress, warnings and notes on standard error; called by all commands of debye-cli. */
#include "cli_progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data/files/error.h"

#define TERMINAL_INTERVAL (G_USEC_PER_SEC / 10)
#define LINE_INTERVAL (2 * G_USEC_PER_SEC)

void
debye_cli_progress_init(DebyeCliProgress *progress, DebyeArguments *arguments, const char *title)
{
  const DebyeCommonOptions options = debye_arguments_get_options(arguments);
  gboolean on_terminal = isatty(STDERR_FILENO) != 0;
  *progress = (DebyeCliProgress){.on_terminal = on_terminal, .title = title};
  progress->shown = options.has_progress ? options.progress : on_terminal && !options.quiet;
  progress->start = g_get_monotonic_time();
  progress->last = progress->start;
}

static char *
time_left(const DebyeCliProgress *progress, double fraction)
{
  double passed = (double)(g_get_monotonic_time() - progress->start) / G_USEC_PER_SEC;
  if (passed < 1.0 || fraction < 0.02)
    return g_strdup("");
  double left = passed * (1.0 - fraction) / fraction;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (left > 90.0)
    return g_strdup_printf(", %s min left", g_ascii_formatd(number, sizeof number, "%.1f", left / 60.0));
  return g_strdup_printf(", %s s left", g_ascii_formatd(number, sizeof number, "%.0f", left));
}

void
debye_cli_progress_update(double fraction, const char *message, gpointer data)
{
  DebyeCliProgress *progress = data;
  gint64 now = g_get_monotonic_time();
  if (!progress->shown || now - progress->last < (progress->on_terminal ? TERMINAL_INTERVAL : LINE_INTERVAL))
    return;
  progress->last = now;
  g_autofree char *left = time_left(progress, fraction);
  fprintf(stderr, "%s%s: %3d %%%s%s%s%s", progress->on_terminal ? "\r" : "", progress->title,
          (int)(fraction * 100.0), message != NULL ? ", " : "", message != NULL ? message : "", left,
          progress->on_terminal ? "\033[K" : "\n");
  fflush(stderr);
}

void
debye_cli_progress_end(DebyeCliProgress *progress)
{
  if (progress->shown && progress->on_terminal && progress->last != progress->start)
    fputs("\r\033[K", stderr);
  progress->shown = FALSE;
}

char *
debye_cli_make_printable(const char *text, gssize length)
{
  char *line = g_utf8_make_valid(text, length);
  for (char *place = line; *place != '\0'; place++)
    if (g_ascii_iscntrl(*place))
      *place = '?';
  return line;
}

void
debye_cli_print_line(const char *text, gsize length)
{
  g_autofree char *line = debye_cli_make_printable(text, (gssize)length);
  fprintf(stderr, "debye-cli: %s\n", line);
}

static void
print_warning(const char *warning)
{
  g_autofree char *text = g_strconcat("warning: ", warning, NULL);
  debye_cli_print_line(text, strlen(text));
}

void
debye_cli_print_held_warnings(DebyeArguments *arguments)
{
  for (const char *const *held = debye_arguments_get_held_warnings(arguments); *held != NULL; held++)
    print_warning(*held);
}

gboolean
debye_cli_warn(DebyeArguments *arguments, const char *const *warnings, GError **error)
{
  const DebyeCommonOptions options = debye_arguments_get_options(arguments);
  if (warnings == NULL || *warnings == NULL)
    return TRUE;
  if (options.strict)
    return debye_error_set(error, DEBYE_ERROR_VALUE, "%s (a warning, and --strict)", *warnings);
  for (; !options.quiet && *warnings != NULL; warnings++)
    if (isatty(STDERR_FILENO))
      print_warning(*warnings);
    else
      debye_arguments_hold_warning(arguments, *warnings);
  return TRUE;
}

void
debye_cli_say(DebyeArguments *arguments, const char *format, ...)
{
  if (debye_arguments_get_options(arguments).quiet)
    return;
  va_list list;
  va_start(list, format);
  g_autofree char *text = g_strdup_vprintf(format, list);
  va_end(list);
  g_autofree char *valid = g_utf8_make_valid(text, -1);
  /* In one file with the numbers, it stands between lines. */
  fflush(stdout);
  fprintf(stderr, "%s\n", valid);
}
