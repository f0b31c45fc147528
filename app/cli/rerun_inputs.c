/* SPDX-License-Identifier: MIT */
/* Finds the files that a result was made from and checks them; called by command_rerun.c. */
#include "rerun_inputs.h"

#include <glib/gstdio.h>
#include <string.h>

#include "cli_work.h"
#include "data/settings/setting_file.h"

/* --- Found again --- */

char *
debye_rerun_find_file(const char *name, const char *result)
{
  g_autofree char *folder = g_path_get_dirname(result);
  g_autofree char *beside = g_build_filename(folder, name, NULL);
  gboolean is_beside = !g_path_is_absolute(name) && !g_file_test(name, G_FILE_TEST_EXISTS) &&
                       g_file_test(beside, G_FILE_TEST_EXISTS);
  return is_beside ? g_steal_pointer(&beside) : g_strdup(name);
}

static char *
find_renamed(const char *file, gpointer result)
{
  return debye_rerun_find_file(file, result);
}

static gboolean
find_files_of_setting(DebyeArguments *arguments, DebyeRequest *request, const DebyeSetting *setting,
                      const char *result, GError **error)
{
  const char *value = debye_request_get(request, setting->key);
  g_auto(GStrv) names = debye_setting_list_files(setting, value);
  if (names == NULL)
    return TRUE;
  g_autofree char *text = debye_setting_rename_files(setting, value, find_renamed, (gpointer)result);
  g_auto(GStrv) found = debye_setting_list_files(setting, text);
  for (char **file = found; file != NULL && *file != NULL; file++)
    if (!debye_arguments_check_read(arguments, *file, error))
      return FALSE;
  return debye_request_set(request, setting->key, text, error);
}

gboolean
debye_rerun_find_files(DebyeArguments *arguments, DebyeRequest *request, char **inputs, const char *result,
                       GError **error)
{
  const DebyeSettingTable *table = debye_request_get_table(request);
  for (; *inputs != NULL; inputs++) {
    g_autofree char *input = *inputs;
    *inputs = debye_rerun_find_file(input, result);
    if (!debye_arguments_check_read(arguments, *inputs, error))
      return FALSE;
  }
  for (gsize i = 0; i < table->n_settings; i++)
    if (!find_files_of_setting(arguments, request, &table->settings[i], result, error))
      return FALSE;
  return TRUE;
}

/* --- Held against what they were --- */

static DebyeInputRecord *
record_file(DebyeArguments *arguments, const char *path, GError **error)
{
  DebyeCliProgress progress;
  debye_cli_progress_init(&progress, arguments, "checking");
  DebyeInputRecord *record = debye_provenance_record_file_watched(path, debye_cli_watch, &progress, error);
  debye_cli_progress_end(&progress);
  return record;
}

static gboolean
warn(DebyeArguments *arguments, const char *path, const DebyeInputRecord *then, guint64 size,
     const char *sha256, GError **error)
{
  g_autofree char *change =
      size != then->size ? g_strdup_printf("expected %" G_GUINT64_FORMAT " bytes, found %" G_GUINT64_FORMAT,
                                           then->size, size)
                         : g_strdup_printf("expected the SHA-256 %s, found %s", then->sha256, sha256);
  g_autofree char *warning = g_strdup_printf("%s: changed since the result was made: %s", path, change);
  const char *const warnings[] = {warning, NULL};
  return debye_cli_warn(arguments, warnings, error);
}

/* Another size tells enough: a long trajectory that has grown isn't read for it. A file that isn't there,
 * whose opening will say so, is no matter of this one. */
static gboolean
check_input(DebyeArguments *arguments, const DebyeInputRecord *then, const char *path, GPtrArray *records,
            GStrvBuilder *changed, GError **error)
{
  GStatBuf status;
  if (*then->sha256 == '\0' || g_stat(path, &status) != 0)
    return TRUE;
  if ((guint64)status.st_size != then->size) {
    g_strv_builder_add(changed, path);
    return warn(arguments, path, then, (guint64)status.st_size, NULL, error);
  }
  DebyeInputRecord *now = record_file(arguments, path, error);
  if (now == NULL)
    return FALSE;
  g_ptr_array_add(records, now);
  if (strcmp(now->sha256, then->sha256) == 0)
    return TRUE;
  g_strv_builder_add(changed, path);
  return warn(arguments, path, then, now->size, now->sha256, error);
}

gboolean
debye_rerun_check_records(DebyeArguments *arguments, GPtrArray *records, const char *const *paths,
                          GStrvBuilder *changed, GError **error)
{
  g_autoptr(GPtrArray) read = g_ptr_array_new_with_free_func((GDestroyNotify)debye_input_record_free);
  for (guint i = 0; i < records->len; i++)
    if (!check_input(arguments, records->pdata[i], paths[i], read, changed, error))
      return FALSE;
  return TRUE;
}

/* Those that settings name, as the result's own request has them and where `request` has found them. */
static gboolean
check_setting_files(DebyeArguments *arguments, DebyeResult *stored, DebyeRequest *request,
                    GStrvBuilder *changed, GError **error)
{
  g_autoptr(GPtrArray) then = debye_result_get_setting_records(stored);
  g_autoptr(GPtrArray) read = g_ptr_array_new_with_free_func((GDestroyNotify)debye_input_record_free);
  const DebyeSettingTable *table = debye_request_get_table(request);
  guint n = 0;
  for (gsize i = 0; i < table->n_settings && n < then->len; i++) {
    const DebyeSetting *setting = &table->settings[i];
    g_auto(GStrv) named =
        debye_setting_list_files(setting, debye_request_get(debye_result_get_request(stored), setting->key));
    g_auto(GStrv) paths = debye_setting_list_files(setting, debye_request_get(request, setting->key));
    const gsize n_paths = paths != NULL ? g_strv_length(paths) : 0;
    for (gsize k = 0; named != NULL && named[k] != NULL && n < then->len; k++, n++)
      if (k < n_paths && !check_input(arguments, then->pdata[n], paths[k], read, changed, error))
        return FALSE;
  }
  return TRUE;
}

GPtrArray *
debye_rerun_check_inputs(DebyeArguments *arguments, DebyeResult *stored, DebyeRequest *request, char **inputs,
                         GStrvBuilder *changed, GError **error)
{
  g_autoptr(GPtrArray) records = g_ptr_array_new_with_free_func((GDestroyNotify)debye_input_record_free);
  g_autoptr(GPtrArray) then = debye_result_get_input_records(stored, NULL, error);
  for (guint i = 0; then != NULL && i < then->len; i++)
    if (!check_input(arguments, then->pdata[i], inputs[i], records, changed, error))
      return NULL;
  if (then == NULL || !check_setting_files(arguments, stored, request, changed, error))
    return NULL;
  return g_steal_pointer(&records);
}
