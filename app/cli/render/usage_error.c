/* SPDX-License-Identifier: MIT */
/* Implementation of usage_error.h; called by all that reads a command line. */
#include "usage_error.h"

G_DEFINE_QUARK(debye_usage_error, debye_usage_error)

gboolean
debye_usage_refuse(GError **error, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  GError *made = g_error_new_valist(DEBYE_USAGE_ERROR, 0, format, arguments);
  va_end(arguments);
  g_propagate_error(error, made);
  return FALSE;
}
