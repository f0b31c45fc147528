/* SPDX-License-Identifier: MIT */
/* Implementation of side_files.h: they are of one run and no part of what a result keeps. */
#include "side_files.h"

#define NAMES "debye-side-files"
#define PROBLEM "debye-side-files-error"

const char *const *
debye_side_files_get(DebyeResult *result)
{
  static const char *const none[] = {NULL};
  const char *const *names = g_object_get_data(G_OBJECT(result), NAMES);
  return names != NULL ? names : none;
}

void
debye_side_files_add(DebyeResult *result, const char *path)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  g_strv_builder_addv(builder, (const char **)(gpointer)debye_side_files_get(result));
  g_strv_builder_add(builder, path);
  g_object_set_data_full(G_OBJECT(result), NAMES, g_strv_builder_end(builder), (GDestroyNotify)g_strfreev);
}

void
debye_side_files_fail(DebyeResult *result, GError *error)
{
  debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL, "%s", error->message);
  g_object_set_data_full(G_OBJECT(result), PROBLEM, error, (GDestroyNotify)g_error_free);
}

const GError *
debye_side_files_get_error(DebyeResult *result)
{
  return g_object_get_data(G_OBJECT(result), PROBLEM);
}
