/* SPDX-License-Identifier: MIT */
/* The command line that repeats a result; called by the window's exports and session_save.c. */
#include "result_command.h"

#include "data/settings/setting_file.h"

char *
debye_result_command(DebyeResult *result, const char *output)
{
  const char *const *inputs = debye_result_get_inputs(result);
  const char *given = debye_result_get_command(result);
  if ((inputs == NULL || *inputs == NULL) && given != NULL)
    return g_strdup(given);
  return debye_request_to_command(debye_result_get_request(result), inputs, output);
}

static char *
get_name(const char *file, gpointer unused G_GNUC_UNUSED)
{
  return g_path_get_basename(file);
}

/* NULL: a value is refused. */
static DebyeRequest *
name_setting_files(DebyeRequest *request)
{
  g_autoptr(DebyeRequest) named = debye_request_copy(request);
  const DebyeSettingTable *table = debye_request_get_table(request);
  for (gsize i = 0; i < table->n_settings; i++) {
    const char *key = table->settings[i].key, *value = debye_request_get(request, key);
    g_auto(GStrv) files = debye_setting_list_files(&table->settings[i], value);
    if (files == NULL || !debye_request_is_set(request, key))
      continue;
    g_autofree char *text = debye_setting_rename_files(&table->settings[i], value, get_name, NULL);
    if (!debye_request_set(named, key, text, NULL))
      return NULL;
  }
  return g_steal_pointer(&named);
}

char *
debye_result_command_of_names(DebyeResult *result)
{
  const char *const *inputs = debye_result_get_inputs(result);
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  for (; inputs != NULL && *inputs != NULL; inputs++)
    g_ptr_array_add(names, g_path_get_basename(*inputs));
  g_autoptr(DebyeRequest) request =
      names->len > 0 ? name_setting_files(debye_result_get_request(result)) : NULL;
  g_ptr_array_add(names, NULL);
  return request != NULL ? debye_request_to_command(request, (const char *const *)names->pdata, NULL) : NULL;
}
