/* SPDX-License-Identifier: MIT */
/* Implementation of session_save.h: writes a session and its results on a worker; called by the window's
 * session. */
#include "session_save.h"

#include <errno.h>
#include <glib/gstdio.h>

#include "data/files/error.h"
#include "render/scene/capture.h"
#include "result_command.h"

/* Where a window's export has written a result: all of it, or its numbers in another format. */
#define EXPORT_KEY "debye-result-exported-to"
#define NUMBERS_KEY "debye-result-numbers-in"
/* How files of what is only shown begin. */
#define SHOWN "shown-"
/* How folders of results end. */
#define RESULTS "-results"

/* A file that holds a result, kept with the result by the main thread. */
typedef struct {
  char *path;
  gint64 size, modified; /* when it was written: what was written over since holds something else */
} ResultFile;

typedef struct {
  DebyeResult *result; /* NULL: it has its file */
  char *path;
  gboolean is_written; /* by this save */
} Entry;

struct _DebyeSessionResults {
  char *folder, *key; /* key: under which results remember their files in this folder */
  GArray *entries;
  guint n_names;
};

struct _DebyeSessionSave {
  char *path;
  GVariant *values;
  DebyeSessionResults *results;
  DebyeSession *previous;
};

static void
clear_entry(gpointer data)
{
  Entry *entry = data;
  g_clear_object(&entry->result);
  g_free(entry->path);
}

static char *
name_key(const char *path)
{
  return g_strconcat("debye-result-in:", path, "-results", NULL);
}

DebyeSessionResults *
debye_session_results_new(const char *path)
{
  DebyeSessionResults *self = g_new0(DebyeSessionResults, 1);
  self->folder = g_strconcat(path, RESULTS, NULL);
  self->key = name_key(path);
  self->entries = g_array_new(FALSE, FALSE, sizeof(Entry));
  g_array_set_clear_func(self->entries, clear_entry);
  return self;
}

static void
debye_session_results_free(DebyeSessionResults *self)
{
  g_free(self->folder);
  g_free(self->key);
  g_array_unref(self->entries);
  g_free(self);
}

void
debye_session_results_add_path(DebyeSessionResults *self, const char *path)
{
  const Entry entry = {.path = g_strdup(path)};
  g_array_append_val(self->entries, entry);
}

/* --- Files of results --- */

static gboolean
look_at_file(const char *path, gint64 *size, gint64 *modified)
{
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GFileInfo) info = g_file_query_info(
      file,
      G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_TIME_MODIFIED
                                     "," G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC,
      G_FILE_QUERY_INFO_NONE, NULL, NULL);
  if (info == NULL || g_file_info_get_file_type(info) != G_FILE_TYPE_REGULAR)
    return FALSE;
  g_autoptr(GDateTime) time = g_file_info_get_modification_date_time(info);
  *size = g_file_info_get_size(info);
  *modified =
      time != NULL ? g_date_time_to_unix(time) * G_USEC_PER_SEC + g_date_time_get_microsecond(time) : 0;
  return TRUE;
}

static void
result_file_free(gpointer data)
{
  ResultFile *file = data;
  g_free(file->path);
  g_free(file);
}

static void
remember_file(DebyeResult *result, const char *key, const char *path)
{
  ResultFile *file = g_new0(ResultFile, 1);
  file->path = g_strdup(path);
  if (look_at_file(path, &file->size, &file->modified))
    g_object_set_data_full(G_OBJECT(result), key, file, result_file_free);
  else
    result_file_free(file);
}

void
debye_session_results_remember_export(DebyeResult *result, const char *path)
{
  g_return_if_fail(DEBYE_IS_RESULT(result) && path != NULL);
  /* Other formats don't hold all of a result. */
  remember_file(result, g_str_has_suffix(path, ".h5") ? EXPORT_KEY : NUMBERS_KEY, path);
}

/* NULL: none, or it isn't what was written any more. */
static const char *
recall_file(DebyeResult *result, const char *key)
{
  const ResultFile *file = g_object_get_data(G_OBJECT(result), key);
  gint64 size, modified;
  gboolean stands = file != NULL && look_at_file(file->path, &size, &modified) && size == file->size &&
                    modified == file->modified;
  return stands ? file->path : NULL;
}

gboolean
debye_session_results_has_file(DebyeResult *result, const char *path)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(result), FALSE);
  g_autofree char *key = path != NULL ? name_key(path) : NULL;
  return recall_file(result, EXPORT_KEY) != NULL || recall_file(result, NUMBERS_KEY) != NULL ||
         (key != NULL && recall_file(result, key) != NULL);
}

static char *
name_file(DebyeSessionResults *self, DebyeResult *result, const char *prefix)
{
  const char *id = debye_request_get_table(debye_result_get_request(result))->id;
  for (;;) {
    g_autofree char *name = g_strdup_printf("%s%s-%u.h5", prefix, id, ++self->n_names);
    g_autofree char *path = g_build_filename(self->folder, name, NULL);
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
      return g_steal_pointer(&path);
  }
}

static void
add_result(DebyeSessionResults *self, DebyeResult *result, const char *prefix)
{
  const char *file = recall_file(result, self->key);
  if (file == NULL)
    file = recall_file(result, EXPORT_KEY);
  if (file != NULL) {
    debye_session_results_add_path(self, file);
    return;
  }
  const Entry entry = {.result = g_object_ref(result), .path = name_file(self, result, prefix)};
  g_array_append_val(self->entries, entry);
}

void
debye_session_results_add(DebyeSessionResults *self, DebyeResult *result)
{
  add_result(self, result, "");
}

void
debye_session_results_add_shown(DebyeSessionResults *self, DebyeResult *result)
{
  add_result(self, result, SHOWN);
}

