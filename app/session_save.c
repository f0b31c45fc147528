/* SPDX-License-Identifier: MIT */
/* Sessions on their way to the disk, see session_save.h. */
#include "session_save.h"

#include <errno.h>
#include <glib/gstdio.h>

#include "data/error.h"
#include "render/capture.h"
#include "result_command.h"

/* Where a window's export has written a result. */
#define EXPORT_KEY "path"

typedef struct {
  DebyeResult *result; /* NULL: it has its file */
  char *path;
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

DebyeSessionResults *
debye_session_results_new(const char *path)
{
  DebyeSessionResults *self = g_new0(DebyeSessionResults, 1);
  self->folder = g_strconcat(path, "-results", NULL);
  self->key = g_strconcat("debye-result-in:", self->folder, NULL);
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

static const char *
find_file(DebyeSessionResults *self, DebyeResult *result)
{
  const char *saved = g_object_get_data(G_OBJECT(result), self->key);
  const char *exported = g_object_get_data(G_OBJECT(result), EXPORT_KEY);
  if (saved != NULL && g_file_test(saved, G_FILE_TEST_IS_REGULAR))
    return saved;
  /* Other formats don't hold all of a result. */
  return exported != NULL && g_str_has_suffix(exported, ".h5") &&
                 g_file_test(exported, G_FILE_TEST_IS_REGULAR)
             ? exported
             : NULL;
}

static char *
name_file(DebyeSessionResults *self, DebyeResult *result)
{
  const char *id = debye_request_get_table(debye_result_get_request(result))->id;
  for (;;) {
    g_autofree char *name = g_strdup_printf("%s-%u.h5", id, ++self->n_names);
    g_autofree char *path = g_build_filename(self->folder, name, NULL);
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
      return g_steal_pointer(&path);
  }
}

void
debye_session_results_add(DebyeSessionResults *self, DebyeResult *result)
{
  const char *file = find_file(self, result);
  if (file != NULL) {
    debye_session_results_add_path(self, file);
    return;
  }
  const Entry entry = {.result = g_object_ref(result), .path = name_file(self, result)};
  g_array_append_val(self->entries, entry);
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
save_result(DebyeSessionSave *self, const Entry *entry, GError **error)
{
  if (g_mkdir_with_parents(self->results->folder, 0777) != 0) {
    g_autofree char *name = debye_error_name_file(self->results->folder);
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_WRITE, "%s: can't be made: %s", name, g_strerror(errno));
    return FALSE;
  }
  g_autofree char *command = debye_result_command(entry->result, entry->path);
  if (!debye_result_save(entry->result, entry->path, command, error))
    return FALSE;
  g_object_set_data_full(G_OBJECT(entry->result), self->results->key, g_strdup(entry->path), g_free);
  return TRUE;
}

DebyeSession *
debye_session_save_run(DebyeSessionSave *self, GCancellable *cancellable, GError **error)
{
  g_autoptr(GPtrArray) paths = g_ptr_array_new();
  for (guint i = 0; i < self->results->entries->len; i++) {
    const Entry *entry = &g_array_index(self->results->entries, Entry, i);
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
    debye_capture_save_png(pixels, DEBYE_SESSION_THUMBNAIL_WIDTH, DEBYE_SESSION_THUMBNAIL_HEIGHT, path, NULL);
}
