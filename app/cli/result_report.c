/* SPDX-License-Identifier: MIT */
/* Reports a result as text or JSON; called by the commands of analyses and debye-cli field and info. */
#include "result_report.h"

#include <math.h>

#include "app/analysis/driver/analysis.h"
#include "cli_progress.h"
#include "app/document/json_writer.h"

#define MAX_ROWS 24 /* of a table, on a terminal */

const char *const debye_map_endings[] = {".h5", ".dx", ".cube", ".ccp4", ".mrc", ".csv", NULL};
const char *const debye_curve_endings[] = {".h5", ".csv", ".svg", ".pdf", ".png", ".tiff", ".tif", NULL};

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
add_notes_of(DebyeJson *json, DebyeResult *result, gboolean are_warnings)
{
  GPtrArray *notes = debye_result_get_notes(result);
  for (guint i = 0; i < notes->len; i++) {
    const DebyeNote *note = g_ptr_array_index(notes, i);
    if (debye_note_is_warning(note) == are_warnings)
      debye_json_string(json, NULL, note->text);
  }
}

static void
add_notes(DebyeJson *json, DebyeResult *result, const char *const *warnings)
{
  debye_json_open(json, "notes", '[');
  add_notes_of(json, result, FALSE);
  debye_json_close(json, ']');
  debye_json_open(json, "warnings", '[');
  for (; warnings != NULL && *warnings != NULL; warnings++)
    debye_json_string(json, NULL, *warnings);
  add_notes_of(json, result, TRUE);
  debye_json_close(json, ']');
}

static void
add_map(DebyeJson *json, DebyeField *field)
{
  DebyeFieldStatistics statistics;
  debye_field_get_statistics(field, &statistics);
  debye_json_string(json, "unit", debye_field_get_unit(field));
  add_grid(json, debye_field_get_grid(field));
  debye_json_number(json, "minimum", statistics.minimum);
  debye_json_number(json, "maximum", statistics.maximum);
  debye_json_number(json, "mean", statistics.mean);
  debye_json_number(json, "rms", statistics.rms);
}

static void
add_curves(DebyeJson *json, GListModel *curves)
{
  debye_json_open(json, "curves", '[');
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    debye_json_open(json, NULL, '{');
    debye_json_string(json, "name", debye_curve_get_name(curve));
    debye_json_string(json, "quantity", debye_curve_get_y_quantity(curve)->name);
    debye_json_string(json, "unit", debye_curve_get_y_quantity(curve)->unit);
    debye_json_integer(json, "points", (gint64)debye_curve_get_n_points(curve));
    debye_json_close(json, '}');
  }
  debye_json_close(json, ']');
}

static void
add_rows(DebyeJson *json, DebyeTable *table)
{
  for (gsize row = 0; row < debye_table_get_n_rows(table); row++) {
    debye_json_open(json, NULL, '{');
    for (gsize column = 0; column < debye_table_get_n_columns(table); column++) {
      const char *name = debye_table_get_quantity(table, column)->name;
      const double *numbers = debye_table_get_numbers(table, column);
      if (numbers != NULL)
        debye_json_number(json, name, numbers[row]);
      else
        debye_json_string(json, name, debye_table_get_texts(table, column)[row]);
    }
    debye_json_close(json, '}');
  }
}

/* Numbers of the result as a whole, by their names. */
static void
add_summary(DebyeJson *json, DebyeResult *result)
{
  DebyeTable *table = debye_result_find_table(result, DEBYE_TABLE_OF_SUMMARY);
  for (gsize column = 0; table != NULL && column < debye_table_get_n_columns(table); column++)
    debye_json_number(json, debye_table_get_quantity(table, column)->name,
                      debye_table_get_numbers(table, column)[0]);
}

/* The first table is the one that a CSV file holds, a row a bin: too long for a summary, but of fits. */
static guint
first_summary(GListModel *tables)
{
  g_autoptr(DebyeTable) table = g_list_model_get_item(tables, 0);
  return table != NULL && g_strcmp0(debye_table_get_name(table), DEBYE_TABLE_OF_FITS) == 0 ? 0 : 1;
}

static void
add_tables(DebyeJson *json, GListModel *tables)
{
  for (guint i = first_summary(tables); i < g_list_model_get_n_items(tables); i++) {
    g_autoptr(DebyeTable) table = g_list_model_get_item(tables, i);
    debye_json_open(json, debye_table_get_name(table), '[');
    add_rows(json, table);
    debye_json_close(json, ']');
  }
}