static gboolean
is_shown_name(const char *name)
{
  return g_str_has_prefix(name, SHOWN) && g_str_has_suffix(name, ".h5");
}

gboolean
debye_session_results_is_own(const DebyeSessionResults *self, const char *path)
{
  g_autofree char *folder = g_path_get_dirname(path), *of_file = g_canonicalize_filename(folder, NULL),
                  *own = g_canonicalize_filename(self->folder, NULL);
  return g_str_equal(of_file, own);
}

gboolean
debye_session_results_is_shown(const char *path)
{
  g_autofree char *name = g_path_get_basename(path), *folder = g_path_get_dirname(path);
  return is_shown_name(name) && g_str_has_suffix(folder, RESULTS);
}

/* --- Saving --- */

DebyeSessionSave *
debye_session_save_new(const char *path, GVariant *values, DebyeSessionResults *results,
                       DebyeSession *previous)
{
  DebyeSessionSave *self = g_new0(DebyeSessionSave, 1);
  self->path = g_strdup(path);
  self->values = g_variant_ref_sink(values);
  self->results = results;
  self->previous = previous != NULL ? g_object_ref(previous) : NULL;
  return self;
}

void
debye_session_save_set_text(DebyeSessionSave *self, const char *key, const char *text)
{
  GVariantDict dict;
  g_variant_dict_init(&dict, self->values);
  g_variant_dict_insert(&dict, key, "s", text);
  g_variant_unref(self->values);
  self->values = g_variant_ref_sink(g_variant_dict_end(&dict));
}

static gboolean
save_result(DebyeSessionSave *self, Entry *entry, GError **error)
{
  if (g_mkdir_with_parents(self->results->folder, 0777) != 0) {
    g_autofree char *name = debye_error_name_file(self->results->folder);
    return debye_error_set(error, DEBYE_ERROR_WRITE, "%s: can't be created: %s", name, g_strerror(errno));
  }
  g_autofree char *command = debye_result_command(entry->result, entry->path);
  if (!debye_result_save(entry->result, entry->path, command, error))
    return FALSE;
  entry->is_written = TRUE;
  return TRUE;
}

/* What came to nothing leaves no folder of results without its session. Results have names that no other
 * session has given. */
static void
take_back_results(DebyeSessionSave *self)
{
  for (guint i = 0; i < self->results->entries->len; i++) {
    Entry *entry = &g_array_index(self->results->entries, Entry, i);
    if (entry->is_written)
      g_remove(entry->path);
    entry->is_written = FALSE;
  }
  g_rmdir(self->results->folder); /* only where nothing else is in it */
}

static gboolean
has_entry(const DebyeSessionResults *results, const char *path)
{
  for (guint i = 0; i < results->entries->len; i++)
    if (g_str_equal(g_array_index(results->entries, Entry, i).path, path))
      return TRUE;
  return FALSE;
}

/* What was shown when the session was saved before. What can't be removed stays: it does no harm. */
static void
remove_shown_before(const DebyeSessionResults *results)
{
  g_autoptr(GDir) folder = g_dir_open(results->folder, 0, NULL);
  const char *name;
  while (folder != NULL && (name = g_dir_read_name(folder)) != NULL) {
    g_autofree char *path = g_build_filename(results->folder, name, NULL);
    if (is_shown_name(name) && !has_entry(results, path))
      g_remove(path);
  }
}

static DebyeSession *
write_session(DebyeSessionSave *self, GCancellable *cancellable, GError **error)
{
  g_autoptr(GPtrArray) paths = g_ptr_array_new();
  for (guint i = 0; i < self->results->entries->len; i++) {
    Entry *entry = &g_array_index(self->results->entries, Entry, i);
    if (g_cancellable_set_error_if_cancelled(cancellable, error) ||
        (entry->result != NULL && !save_result(self, entry, error)))
      return NULL;
    g_ptr_array_add(paths, entry->path);
  }
  g_ptr_array_add(paths, NULL);
  g_autoptr(DebyeSession) session = debye_session_new(self->values, (const char *const *)paths->pdata);
  if (!debye_session_save(session, self->path, self->previous, cancellable, error))
    return NULL;
  return g_steal_pointer(&session);
}

DebyeSession *
debye_session_save_run(DebyeSessionSave *self, GCancellable *cancellable, GError **error)
{
  DebyeSession *session = write_session(self, cancellable, error);
  if (session == NULL)
    take_back_results(self);
  else
    remove_shown_before(self->results);
  return session;
}

void
debye_session_save_remember(DebyeSessionSave *self)
{
  for (guint i = 0; i < self->results->entries->len; i++) {
    const Entry *entry = &g_array_index(self->results->entries, Entry, i);
    if (entry->is_written)
      remember_file(entry->result, self->results->key, entry->path);
  }
}

void
debye_session_save_free(gpointer data)
{
  DebyeSessionSave *self = data;
  g_free(self->path);
  g_variant_unref(self->values);
  debye_session_results_free(self->results);
  g_clear_object(&self->previous);
  g_free(self);
}

/* --- Thumbnails --- */

char *
debye_session_thumbnail_path(const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename(path, NULL);
  g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, absolute, -1);
  g_autofree char *name = g_strconcat(hash, ".png", NULL);
  return g_build_filename(g_get_user_cache_dir(), "debye", "thumbnails", name, NULL);
}

void
debye_session_save_thumbnail(GBytes *pixels, const char *path)
{
  g_autofree char *folder = g_path_get_dirname(path);
  if (g_mkdir_with_parents(folder, 0700) == 0)
    debye_capture_save_png(pixels, DEBYE_SESSION_THUMBNAIL_WIDTH, DEBYE_SESSION_THUMBNAIL_HEIGHT,
                           DEBYE_SCREEN_DPI, path, NULL);
}
