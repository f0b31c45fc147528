/* SPDX-License-Identifier: MIT */
/* Loads maps and computes with them for debye-cli field, rerun and render. */
#include "cli_field.h"

#include "app/analysis/map/field_run.h"
#include "cli_work.h"
#include "data/results/field_load.h"

DebyeField *
debye_cli_load_field(const char *path, gpointer arguments, GError **error)
{
  DebyeCliProgress progress;
  debye_cli_progress_init(&progress, arguments, "opening");
  g_autoptr(DebyeField) field = debye_field_load_watched(path, debye_cli_watch, &progress, error);
  debye_cli_progress_end(&progress);
  if (field == NULL || !debye_cli_warn(arguments, debye_field_get_warnings(field), error))
    return NULL;
  return g_steal_pointer(&field);
}

DebyeResult *
debye_cli_make_field(DebyeArguments *arguments, DebyeRequest *request, const char *path, const char *subtract,
                     GError **error)
{
  g_autoptr(DebyeField) field = debye_cli_load_field(path, arguments, error);
  if (field == NULL)
    return NULL;
  g_autoptr(DebyeField) subtracted =
      subtract != NULL ? debye_cli_load_field(subtract, arguments, error) : NULL;
  if (subtract != NULL && subtracted == NULL)
    return NULL;
  DebyeResult *result = debye_field_run(request, field, subtracted, error);
  if (result != NULL)
    debye_result_set_inputs(result, (const char *const[]){path, NULL});
  return result;
}
