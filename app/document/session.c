/* SPDX-License-Identifier: MIT */
/* Reads and writes session files; called by document.c, the window and debye-cli info. */
#include "session.h"

#include "data/files/error.h"
#include "data/files/provenance.h"
#include "data/messages/message.h"
#include "json_reader.h"
#include "json_writer.h"

#define SESSION_VERSION 1

/* Selections and settings are texts of a person's size. */
#define MAX_BYTES ((goffset)16 << 20)
#define MAX_FILES 10000
#define VERSION_KEY "debye-session"
#define PROGRAM_KEY "program"

struct _DebyeSession {
  GObject parent_instance;
  GPtrArray *files; /* DebyeSessionFile */
  GVariant *values;
  char *path, *program;
};

G_DEFINE_FINAL_TYPE(DebyeSession, debye_session, G_TYPE_OBJECT)

gboolean
debye_session_is_one(const char *path)
{
  g_autofree char *lower = g_ascii_strdown(path, -1);
  return g_str_has_suffix(lower, DEBYE_SESSION_ENDING);
}

DebyeSession *
debye_session_new(GVariant *values, const char *const *paths)
{
  DebyeSession *self = g_object_new(DEBYE_TYPE_SESSION, NULL);
  self->values = g_variant_ref_sink(values);
  for (; paths != NULL && *paths != NULL; paths++)
    g_ptr_array_add(self->files, debye_session_file_new(*paths));
  return self;
}

/* --- Reading --- */

static gboolean
check_version(GVariant *whole, const char *name, GError **error)
{
  gint64 version = debye_json_get_integer(whole, VERSION_KEY, 0);
  if (version >= 1 && version <= SESSION_VERSION)
    return TRUE;
  if (version > SESSION_VERSION)
    debye_error_set(error, DEBYE_ERROR_UNKNOWN,
                    "%s: a session of version %" G_GINT64_FORMAT
                    ", this program reads up to %d: a newer Debye wrote it",
                    name, version, SESSION_VERSION);
  else
    debye_error_set(error, DEBYE_ERROR_UNKNOWN,
                    "%s: not a session: expected “" VERSION_KEY "” with its version, found none", name);
  return FALSE;
}

static gboolean
read_files(DebyeSession *self, GVariant *whole, const char *name, const char *folder, GError **error)
{
  g_autoptr(GVariant) list = debye_json_get(whole, "files", G_VARIANT_TYPE("av"));
  gsize n_files = list != NULL ? g_variant_n_children(list) : 0;
  if (n_files == 0 || n_files > MAX_FILES)
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "%s: expected 1 to %d files under “files”, found %" G_GSIZE_FORMAT, name,
                           MAX_FILES, n_files);
  for (gsize i = 0; i < n_files; i++) {
    g_autoptr(GVariant) boxed = g_variant_get_child_value(list, i);
    g_autoptr(GVariant) entry = g_variant_get_variant(boxed);
    DebyeSessionFile *file = debye_session_file_from_variant(entry, folder);
    if (file == NULL)
      return debye_error_set(error, DEBYE_ERROR_VALUE,
                             "%s: file %" G_GSIZE_FORMAT " of “files”: expected its path, found none", name,
                             i);
    g_ptr_array_add(self->files, file);
  }
  return TRUE;
}

static GVariant *
without_own_members(GVariant *whole)
{
  GVariantDict dict;
  g_variant_dict_init(&dict, whole);
  g_variant_dict_remove(&dict, VERSION_KEY);
  g_variant_dict_remove(&dict, PROGRAM_KEY);
  g_variant_dict_remove(&dict, "files");
  return g_variant_dict_end(&dict);
}

DebyeSession *
debye_session_parse(const char *text, gsize length, const char *name, const char *folder, GError **error)
{
  g_autoptr(GVariant) whole = debye_json_parse(text, length, name, error);
  if (whole == NULL || !check_version(whole, name, error))
    return NULL;
  g_autoptr(DebyeSession) self = debye_session_new(without_own_members(whole), NULL);
  self->program = debye_json_get_text(whole, PROGRAM_KEY);
  return read_files(self, whole, name, folder, error) ? g_steal_pointer(&self) : NULL;
}

static char *
read_text(const char *path, const char *name, gsize *length, GError **error)
{
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GError) reason = NULL;
  g_autoptr(GFileInfo) info =
      g_file_query_info(file, G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL, &reason);
  char *text = NULL;
  if (info != NULL && g_file_info_get_size(info) > MAX_BYTES)
    debye_error_set(error, DEBYE_ERROR_LIMIT,
                    "%s: a session has at most %" G_GOFFSET_FORMAT " bytes, found %" G_GOFFSET_FORMAT, name,
                    MAX_BYTES, g_file_info_get_size(info));
  else if (g_error_matches(reason, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)) {
    g_autofree char *words = debye_say("%s: no such session", name);
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, words);
  } else if (info == NULL || !g_file_load_contents(file, NULL, &text, length, NULL, &reason))
    debye_error_set(error, DEBYE_ERROR_OPEN, "%s: %s", name, reason->message);
  return text;
}

static char *
folder_of(const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename(path, NULL);
  return g_path_get_dirname(absolute);
}

static void
set_own_path(DebyeSession *self, const char *path)
{
  g_return_if_fail(DEBYE_IS_SESSION(self));
  char *absolute = path != NULL ? g_canonicalize_filename(path, NULL) : NULL;
  g_free(self->path);
  self->path = absolute;
}

