/* SPDX-License-Identifier: MIT */
/* What is said about a map, see map_report.h. */
#include "map_report.h"

#include "analysis/analysis.h"
#include "cli_progress.h"
#include "json_writer.h"

const char *const debye_map_endings[] = {".h5", ".dx", ".cube", ".ccp4", ".mrc", ".csv", NULL};

static void
add_vector(DebyeJson *json, const char *key, DebyeVec3 v)
{
  debye_json_open(json, key, '[');
  debye_json_number(json, NULL, v.x);
  debye_json_number(json, NULL, v.y);
  debye_json_number(json, NULL, v.z);
  debye_json_close(json, ']');
}

static void
add_grid(DebyeJson *json, const DebyeGrid *grid)
{
  debye_json_open(json, "grid", '{');
  add_vector(json, "origin", grid->origin);
  debye_json_open(json, "shape", '[');
  for (int i = 0; i < 3; i++)
    debye_json_integer(json, NULL, (gint64)grid->shape[i]);
  debye_json_close(json, ']');
  debye_json_open(json, "steps", '[');
  for (int i = 0; i < 3; i++)
    add_vector(json, NULL, grid->step[i]);
  debye_json_close(json, ']');
  debye_json_close(json, '}');
}

static void
add_notes(DebyeJson *json, DebyeResult *result, const char *const *warnings)
{
  debye_json_open(json, "notes", '[');
  for (const char *const *note = debye_result_get_notes(result); *note != NULL; note++)
    if (!g_str_has_prefix(*note, DEBYE_NOTE_WARNING))
      debye_json_string(json, NULL, *note);
  debye_json_close(json, ']');
  debye_json_open(json, "warnings", '[');
  for (; warnings != NULL && *warnings != NULL; warnings++)
    debye_json_string(json, NULL, *warnings);
  for (const char *const *note = debye_result_get_notes(result); *note != NULL; note++)
    if (g_str_has_prefix(*note, DEBYE_NOTE_WARNING))
      debye_json_string(json, NULL, *note + sizeof DEBYE_NOTE_WARNING - 1);
  debye_json_close(json, ']');
}

void
debye_map_report_json(DebyeResult *result, const char *const *outputs, const char *const *warnings)
{
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(result), 0);
  DebyeFieldStatistics statistics;
  debye_field_get_statistics(field, &statistics);
  g_auto(DebyeJson) json;
  debye_json_init(&json);
  debye_json_open(&json, NULL, '{');
  debye_json_string(&json, "title", debye_result_get_title(result));
  debye_json_strings(&json, "outputs", outputs);
  debye_json_string(&json, "unit", debye_field_get_unit(field));
  add_grid(&json, debye_field_get_grid(field));
  debye_json_number(&json, "minimum", statistics.minimum);
  debye_json_number(&json, "maximum", statistics.maximum);
  debye_json_number(&json, "mean", statistics.mean);
  debye_json_number(&json, "rms", statistics.rms);
  debye_json_boolean(&json, "partial", debye_result_is_partial(result));
  debye_json_number(&json, "seconds", debye_result_get_wall_time(result));
  add_notes(&json, result, warnings);
  debye_json_close(&json, '}');
  debye_json_print(&json);
}

void
debye_map_report_say(DebyeArguments *arguments, DebyeResult *result)
{
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(result), 0);
  DebyeFieldStatistics statistics;
  char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE], seconds[G_ASCII_DTOSTR_BUF_SIZE];
  for (const char *const *note = debye_result_get_notes(result); *note != NULL; note++)
    if (!g_str_has_prefix(*note, DEBYE_NOTE_WARNING))
      debye_cli_say(arguments, "%s", *note);
  debye_field_get_statistics(field, &statistics);
  debye_cli_say(arguments, "%s from %s to %s %s, in %s s", debye_result_get_title(result),
                g_ascii_formatd(low, sizeof low, "%.4g", statistics.minimum),
                g_ascii_formatd(high, sizeof high, "%.4g", statistics.maximum), debye_field_get_unit(field),
                g_ascii_formatd(seconds, sizeof seconds, "%.3g", debye_result_get_wall_time(result)));
}
