/* SPDX-License-Identifier: MIT */
/* Writes a result as NeXus, so that h5web, silx, NexPy and HDFView plot it without being told how:
 *
 *   /                    @NX_class=NXroot @default=entry @debye_version @created
 *   /entry               @NX_class=NXentry @default=data  title  definition (@version)
 *   /entry/request       @analysis @command_line and each setting by its key, as text; @unset_settings:
 *                        the keys of those that weren't set, with their effective values, or ""
 *   /entry/provenance    @host @state=whole|partial  wall_time (s)  stages  stage_times (s)  notes  note_kinds  note_subjects
 *                        messages: what notes, title and medium are made of (data/message_text.h)
 *   /entry/provenance/inputs   path  size  sha256, an element a file
 *   /entry/provenance/setting_files   the same of files that settings name: setting  path  size  sha256
 *   /entry/data          the first field, else the first curve, matrix, table; /entry/NAME the others
 *
 * Each of those is a group with @debye_kind, @debye_index (its place among its kind) and title:
 *
 *   field    @NX_class=NXdata @signal @axes=[z,y,x] @origin @steps; values [z][y][x], which is x fastest; the
 *            grid exactly in @origin and @steps (a row a step), in the axes' unit; @medium of a potential;
 *            @map_kind (field_kind.h) unless the name says it
 *   curve    @NX_class=NXdata @signal @axes=[x] @style; x, y and y_errors, named after the quantities: an
 *            intensity is I (and intensity), in the default plot with its errors also where they are NaN;
 *            @unfitted_name; @quantity_of and @names_quantity (curve_of.h) unless the name says them
 *   matrix   @NX_class=NXdata @signal @axes=[row,column]; row, column, values [row][column], values_errors
 *   table    @NX_class=NXdata (NXcollection where nothing in it can be plotted); column_names and the columns
 *   links    values of the others under the names that scripts look for, see result_hdf5_names.c; readers of
 *            whole results pass over them
 *
 * Groups with a signal have its @units. Data sets have @units and @long_name; those of curves, matrices and
 * tables also @name and @label. */
#include "result_hdf5.h"

#include <string.h>

#include "data/h5/h5.h"
#include "result_hdf5_series.h"
#include "data/settings/setting_file.h"

static gboolean
write_request(hid_t entry, DebyeRequest *request, const char *command, GError **error)
{
  const DebyeSettingTable *table = debye_request_get_table(request);
  g_auto(DebyeH5Group) group = debye_h5_create_group(entry, "request", "NXcollection", error);
  if (group < 0 || !debye_h5_write_string(group, "analysis", table->id, error) ||
      (command != NULL && !debye_h5_write_string(group, "command_line", command, error)))
    return FALSE;
  g_autoptr(GPtrArray) unset = g_ptr_array_new();
  for (gsize i = 0; i < table->n_settings; i++) {
    const DebyeSetting *setting = &table->settings[i];
    const char *kept = debye_request_get_kept(request, setting),
               *effective = debye_request_get_effective(request, setting);
    if (kept == NULL && effective == NULL && setting->rare)
      continue;
    if (kept == NULL)
      g_ptr_array_add(unset, (gpointer)setting->key);
    if (!debye_h5_write_string(group, setting->key,
                               kept != NULL        ? kept
                               : effective != NULL ? effective
                                                   : "",
                               error))
      return FALSE;
  }
  return unset->len == 0 || debye_h5_write_strings(group, DEBYE_RESULT_UNSET,
                                                   (const char *const *)unset->pdata, unset->len, error);
}

