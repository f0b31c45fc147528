/* SPDX-License-Identifier: MIT */
/* Implementation of classroom_recording.h; called by classroom_ladder.c. */
#include "classroom_recording.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "app/document/json_reader.h"
#include "classroom_record.h"
#include "data/files/error.h"

#define MAX_ROWS 1000
#define MAX_DEVICES 64
#define MAX_FILES 100 /* of a folder */
#define MAX_BYTES ((gsize)4 << 20)
#define MAX_LETTERS 80 /* of a name */

typedef struct {
  DebyeClassroomRecord *record;
  const char *name; /* of the file, which tells devices of one name apart */
} Reading;

/* --- A row --- */

static double
get_number(GVariant *object, const char *key)
{
  double value = 0.0;
  return debye_json_get_number(object, key, &value) && isfinite(value) && value > 0.0 ? value : 0.0;
}

static DebyeLadderResources
read_resources(GVariant *row)
{
  g_autoptr(GVariant) gpu = debye_json_get(row, "gpu", G_VARIANT_TYPE_VARDICT);
  if (gpu == NULL)
    return (DebyeLadderResources){0};
  return (DebyeLadderResources){
      .block = (int)CLAMP(debye_json_get_integer(gpu, "threads_per_block", 0), 0, G_MAXINT),
      .registers = (int)CLAMP(debye_json_get_integer(gpu, "registers_per_thread", 0), 0, G_MAXINT),
      .blocks = (int)CLAMP(debye_json_get_integer(gpu, "blocks_per_multiprocessor", 0), 0, G_MAXINT),
      .shared_bytes = (int)CLAMP(debye_json_get_integer(gpu, "shared_bytes", 0), 0, G_MAXINT),
      .local_bytes = (int)CLAMP(debye_json_get_integer(gpu, "local_bytes", 0), 0, G_MAXINT),
      .occupancy = (float)get_number(gpu, "occupancy")};
}

/* "h200.json: cuda:0", which neither a device of this machine nor one of another recording is called. */
static char *
name_device(const Reading *reading, const char *device)
{
  g_autofree char *start = g_utf8_substring(device, 0, MIN(g_utf8_strlen(device, -1), MAX_LETTERS));
  return g_strdup_printf("%s: %s", reading->name, start);
}

/* NULL: the recording has no limits of it. */
static const DebyeClassroomDevice *
find_device(const Reading *reading, const char *device)
{
  const GArray *devices = reading->record->devices;
  g_autofree char *id = name_device(reading, device);
  for (guint i = 0; i < devices->len; i++)
    if (g_str_equal(g_array_index(devices, DebyeClassroomDevice, i).id, id))
      return &g_array_index(devices, DebyeClassroomDevice, i);
  return NULL;
}

/* The production kernel that `bench` times beside any ladder, with all that a call does, is called as the direct sum's
 * last step is; of a step it is known what memory it needs. */
static gboolean
is_production(const char *id, const DebyeClassroomStep *step)
{
  return g_str_equal(id, "ours") && !(step->intensity > 0.0);
}

static void
add_step(const Reading *reading, GVariant *row)
{
  g_autofree char *id = debye_json_get_text(row, "variant"), *device = debye_json_get_text(row, "device");
  const DebyeClassroomDevice *recorded = device != NULL ? find_device(reading, device) : NULL;
  const double fastest = get_number(row, "seconds_least");
  DebyeClassroomStep step = {
      .device = recorded != NULL ? recorded->id : NULL,
      .is_recorded = TRUE,
      .rate = get_number(row, "evals_per_second"),
      .operations = get_number(row, "flops_per_second"),
      .share = get_number(row, "share_of_limit"),
      .error = get_number(row, "error"),
      .intensity = get_number(row, "flops_per_byte"),
      .seconds = get_number(row, "seconds"),
      .overflow = get_number(row, "overflow_share"),
      .kernel_seconds = get_number(row, "kernel_seconds"),
      .overflow_seconds = get_number(row, "overflow_seconds"),
      .resources = read_resources(row),
      .first_launch = get_number(row, "first_launch_seconds"),
      .copy_in = get_number(row, "copy_in_seconds"),
      .copy_out = get_number(row, "copy_out_seconds"),
      .watts = get_number(row, "watts"),
      .clock = get_number(row, "clock_megahertz"),
      .whole = get_number(row, "scale_factor"),
      .spread = fastest > 0.0 ? MAX(get_number(row, "seconds_most") / fastest - 1.0, 0.0) : 0.0,
  };
  if (id != NULL && recorded != NULL && step.rate > 0.0 && !is_production(id, &step) &&
      debye_classroom_step_set_variant(&step, g_str_has_prefix(device, "cuda"), id)) {
    step.reciprocal_roof =
        debye_classroom_step_find_reciprocal_roof(&step, &recorded->limits, step.operations / step.rate);
    g_array_append_val(reading->record->steps, step);
  }
}

/* --- A file --- */

