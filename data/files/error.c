/* SPDX-License-Identifier: MIT */
/* Implementation of error.h: the error domain of the data layer, and the errors that many callers word
 * alike. */
#include "error.h"
#include "data/messages/message.h"

#include <gio/gio.h>

GQuark
debye_error_quark(void)
{
  return g_quark_from_static_string("debye-error-quark");
}

void
debye_error_set(GError **error, DebyeError code, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *words = debye_say_valist(format, arguments);
  va_end(arguments);
  g_set_error_literal(error, DEBYE_ERROR, (int)code, words);
}

void
debye_error_prefix(GError **error, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *words = debye_say_valist(format, arguments);
  va_end(arguments);
  g_prefix_error_literal(error, words);
}

gboolean
debye_error_set_memory(GError **error, const char *file, gsize n, const char *what)
{
  debye_error_set(error, DEBYE_ERROR_MEMORY, "%s%snot enough memory for %" G_GSIZE_FORMAT " %s",
                  file != NULL ? file : "", file != NULL ? ": " : "", n, what);
  return FALSE;
}

char *
debye_error_name_file(const char *path)
{
  return g_path_is_absolute(path) ? g_filename_display_basename(path) : g_filename_display_name(path);
}

void
debye_error_name_output(const char *path, GError **error)
{
  g_autofree char *name = debye_error_name_file(path);
  if (error == NULL || *error == NULL || g_str_has_prefix((*error)->message, name))
    return;
  gboolean is_system = (*error)->domain == G_IO_ERROR;
  g_prefix_error(error, "%s: %s", name, is_system ? "can't be written: " : "");
}