static gboolean
write_records(hid_t provenance, const char *name, GPtrArray *records, const char *const *settings,
              GError **error)
{
  g_autofree const char **paths = g_new0(const char *, records->len + 1);
  g_autofree const char **sums = g_new0(const char *, records->len + 1);
  g_autofree guint64 *sizes = g_new0(guint64, records->len + 1);
  for (guint i = 0; i < records->len; i++) {
    const DebyeInputRecord *record = records->pdata[i];
    paths[i] = record->path;
    sums[i] = record->sha256;
    sizes[i] = record->size;
  }
  g_auto(DebyeH5Group) group = debye_h5_create_group(provenance, name, "NXcollection", error);
  return group >= 0 &&
         (settings == NULL || debye_h5_put_strings(group, "setting", settings, records->len, error)) &&
         debye_h5_put_strings(group, "path", paths, records->len, error) &&
         debye_h5_put_numbers(group, "size", H5T_NATIVE_UINT64, sizes, records->len, "byte", error) &&
         debye_h5_put_strings(group, "sha256", sums, records->len, error);
}

/* Nothing where no setting names a file. */
static gboolean
write_setting_files(hid_t provenance, DebyeResult *result, GPtrArray *records, GError **error)
{
  DebyeRequest *request = debye_result_get_request(result);
  const DebyeSettingTable *table = debye_request_get_table(request);
  g_autoptr(GPtrArray) keys = g_ptr_array_new();
  for (gsize i = 0; i < table->n_settings; i++) {
    const DebyeSetting *setting = &table->settings[i];
    g_auto(GStrv) files = debye_setting_list_files(setting, debye_request_get(request, setting->key));
    for (gsize k = 0; files != NULL && files[k] != NULL; k++)
      g_ptr_array_add(keys, (gpointer)setting->key);
  }
  return keys->len == 0 || keys->len != records->len ||
         write_records(provenance, DEBYE_RESULT_SETTING_FILES, records,
                       (const char *const *)(gpointer)keys->pdata, error);
}

static gboolean
write_notes(hid_t group, GPtrArray *notes, GError **error)
{
  g_autofree const char **sentences = g_new0(const char *, notes->len + 1);
  g_autofree const char **kinds = g_new0(const char *, notes->len + 1);
  g_autofree const char **subjects = g_new0(const char *, notes->len + 1);
  for (guint i = 0; i < notes->len; i++) {
    const DebyeNote *note = g_ptr_array_index(notes, i);
    sentences[i] = note->sentence;
    kinds[i] = debye_note_kind_name(note->kind);
    subjects[i] = note->about != NULL ? note->about : "";
  }
  return debye_h5_put_strings(group, "notes", sentences, notes->len, error) &&
         debye_h5_put_strings(group, "note_kinds", kinds, notes->len, error) &&
         debye_h5_put_strings(group, "note_subjects", subjects, notes->len, error);
}

/* What has no marks is its own message. */
static void
add_message(GPtrArray *messages, const char *message, const char *english)
{
  if (message != NULL && !g_str_equal(message, english))
    g_ptr_array_add(messages, (gpointer)message);
}

static gboolean
write_messages(hid_t group, DebyeResult *result, GError **error)
{
  GListModel *fields = debye_result_get_fields(result);
  GPtrArray *notes = debye_result_get_notes(result);
  g_autoptr(GPtrArray) messages = g_ptr_array_new();
  add_message(messages, debye_result_get_title_message(result), debye_result_get_title(result));
  for (guint i = 0; i < g_list_model_get_n_items(fields); i++) {
    g_autoptr(DebyeField) field = g_list_model_get_item(fields, i);
    add_message(messages, debye_field_get_medium_message(field), debye_field_get_medium(field));
  }
  for (guint i = 0; i < notes->len; i++) {
    const DebyeNote *note = g_ptr_array_index(notes, i);
    add_message(messages, note->message, note->text);
  }
  return messages->len == 0 ||
         debye_h5_put_strings(group, DEBYE_RESULT_MESSAGES, (const char *const *)messages->pdata,
                              messages->len, error);
}

/* Those that took time. */
static gboolean
write_stages(hid_t group, const DebyeStages *stages, GError **error)
{
  const char *keys[DEBYE_N_STAGES];
  double seconds[DEBYE_N_STAGES];
  gsize n = 0;
  for (guint i = 0; i < DEBYE_N_STAGES; i++)
    if (stages->seconds[i] > 0.0) {
      keys[n] = debye_stage_get_key(i);
      seconds[n++] = stages->seconds[i];
    }
  return n == 0 || (debye_h5_put_strings(group, "stages", keys, n, error) &&
                    debye_h5_put_numbers(group, "stage_times", H5T_NATIVE_DOUBLE, seconds, n, "s", error));
}

