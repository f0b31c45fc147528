/* SPDX-License-Identifier: MIT */
/* Implementation of error.h: the error domain of the data layer, and the errors that many callers word
 * alike. */
#include "error.h"

GQuark
debye_error_quark(void)
{
  return g_quark_from_static_string("debye-error-quark");
}

gboolean
debye_error_set_memory(GError **error, const char *file, gsize n, const char *what)
{
  g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY, "%s%snot enough memory for %" G_GSIZE_FORMAT " %s",
              file != NULL ? file : "", file != NULL ? ": " : "", n, what);
  return FALSE;
}

char *
debye_error_name_file(const char *path)
{
  return g_path_is_absolute(path) ? g_filename_display_basename(path) : g_filename_display_name(path);
}
