/* SPDX-License-Identifier: MIT */
/* The one error domain of the data layer. */
#include "error.h"

GQuark
debye_error_quark(void)
{
  return g_quark_from_static_string("debye-error-quark");
}

char *
debye_error_name_file(const char *path)
{
  return g_path_is_absolute(path) ? g_filename_display_basename(path) : g_filename_display_name(path);
}