static gboolean
write_provenance(hid_t entry, DebyeResult *result, GPtrArray *records, GPtrArray *setting_records,
                 GError **error)
{
  double wall_time = debye_result_get_wall_time(result);
  g_auto(DebyeH5Group) group = debye_h5_create_group(entry, "provenance", "NXcollection", error);
  return group >= 0 && debye_h5_write_string(group, "host", debye_provenance_get_host(), error) &&
         debye_h5_write_string(group, "state", debye_result_is_partial(result) ? "partial" : "whole",
                               error) &&
         debye_h5_put_numbers(group, "wall_time", H5T_NATIVE_DOUBLE, &wall_time, 1, "s", error) &&
         write_stages(group, debye_result_get_stages(result), error) &&
         write_notes(group, debye_result_get_notes(result), error) && write_messages(group, result, error) &&
         write_records(group, "inputs", records, NULL, error) &&
         write_setting_files(group, result, setting_records, error);
}

static gboolean
write_definition(hid_t entry, GError **error)
{
  const double version = DEBYE_RESULT_LAYOUT;
  if (!debye_h5_put_string(entry, "definition", "debye_result", error))
    return FALSE;
  g_auto(DebyeH5Dataset) dataset = H5Dopen2(entry, "definition", H5P_DEFAULT);
  return debye_h5_write_doubles(dataset, "version", &version, 0, NULL, error);
}

static gboolean
write_name(hid_t entry, DebyeResult *result, GError **error)
{
  g_autofree char *name = debye_result_dup_name(result);
  return name == NULL || debye_h5_write_string(entry, "debye_name", name, error);
}

static gboolean
write_entry(hid_t file, DebyeResult *result, GPtrArray *records, GPtrArray *setting_records,
            const char *command, GError **error)
{
  g_auto(DebyeH5Group) entry = debye_h5_create_group(file, "entry", "NXentry", error);
  return entry >= 0 && debye_h5_write_string(entry, "default", "data", error) &&
         debye_h5_put_string(entry, "title", debye_result_get_title(result), error) &&
         write_name(entry, result, error) && write_definition(entry, error) &&
         write_request(entry, debye_result_get_request(result), command, error) &&
         write_provenance(entry, result, records, setting_records, error) &&
         debye_result_hdf5_save_series(entry, result, error);
}

/* When it was made, and by what: a copy of a result is as old as the result. Of one that doesn't know, the
 * file itself. */
static gboolean
write_root(hid_t file, DebyeResult *result, GError **error)
{
  GDateTime *made = debye_result_get_created(result);
  const char *version = debye_result_get_version(result);
  g_autoptr(GDateTime) time = made != NULL ? g_date_time_to_utc(made) : g_date_time_new_now_utc();
  g_autofree char *created = g_date_time_format_iso8601(time);
  return debye_h5_write_string(file, "NX_class", "NXroot", error) &&
         debye_h5_write_string(file, "default", "entry", error) &&
         debye_h5_write_string(file, "debye_version",
                               version != NULL ? version : debye_provenance_get_version(), error) &&
         debye_h5_write_string(file, "created", created, error);
}

gboolean
debye_result_hdf5_save(DebyeResult *result, GOutputStream *stream, const char *command, GError **error)
{
  /* Before the lock: this may read gigabytes. */
  g_autoptr(GPtrArray) records = debye_result_get_input_records(result, NULL, error);
  if (records == NULL)
    return FALSE;
  g_autoptr(GPtrArray) setting_records = debye_result_get_setting_records(result);
  DEBYE_H5_LOCKED();
  g_auto(DebyeH5File) file = debye_h5_create_file(error);
  return file >= 0 && write_root(file, result, error) &&
         write_entry(file, result, records, setting_records, command, error) &&
         debye_h5_finish_file(file, stream, error);
}
