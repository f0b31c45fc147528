/* SPDX-License-Identifier: MIT */
/* Brings a result back from HDF5. The layout is at the top of result_hdf5_save.c; maps of other programs are
 * read too, where they are NXdata with a signal of three dimensions and evenly spaced axes. */
#include "result_hdf5.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "curve_of.h"
#include "field_load.h"
#include "data/messages/message.h"
#include "result_hdf5_series.h"

typedef struct {
  guint64 size;
  DebyeH5File id;
  DebyeH5Group entry;
  char *name;
  GHashTable *messages; /* by their English texts */
} ResultFile;

static void
result_file_close(ResultFile *file)
{
  if (file->entry >= 0)
    H5Gclose(file->entry);
  if (file->id >= 0)
    H5Fclose(file->id);
  g_free(file->name);
  g_clear_pointer(&file->messages, g_hash_table_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ResultFile, result_file_close)
#define RESULT_FILE_INIT                            \
  {                                                 \
    .id = H5I_INVALID_HID, .entry = H5I_INVALID_HID \
  }

gboolean
debye_result_hdf5_probe(DebyeInput *input)
{
  static const guint8 signature[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  guint8 head[sizeof signature];
  return debye_input_read_some(input, 0, head, sizeof head, NULL) == sizeof head &&
         memcmp(head, signature, sizeof head) == 0;
}

static gboolean
fail(ResultFile *file, GError **error, int code, const char *expected)
{
  return debye_error_set(error, code, "%s: expected %s, found none", file->name, expected);
}

/* Of HDF5 that was opened or not. */
static gboolean
result_file_enter(ResultFile *file, GError **error)
{
  if (file->id < 0)
    return FALSE;
  file->size = debye_input_get_size(debye_h5_get_input(file->id));
  g_autofree char *entry = debye_h5_read_string(file->id, "default");
  file->entry = debye_h5_open_group(file->id, entry != NULL ? entry : "entry");
  return file->entry >= 0 || fail(file, error, DEBYE_ERROR_MISSING, "a group /entry");
}

static gboolean
result_file_open(ResultFile *file, const char *path, GError **error)
{
  file->name = debye_error_name_file(path);
  file->id = debye_h5_open_file(path, error);
  return result_file_enter(file, error);
}

/* The input stays open as long as the file does. */
static gboolean
result_file_open_input(ResultFile *file, DebyeInput *input, GError **error)
{
  file->name = g_strdup(debye_input_get_name(input));
  file->id = debye_h5_open_input(input, error);
  return result_file_enter(file, error);
}

DebyeMapFileKind
debye_result_hdf5_find_kind(const char *path)
{
  DEBYE_H5_LOCKED();
  g_auto(ResultFile) file = RESULT_FILE_INIT;
  if (!result_file_open(&file, path, NULL))
    return DEBYE_MAP_FILE_NONE;
  return H5Lexists(file.entry, "request", H5P_DEFAULT) > 0 ? DEBYE_MAP_FILE_RESULT : DEBYE_MAP_FILE_PLAIN;
}

/* None in a file of a version that stored words only. */
static void
read_messages(ResultFile *file)
{
  g_auto(DebyeH5Group) group = debye_h5_open_group(file->entry, "provenance");
  g_auto(GStrv) messages = group >= 0 ? debye_h5_get_strings(group, DEBYE_RESULT_MESSAGES, file->size) : NULL;
  file->messages = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  for (char **each = messages; each != NULL && *each != NULL; each++) {
    char *message = g_utf8_make_valid(*each, -1);
    g_hash_table_replace(file->messages, debye_message_english(message), message);
  }
}

static const char *
find_message(const ResultFile *file, const char *english)
{
  const char *message = english != NULL ? g_hash_table_lookup(file->messages, english) : NULL;
  return message != NULL ? message : english;
}

/* The medium of a map as a message. */
static void
word_medium(const ResultFile *file, DebyeField *field)
{
  g_autofree char *medium = g_strdup(find_message(file, debye_field_get_medium(field)));
  debye_field_set_medium(field, medium);
}

static char *
default_group(ResultFile *file)
{
  char *name = debye_h5_read_string(file->entry, "default");
  return name != NULL ? name : g_strdup("data");
}

DebyeField *
debye_result_hdf5_load_field(DebyeInput *input, GError **error)
{
  DEBYE_H5_LOCKED();
  g_auto(ResultFile) file = RESULT_FILE_INIT;
  if (!result_file_open_input(&file, input, error))
    return NULL;
  g_autofree char *name = default_group(&file);
  read_messages(&file);
  g_auto(DebyeH5Group) group = debye_h5_open_group(file.entry, name);
  DebyeField *field = group >= 0 ? debye_result_hdf5_load_map(group, file.name, file.size, error) : NULL;
  if (field != NULL)
    word_medium(&file, field);
  else if (group < 0)
    fail(&file, error, DEBYE_ERROR_MISSING, "values (NXdata with a signal)");
  return field;
}

/* After all that is set, which forgets the effective values. */
static void
read_effective(hid_t group, char **unset, DebyeRequest *request)
{
  for (char **key = unset; key != NULL && *key != NULL; key++) {
    g_autofree char *value = debye_h5_read_string(group, *key);
    if (value != NULL && *value != '\0' && g_utf8_validate(value, -1, NULL))
      debye_request_set_effective(request, *key, value);
  }
}

/* Results of versions that had no such setting, or left it without a value, are computed again as they were. */
static void
set_former(hid_t group, DebyeRequest *request)
{
  const DebyeSettingTable *table = debye_request_get_table(request);
  for (gsize i = 0; i < table->n_settings; i++) {
    const DebyeSetting *setting = &table->settings[i];
    if (setting->before == NULL || debye_request_is_set(request, setting->key))
      continue;
    g_autofree char *value = debye_h5_read_string(group, setting->key);
    if (value == NULL || *value == '\0')
      debye_request_set(request, setting->key, setting->before, NULL);
  }
}

/* Sets what the file says. What this version doesn't know is an error, or with `unknown` is told there. */
static gboolean
read_settings(ResultFile *file, hid_t group, DebyeRequest *request, GPtrArray *unknown, GError **error)
{
  static const char *const others[] = {"NX_class", "analysis", "command_line", DEBYE_RESULT_UNSET, NULL};
  g_auto(GStrv) unset = debye_h5_read_strings(group, DEBYE_RESULT_UNSET);
  g_auto(GStrv) names = debye_h5_list_attributes(group);
  for (char **name = names; *name != NULL; name++) {
    g_autoptr(GError) cause = NULL;
    const char *key = *name;
    if (g_strv_contains(others, key))
      continue;
    g_autofree char *value = debye_h5_read_string(group, key);
    if (unset != NULL && g_strv_contains((const char *const *)unset, key))
      continue;
    if (value != NULL && debye_request_set(request, key, value, &cause))
      continue;
    g_autofree char *reason =
        cause != NULL ? g_strdup(cause->message) : g_strdup_printf("%s: expected a text", key);
    if (unknown == NULL)
      return debye_error_set(error, DEBYE_ERROR_VALUE, "%s: %s", file->name, reason);
    g_ptr_array_add(unknown, g_steal_pointer(&reason));
  }
  set_former(group, request);
  read_effective(group, unset, request);
  return TRUE;
}

static char *
read_analysis(ResultFile *file, hid_t request, GError **error)
{
  char *analysis = request >= 0 ? debye_h5_read_string(request, "analysis") : NULL;
  if (analysis == NULL)
    fail(file, error, DEBYE_ERROR_MISSING, "the request of an analysis");
  return analysis;
}

/* Where the settings of a result are looked up: by the id of its analysis, or those of one that the caller knows. */
typedef struct {
  const DebyeSettingTable *(*find)(const char *id);
  const DebyeSettingTable *one;
} Tables;

static DebyeRequest *
read_request(ResultFile *file, const Tables *tables, GPtrArray *unknown, char **command, GError **error)
{
  g_auto(DebyeH5Group) group = debye_h5_open_group(file->entry, "request");
  g_autofree char *analysis = read_analysis(file, group, error);
  if (analysis == NULL)
    return NULL;
  const DebyeSettingTable *table = tables->find != NULL ? tables->find(analysis) : tables->one;
  if (table == NULL) {
    g_autofree char *valid = g_utf8_make_valid(analysis, -1);
    debye_error_set(error, DEBYE_ERROR_UNKNOWN, "%s: this version doesn't know the analysis “%s”", file->name,
                    valid);
    return NULL;
  }
  g_autoptr(DebyeRequest) request = debye_request_new(table);
  if (!read_settings(file, group, request, unknown, error))
    return NULL;
  if (command != NULL)
    *command = debye_h5_read_string(group, "command_line");
  return g_steal_pointer(&request);
}

static GPtrArray *
read_records(ResultFile *file, hid_t provenance, const char *name)
{
  GPtrArray *records = g_ptr_array_new_with_free_func((GDestroyNotify)debye_input_record_free);
  gsize n_sizes = 0;
  g_auto(DebyeH5Group) group = provenance >= 0 ? debye_h5_open_group(provenance, name) : H5I_INVALID_HID;
  if (group < 0)
    return records;
  g_auto(GStrv) paths = debye_h5_get_strings(group, "path", file->size);
  g_auto(GStrv) sums = debye_h5_get_strings(group, "sha256", file->size);
  g_autofree guint64 *sizes =
      debye_h5_get_numbers(group, "size", H5T_NATIVE_UINT64, sizeof(guint64), file->size, &n_sizes);
  gsize n_sums = sums != NULL ? g_strv_length(sums) : 0;
  for (gsize i = 0; paths != NULL && paths[i] != NULL; i++)
    g_ptr_array_add(records, debye_input_record_new(paths[i], sizes != NULL && i < n_sizes ? sizes[i] : 0,
                                                    i < n_sums ? sums[i] : NULL));
  return records;
}

static char **
paths_of_records(GPtrArray *records)
{
  char **paths = g_new0(char *, records->len + 1);
  for (guint i = 0; i < records->len; i++)
    paths[i] = g_strdup(((const DebyeInputRecord *)records->pdata[i])->path);
  return paths;
}

char *
debye_result_load_analysis(const char *path, GError **error)
{
  g_return_val_if_fail(path != NULL, NULL);
  DEBYE_H5_LOCKED();
  g_auto(ResultFile) file = RESULT_FILE_INIT;
  if (!result_file_open(&file, path, error))
    return NULL;
  g_auto(DebyeH5Group) request = debye_h5_open_group(file.entry, "request");
  return read_analysis(&file, request, error);
}

DebyeRequest *
debye_result_load_request(const char *path, const DebyeSettingTable *(*find_table)(const char *id),
                          char ***inputs, GError **error)
{
  g_return_val_if_fail(path != NULL && find_table != NULL, NULL);
  DEBYE_H5_LOCKED();
  g_auto(ResultFile) file = RESULT_FILE_INIT;
  if (!result_file_open(&file, path, error))
    return NULL;
  DebyeRequest *request = read_request(&file, &(Tables){.find = find_table}, NULL, NULL, error);
  if (request != NULL && inputs != NULL) {
    g_auto(DebyeH5Group) provenance = debye_h5_open_group(file.entry, "provenance");
    g_autoptr(GPtrArray) records = read_records(&file, provenance, "inputs");
    *inputs = paths_of_records(records);
  }
  return request;
}

/* A stage that this version doesn't know is passed over. */
static void
read_stages(ResultFile *file, hid_t group, DebyeResult *result)
{
  gsize n = 0;
  DebyeStages stages = {0};
  g_auto(GStrv) keys = debye_h5_get_strings(group, "stages", file->size);
  g_autofree double *seconds =
      debye_h5_get_numbers(group, "stage_times", H5T_NATIVE_DOUBLE, sizeof(double), file->size, &n);
  for (gsize k = 0; keys != NULL && keys[k] != NULL && k < n; k++)
    for (guint i = 0; i < DEBYE_N_STAGES; i++)
      if (g_str_equal(keys[k], debye_stage_get_key(i)) && isfinite(seconds[k]) && seconds[k] > 0.0)
        stages.seconds[i] = seconds[k];
  debye_result_set_stages(result, &stages);
}

static void
read_provenance(ResultFile *file, DebyeResult *result)
{
  g_auto(DebyeH5Group) group = debye_h5_open_group(file->entry, "provenance");
  g_autoptr(GPtrArray) records = read_records(file, group, "inputs");
  g_autoptr(GPtrArray) of_settings = read_records(file, group, DEBYE_RESULT_SETTING_FILES);
  g_auto(GStrv) paths = paths_of_records(records);
  debye_result_set_inputs(result, (const char *const *)paths);
  debye_result_set_input_records(result, records);
  debye_result_set_setting_records(result, of_settings);
  if (group < 0)
    return;
  gsize n = 0;
  g_auto(GStrv) notes = debye_h5_get_strings(group, "notes", file->size);
  g_auto(GStrv) kinds = debye_h5_get_strings(group, "note_kinds", file->size);
  g_auto(GStrv) subjects = debye_h5_get_strings(group, "note_subjects", file->size);
  g_autoptr(GPtrArray) loaded = debye_note_load_all(notes, kinds, subjects, file->messages);
  g_autofree char *state = debye_h5_read_string(group, "state");
  g_autofree double *seconds =
      debye_h5_get_numbers(group, "wall_time", H5T_NATIVE_DOUBLE, sizeof(double), file->size, &n);
  read_stages(file, group, result);
  debye_result_copy_notes(result, loaded);
  debye_result_set_partial(result, g_strcmp0(state, "partial") == 0);
  debye_result_set_wall_time(result, n == 1 && isfinite(seconds[0]) ? seconds[0] : 0.0);
}

static char *
read_root_text(ResultFile *file, const char *name)
{
  g_autofree char *text = debye_h5_read_string(file->id, name);
  return text != NULL ? g_utf8_make_valid(text, -1) : NULL;
}

static void
read_origin(ResultFile *file, DebyeResult *result)
{
  g_autofree char *created = read_root_text(file, "created");
  g_autofree char *version = read_root_text(file, "debye_version");
  g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
  g_autoptr(GDateTime) time = created != NULL ? g_date_time_new_from_iso8601(created, utc) : NULL;
  debye_result_set_origin(result, time, version);
}

/* A group of values, and where it stood among those of its kind. */
typedef struct {
  char *name, *kind;
  double index;
} Part;

static void
part_free(gpointer data)
{
  Part *part = data;
  g_free(part->name);
  g_free(part->kind);
  g_free(part);
}

static int
compare_parts(gconstpointer a, gconstpointer b)
{
  const Part *one = *(const Part *const *)a, *other = *(const Part *const *)b;
  return (one->index > other->index) - (one->index < other->index);
}

static void
add_part(ResultFile *file, GPtrArray *parts, const char *name, double otherwise)
{
  g_auto(DebyeH5Group) group = debye_h5_open_group(file->entry, name);
  g_autofree char *kind = group >= 0 ? debye_result_hdf5_get_kind(group, file->size) : NULL;
  double index;
  if (kind == NULL || strcmp(kind, DEBYE_RESULT_LINKS) == 0)
    return;
  if (!debye_h5_read_doubles(group, "debye_index", &index, 1) || !isfinite(index))
    index = otherwise;
  Part *part = g_new(Part, 1);
  *part = (Part){g_strdup(name), g_steal_pointer(&kind), index};
  g_ptr_array_add(parts, part);
}

/* The groups of values in the order in which they were saved; of other programs', the default one first. */
static GPtrArray *
find_parts(ResultFile *file)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func(part_free);
  g_auto(GStrv) names = debye_h5_list(file->entry);
  g_autofree char *first = default_group(file);
  for (char **name = names; *name != NULL; name++)
    add_part(file, parts, *name, strcmp(*name, first) == 0 ? -1.0 : HUGE_VAL);
  g_ptr_array_sort(parts, compare_parts);
  return parts;
}

static gboolean
read_part(ResultFile *file, const Part *part, DebyeResult *result, GError **error)
{
  g_auto(DebyeH5Group) group = debye_h5_open_group(file->entry, part->name);
  return debye_result_hdf5_load_series(group, part->kind, file->name, file->size, result, error);
}

static gboolean
read_parts(ResultFile *file, DebyeResult *result, GError **error)
{
  g_autoptr(GPtrArray) parts = find_parts(file);
  if (parts->len == 0)
    return fail(file, error, DEBYE_ERROR_MISSING, "values (NXdata with a signal)");
  for (guint i = 0; i < parts->len; i++)
    if (!read_part(file, parts->pdata[i], result, error))
      return FALSE;
  debye_curve_of_read(debye_result_get_curves(result));
  GListModel *fields = debye_result_get_fields(result);
  for (guint i = 0; i < g_list_model_get_n_items(fields); i++) {
    g_autoptr(DebyeField) field = g_list_model_get_item(fields, i);
    word_medium(file, field);
  }
  return TRUE;
}

static void
read_name(ResultFile *file, DebyeResult *result)
{
  g_autofree char *name = debye_h5_read_string(file->entry, "debye_name");
  g_autofree char *valid = name != NULL ? g_utf8_make_valid(name, -1) : NULL;
  debye_result_set_name(result, valid);
}

static DebyeResult *
load_result(DebyeInput *input, const Tables *tables, GError **error)
{
  DEBYE_H5_LOCKED();
  g_auto(ResultFile) file = RESULT_FILE_INIT;
  g_autoptr(GPtrArray) unknown = g_ptr_array_new_with_free_func(g_free);
  g_autofree char *command = NULL;
  if (!result_file_open_input(&file, input, error))
    return NULL;
  g_autoptr(DebyeRequest) request = read_request(&file, tables, unknown, &command, error);
  if (request == NULL)
    return NULL;
  g_autofree char *title = debye_h5_get_string(file.entry, "title", file.size);
  g_autofree char *valid = title != NULL ? g_utf8_make_valid(title, -1) : NULL;
  read_messages(&file);
  g_autoptr(DebyeResult) result = debye_result_new(request, find_message(&file, valid));
  debye_result_set_command(result, command);
  read_name(&file, result);
  read_origin(&file, result);
  read_provenance(&file, result);
  for (guint i = 0; i < unknown->len; i++)
    debye_result_add_note(result, "not understood by this version: %s", (const char *)unknown->pdata[i]);
  return read_parts(&file, result, error) ? g_steal_pointer(&result) : NULL;
}

static DebyeResult *
load(const char *path, const Tables *tables, DebyeProgressFunc progress, gpointer data, GError **error)
{
  g_autoptr(DebyeInput) input = debye_input_open_watched(path, progress, data, error);
  if (input == NULL)
    return NULL;
  g_autoptr(DebyeResult) result = load_result(input, tables, error);
  return debye_input_confirm(input, result != NULL, error) ? g_steal_pointer(&result) : NULL;
}

DebyeResult *
debye_result_load(const char *path, const DebyeSettingTable *(*find_table)(const char *id), GError **error)
{
  return debye_result_load_watched(path, find_table, NULL, NULL, error);
}

DebyeResult *
debye_result_load_of(const char *path, const DebyeSettingTable *table, GError **error)
{
  g_return_val_if_fail(path != NULL && table != NULL, NULL);
  return load(path, &(Tables){.one = table}, NULL, NULL, error);
}

DebyeResult *
debye_result_load_watched(const char *path, const DebyeSettingTable *(*find_table)(const char *id),
                          DebyeProgressFunc progress, gpointer data, GError **error)
{
  g_return_val_if_fail(path != NULL && find_table != NULL, NULL);
  return load(path, &(Tables){.find = find_table}, progress, data, error);
}
