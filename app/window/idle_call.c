/* SPDX-License-Identifier: MIT */
/* Implementation of idle_call.h: one call of the main loop for a thread's news; called by loaders and
 * watchers. */
#include "idle_call.h"

void
debye_idle_call_ensure(GSource **source, GSourceFunc callback, gpointer data)
{
  if (*source != NULL)
    return;
  *source = g_idle_source_new();
  /* Not behind the drawing: news that wait for a frame to be drawn come a frame late. */
  g_source_set_priority(*source, G_PRIORITY_DEFAULT);
  g_source_set_callback(*source, callback, data, NULL);
  g_source_attach(*source, NULL);
}

void
debye_idle_call_clear(GSource **source)
{
  if (*source != NULL)
    g_source_destroy(*source);
  g_clear_pointer(source, g_source_unref);
}