static void
add_origin(DebyeJson *json, DebyeResult *result)
{
  GDateTime *created = debye_result_get_created(result);
  g_autofree char *time = created != NULL ? g_date_time_format_iso8601(created) : NULL;
  debye_json_string(json, "created", time);
  debye_json_string(json, "debye_version", debye_result_get_version(result));
}

static void
add_stages(DebyeJson *json, const DebyeStages *stages)
{
  debye_json_open(json, "stages", '{');
  for (guint i = 0; i < DEBYE_N_STAGES; i++)
    if (stages->seconds[i] > 0.0)
      debye_json_number(json, debye_stage_get_key(i), stages->seconds[i]);
  debye_json_close(json, '}');
}

void
debye_result_report_json(DebyeResult *result, const char *const *outputs, const char *const *warnings)
{
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(result), 0);
  g_auto(DebyeJson) json = debye_json_begin();
  debye_json_string(&json, "title", debye_result_get_title(result));
  debye_json_strings(&json, "outputs", outputs);
  if (field != NULL) {
    add_map(&json, field);
    add_summary(&json, result);
  } else {
    add_curves(&json, debye_result_get_curves(result));
    add_tables(&json, debye_result_get_tables(result));
  }
  debye_json_boolean(&json, "partial", debye_result_is_partial(result));
  debye_json_number(&json, "seconds", debye_result_get_wall_time(result));
  add_stages(&json, debye_result_get_stages(result));
  add_origin(&json, result);
  add_notes(&json, result, warnings);
  debye_json_print(&json);
}

static void
say_range(DebyeArguments *arguments, DebyeResult *result, DebyeField *field)
{
  DebyeFieldStatistics statistics;
  char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE], seconds[G_ASCII_DTOSTR_BUF_SIZE];
  debye_field_get_statistics(field, &statistics);
  const char *unit = debye_field_get_unit(field);
  debye_cli_say(arguments, "%s from %s to %s%s%s, in %s s", debye_result_get_title(result),
                g_ascii_formatd(low, sizeof low, "%.4g", statistics.minimum),
                g_ascii_formatd(high, sizeof high, "%.4g", statistics.maximum), *unit != '\0' ? " " : "",
                unit, g_ascii_formatd(seconds, sizeof seconds, "%.3g", debye_result_get_wall_time(result)));
}

/* One line a row: "pair OW-OW, peak 2.76 Å, …", without what is not known. Of a long table the beginning. */
static void
say_table(DebyeArguments *arguments, DebyeTable *table)
{
  const gsize n_rows = debye_table_get_n_rows(table), n_said = n_rows > MAX_ROWS ? MAX_ROWS : n_rows;
  for (gsize row = 0; row < n_said; row++) {
    g_autoptr(GString) line = g_string_new(NULL);
    for (gsize column = 0; column < debye_table_get_n_columns(table); column++) {
      const DebyeQuantity *quantity = debye_table_get_quantity(table, column);
      const double *numbers = debye_table_get_numbers(table, column);
      char number[G_ASCII_DTOSTR_BUF_SIZE];
      if (numbers != NULL ? isnan(numbers[row]) : *debye_table_get_texts(table, column)[row] == '\0')
        continue;
      g_string_append_printf(line, "%s%s %s%s%s", line->len > 0 ? ", " : "", quantity->label,
                             numbers != NULL ? g_ascii_formatd(number, sizeof number, "%.4g", numbers[row])
                                             : debye_table_get_texts(table, column)[row],
                             quantity->unit[0] != '\0' ? " " : "", quantity->unit);
    }
    debye_cli_say(arguments, "%s", line->str);
  }
  if (n_said < n_rows)
    debye_cli_say(arguments, "… %" G_GSIZE_FORMAT " rows in all, which .h5 and --json have", n_rows);
}

void
debye_result_report_say(DebyeArguments *arguments, DebyeResult *result)
{
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(result), 0);
  GListModel *tables = debye_result_get_tables(result);
  char seconds[G_ASCII_DTOSTR_BUF_SIZE];
  GPtrArray *notes = debye_result_get_notes(result);
  for (guint i = 0; i < notes->len; i++) {
    const DebyeNote *note = g_ptr_array_index(notes, i);
    if (!debye_note_is_warning(note))
      debye_cli_say(arguments, "%s", note->sentence);
  }
  if (field != NULL) {
    say_range(arguments, result, field);
    return;
  }
  for (guint i = first_summary(tables); i < g_list_model_get_n_items(tables); i++) {
    g_autoptr(DebyeTable) table = g_list_model_get_item(tables, i);
    say_table(arguments, table);
  }
  debye_cli_say(arguments, "%s, in %s s", debye_result_get_title(result),
                g_ascii_formatd(seconds, sizeof seconds, "%.3g", debye_result_get_wall_time(result)));
}