DebyeSession *
debye_session_load(const char *path, GError **error)
{
  gsize length = 0;
  g_autofree char *name = debye_error_name_file(path);
  g_autofree char *folder = folder_of(path);
  g_autofree char *text = read_text(path, name, &length, error);
  DebyeSession *self = text != NULL ? debye_session_parse(text, length, name, folder, error) : NULL;
  if (self != NULL)
    set_own_path(self, path);
  return self;
}

/* --- Writing --- */

char *
debye_session_to_text(DebyeSession *self, const char *folder)
{
  g_return_val_if_fail(DEBYE_IS_SESSION(self), NULL);
  GVariantIter iter;
  const char *key;
  GVariant *value;
  g_auto(DebyeJson) json = debye_json_begin();
  debye_json_integer(&json, VERSION_KEY, SESSION_VERSION);
  debye_json_string(&json, PROGRAM_KEY, debye_provenance_get_version());
  debye_json_open(&json, "files", '[');
  for (guint i = 0; i < self->files->len; i++) {
    g_autoptr(GVariant) file =
        g_variant_ref_sink(debye_session_file_to_variant(self->files->pdata[i], folder));
    debye_json_value(&json, NULL, file);
  }
  debye_json_close(&json, ']');
  g_variant_iter_init(&iter, self->values);
  while (g_variant_iter_loop(&iter, "{&sv}", &key, &value))
    debye_json_value(&json, key, value);
  debye_json_close(&json, '}');
  return g_strconcat(json.text->str, "\n", NULL);
}

static const DebyeSessionFile *
find_file(DebyeSession *self, const char *path)
{
  for (guint i = 0; self != NULL && i < self->files->len; i++) {
    const DebyeSessionFile *file = self->files->pdata[i];
    if (g_strcmp0(file->path, path) == 0)
      return file;
  }
  return NULL;
}

gboolean
debye_session_save(DebyeSession *self, const char *path, DebyeSession *previous, GCancellable *cancellable,
                   GError **error)
{
  g_return_val_if_fail(DEBYE_IS_SESSION(self), FALSE);
  for (guint i = 0; i < self->files->len; i++) {
    DebyeSessionFile *file = self->files->pdata[i];
    if (!debye_session_file_record(file, find_file(previous, file->path), cancellable, error))
      return FALSE;
  }
  g_autofree char *folder = folder_of(path);
  g_autofree char *text = debye_session_to_text(self, folder);
  g_autoptr(GError) reason = NULL;
  if (g_file_set_contents_full(path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                               0666, &reason)) {
    set_own_path(self, path);
    return TRUE;
  }
  g_autofree char *name = debye_error_name_file(path);
  return debye_error_set(error, DEBYE_ERROR_WRITE, "%s: can't be written: %s", name, reason->message);
}

/* --- What it holds --- */

const char *
debye_session_get_path(DebyeSession *self)
{
  g_return_val_if_fail(DEBYE_IS_SESSION(self), NULL);
  return self->path;
}

const char *
debye_session_get_program(DebyeSession *self)
{
  g_return_val_if_fail(DEBYE_IS_SESSION(self), NULL);
  return self->program;
}

GVariant *
debye_session_get_values(DebyeSession *self)
{
  g_return_val_if_fail(DEBYE_IS_SESSION(self), NULL);
  return self->values;
}

guint
debye_session_get_n_files(DebyeSession *self)
{
  g_return_val_if_fail(DEBYE_IS_SESSION(self), 0);
  return self->files->len;
}

const DebyeSessionFile *
debye_session_get_file(DebyeSession *self, guint index)
{
  g_return_val_if_fail(DEBYE_IS_SESSION(self) && index < self->files->len, NULL);
  return self->files->pdata[index];
}

void
debye_session_set_file_path(DebyeSession *self, guint index, const char *path)
{
  g_return_if_fail(DEBYE_IS_SESSION(self) && index < self->files->len);
  DebyeSessionFile *file = self->files->pdata[index];
  g_free(file->path);
  file->path = g_canonicalize_filename(path, NULL);
}

gboolean
debye_session_check_file(DebyeSession *self, guint index, GCancellable *cancellable)
{
  g_return_val_if_fail(DEBYE_IS_SESSION(self) && index < self->files->len, FALSE);
  DebyeSessionFile *file = self->files->pdata[index];
  debye_session_file_check(file, cancellable);
  return file->state == DEBYE_SESSION_FILE_THERE;
}

gboolean
debye_session_check(DebyeSession *self, GCancellable *cancellable)
{
  g_return_val_if_fail(DEBYE_IS_SESSION(self), FALSE);
  gboolean same = TRUE;
  for (guint i = 0; i < self->files->len; i++)
    same = debye_session_check_file(self, i, cancellable) && same;
  return same;
}

static void
debye_session_finalize(GObject *object)
{
  DebyeSession *self = DEBYE_SESSION(object);
  g_ptr_array_unref(self->files);
  g_free(self->path);
  g_free(self->program);
  g_clear_pointer(&self->values, g_variant_unref);
  G_OBJECT_CLASS(debye_session_parent_class)->finalize(object);
}

static void
debye_session_class_init(DebyeSessionClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_session_finalize;
}

static void
debye_session_init(DebyeSession *self)
{
  self->files = g_ptr_array_new_with_free_func((GDestroyNotify)debye_session_file_free);
}