static void
add_device(const Reading *reading, GVariant *limit)
{
  GArray *devices = reading->record->devices;
  g_autofree char *id = debye_json_get_text(limit, "device"), *name = debye_json_get_text(limit, "name");
  if (id == NULL || *id == '\0' || name == NULL || devices->len >= MAX_DEVICES ||
      find_device(reading, id) != NULL)
    return;
  g_autofree char *own = name_device(reading, id),
                  *start = g_utf8_substring(name, 0, MIN(g_utf8_strlen(name, -1), MAX_LETTERS)),
                  *shown = g_strdup_printf(_("%s, recorded"), start);
  const DebyeClassroomDevice device = {
      g_intern_string(own), g_intern_string(shown),
      .limits = {.operations = get_number(limit, "flops_per_second"),
                 .reciprocal_roots = get_number(limit, "reciprocal_roots_per_second"),
                 .bandwidth = get_number(limit, "bytes_per_second")}};
  if (device.limits.operations > 0.0 && device.limits.bandwidth > 0.0)
    g_array_append_val(devices, device);
}

static void
visit(const Reading *reading, GVariant *file, const char *key,
      void (*add)(const Reading *reading, GVariant *one))
{
  g_autoptr(GVariant) list = debye_json_get(file, key, G_VARIANT_TYPE("av"));
  for (gsize i = 0; list != NULL && i < MIN(g_variant_n_children(list), MAX_ROWS); i++) {
    g_autoptr(GVariant) boxed = g_variant_get_child_value(list, i), one = g_variant_get_variant(boxed);
    if (g_variant_is_of_type(one, G_VARIANT_TYPE_VARDICT))
      add(reading, one);
  }
}

DebyeClassroomRecord *
debye_classroom_recording_parse(const char *text, gsize n_bytes, const char *name, GError **error)
{
  g_autoptr(GVariant) file = debye_json_parse(text, n_bytes, name, error);
  if (file == NULL)
    return NULL;
  const gboolean is_object = g_variant_is_of_type(file, G_VARIANT_TYPE_VARDICT);
  if (!is_object || debye_json_get_integer(file, "recording", 0) != DEBYE_CLASSROOM_RECORDING_VERSION) {
    debye_error_set_of_file(error, DEBYE_ERROR_UNKNOWN, name,
                            "expected a recording of version %d, as debye-cli bench -o FILE.json writes it",
                            DEBYE_CLASSROOM_RECORDING_VERSION);
    return NULL;
  }
  DebyeClassroomRecord *record = debye_classroom_record_new("");
  const Reading reading = {record, name};
  visit(&reading, file, "limits", add_device);
  visit(&reading, file, "results", add_step);
  return record;
}

/* Those steps of a kind, with their devices. */
static void
append(DebyeClassroomRecord *record, DebyeClassroomRecord *recording, DebyeLadderKind kind)
{
  for (guint i = recording->steps->len; i-- > 0;)
    if (g_array_index(recording->steps, DebyeClassroomStep, i).kind != kind)
      g_array_remove_index(recording->steps, i);
  if (recording->steps->len == 0)
    return;
  g_array_append_vals(record->devices, recording->devices->data, recording->devices->len);
  g_array_append_vals(record->steps, recording->steps->data, recording->steps->len);
}

/* No pipe or device, whose reading might never end. */
static gboolean
check_file(const char *path, const char *name, GError **error)
{
  GStatBuf about;
  if (g_stat(path, &about) != 0 || !S_ISREG(about.st_mode))
    return debye_error_set_of_file(error, DEBYE_ERROR_UNKNOWN, name,
                                   "expected a regular file that can be read");
  return (guint64)about.st_size <= MAX_BYTES ||
         debye_error_set_of_file(error, DEBYE_ERROR_UNKNOWN, name,
                                 "expected a recording of at most 4 MiB, found %" G_GUINT64_FORMAT " MiB",
                                 ((guint64)about.st_size + ((guint64)1 << 20) - 1) >> 20);
}

static gboolean
append_file(DebyeClassroomRecord *record, DebyeLadderKind kind, const char *path, GError **error)
{
  g_autofree char *text = NULL, *name = debye_error_name_file(path);
  gsize n_bytes = 0;
  if (!check_file(path, name, error) || !g_file_get_contents(path, &text, &n_bytes, error))
    return FALSE;
  g_autoptr(DebyeClassroomRecord) recording =
      debye_classroom_recording_parse(text, MIN(n_bytes, MAX_BYTES), name, error);
  if (recording != NULL)
    append(record, recording, kind);
  return recording != NULL;
}

static gint
compare_names(gconstpointer a, gconstpointer b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static GPtrArray *
list_files(const char *folder)
{
  g_autoptr(GDir) list = g_dir_open(folder, 0, NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
  const char *name;
  while (list != NULL && names->len < MAX_FILES && (name = g_dir_read_name(list)) != NULL)
    if (g_str_has_suffix(name, ".json"))
      g_ptr_array_add(names, g_strdup(name));
  g_ptr_array_sort(names, compare_names);
  return names;
}

static void
read_folder(DebyeClassroomRecord *record, DebyeLadderKind kind, const char *folder, GHashTable *seen)
{
  g_autoptr(GPtrArray) names = list_files(folder);
  for (guint i = 0; i < names->len; i++) {
    g_autoptr(GError) problem = NULL;
    g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
    if (g_hash_table_add(seen, g_strdup(names->pdata[i])) && !append_file(record, kind, path, &problem))
      g_ptr_array_add(record->remarks, g_strdup(problem->message));
  }
}

DebyeClassroomRecord *
debye_classroom_recordings_read(DebyeLadderKind kind, const char *const *folders)
{
  g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  DebyeClassroomRecord *record = debye_classroom_record_new("");
  for (gsize i = 0; folders[i] != NULL; i++)
    read_folder(record, kind, folders[i], seen);
  return record;
}
