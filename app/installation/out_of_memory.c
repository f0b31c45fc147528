/* SPDX-License-Identifier: MIT */
/* Ends debye-cli with a message when memory runs out; installed by main_cli.c. Nothing here allocates. */
#include "out_of_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>

/* Of gmem.c: "…: failed to allocate 65536 bytes", or "overflow allocating 3*4 bytes"; never translated. */
static const char *
find_amount(const char *message)
{
  static const char *const starts[] = {"failed to allocate ", "overflow allocating "};
  for (gsize i = 0; i < G_N_ELEMENTS(starts); i++) {
    const char *found = strstr(message, starts[i]);
    if (found != NULL)
      return found + strlen(starts[i]);
  }
  return NULL;
}

static void
on_fatal_message(const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  const char *amount = find_amount(message);
  char line[128];
  if (amount == NULL) {
    g_log_default_handler(domain, level, message, data);
    return;
  }
  int n = snprintf(line, sizeof line, "debye-cli: there isn't enough memory: expected %s more, found none\n",
                   amount);
  (void)!write(STDERR_FILENO, line, (gsize)CLAMP(n, 0, (int)sizeof line - 1));
  /* Not exit: other threads still run, and what exit would clean up may need memory. */
  _exit(EXIT_FAILURE);
}

void
debye_out_of_memory_install(void)
{
  g_log_set_handler("GLib", G_LOG_LEVEL_ERROR | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION, on_fatal_message,
                    NULL);
}
