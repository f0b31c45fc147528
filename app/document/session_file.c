/* SPDX-License-Identifier: MIT */
/* A file that a session refers to: saved, found again and checked; called by session.c and the window. */
#include "session_file.h"

#include <string.h>

#include "data/files/error.h"
#include "data/messages/message.h"
#include "json_reader.h"

/* Of larger files only the first and the last part of this size are hashed: a trajectory of many gigabytes
 * must not make saving slow. The session says so. */
#define HASHED_WHOLE ((guint64)64 << 20)
#define HASHED_END ((guint64)1 << 20)

#define CHUNK ((gsize)1 << 20)

DebyeSessionFile *
debye_session_file_new(const char *path)
{
  DebyeSessionFile *file = g_new0(DebyeSessionFile, 1);
  file->path = g_canonicalize_filename(path, NULL);
  file->sha256 = g_strdup("");
  return file;
}

void
debye_session_file_free(DebyeSessionFile *file)
{
  g_free(file->path);
  g_free(file->saved_path);
  g_free(file->sha256);
  g_free(file);
}

/* --- What a file is --- */

/* Only regular files: a pipe or a device would never end. */
static GFileInfo *
query(const char *path, GError **error)
{
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autofree char *name = g_filename_display_basename(path);
  g_autoptr(GError) reason = NULL;
  g_autoptr(GFileInfo) info =
      g_file_query_info(file,
                        G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE "," //
                        G_FILE_ATTRIBUTE_TIME_MODIFIED "," G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC,
                        G_FILE_QUERY_INFO_NONE, NULL, &reason);
  if (info == NULL)
    debye_error_set(error, DEBYE_ERROR_OPEN, "%s: %s", name, reason->message);
  else if (g_file_info_get_file_type(info) != G_FILE_TYPE_REGULAR)
    debye_error_set(error, DEBYE_ERROR_OPEN, "%s: expected a regular file, found something else", name);
  else
    return g_steal_pointer(&info);
  return NULL;
}

static gint64
time_of(GFileInfo *info)
{
  return (gint64)g_file_info_get_attribute_uint64(info, G_FILE_ATTRIBUTE_TIME_MODIFIED) * G_USEC_PER_SEC +
         (gint64)g_file_info_get_attribute_uint32(info, G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC);
}

/* `length` bytes from where the stream stands. */
static gboolean
hash_part(GInputStream *stream, guint64 length, GChecksum *checksum, GCancellable *cancellable,
          GError **error)
{
  g_autofree guchar *bytes = g_malloc(CHUNK);
  while (length > 0) {
    gssize n = g_input_stream_read(stream, bytes, (gsize)MIN(length, CHUNK), cancellable, error);
    if (n <= 0)
      return n == 0;
    g_checksum_update(checksum, bytes, n);
    length -= (guint64)n;
  }
  return TRUE;
}

static char *
hash_file(const char *path, guint64 size, gboolean of_ends, GCancellable *cancellable, GError **error)
{
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GFileInputStream) stream = g_file_read(file, cancellable, error);
  g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
  if (stream == NULL ||
      !hash_part(G_INPUT_STREAM(stream), of_ends ? HASHED_END : size, checksum, cancellable, error))
    return NULL;
  if (of_ends &&
      (!g_seekable_seek(G_SEEKABLE(stream), -(goffset)HASHED_END, G_SEEK_END, cancellable, error) ||
       !hash_part(G_INPUT_STREAM(stream), HASHED_END, checksum, cancellable, error)))
    return NULL;
  return g_strdup(g_checksum_get_string(checksum));
}

static gboolean
record_present(DebyeSessionFile *file, const DebyeSessionFile *known, GCancellable *cancellable,
               GError **error)
{
  g_autoptr(GFileInfo) info = query(file->path, error);
  if (info == NULL)
    return FALSE;
  file->size = (guint64)g_file_info_get_size(info);
  file->modified = time_of(info);
  file->of_ends = file->size > HASHED_WHOLE;
  gboolean same = known != NULL && known->modified != 0 && known->modified == file->modified &&
                  known->size == file->size && strcmp(known->path, file->path) == 0;
  char *sha256 =
      same ? g_strdup(known->sha256) : hash_file(file->path, file->size, file->of_ends, cancellable, error);
  if (sha256 == NULL)
    return FALSE;
  g_free(file->sha256);
  file->sha256 = sha256;
  return TRUE;
}

/* A session is saved whatever has become of its files: who opens it is asked where they are. */
static void
record_missing(DebyeSessionFile *file, const DebyeSessionFile *known)
{
  file->state = DEBYE_SESSION_FILE_MISSING;
  file->is_unseen = known == NULL || known->is_unseen;
  if (file->is_unseen)
    return;
  g_free(file->sha256);
  file->sha256 = g_strdup(known->sha256);
  file->size = known->size;
  file->of_ends = known->of_ends;
  file->modified = known->modified;
}

gboolean
debye_session_file_record(DebyeSessionFile *file, const DebyeSessionFile *known, GCancellable *cancellable,
                          GError **error)
{
  g_autoptr(GError) reason = NULL;
  if (record_present(file, known, cancellable, &reason))
    return TRUE;
  if (g_error_matches(reason, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    g_propagate_error(error, g_steal_pointer(&reason));
    return FALSE;
  }
  record_missing(file, known);
  return TRUE;
}

void
debye_session_file_check(DebyeSessionFile *file, GCancellable *cancellable)
{
  g_autoptr(GFileInfo) info = query(file->path, NULL);
  file->state = DEBYE_SESSION_FILE_THERE;
  if (info == NULL)
    file->state = DEBYE_SESSION_FILE_MISSING;
  else if (!file->is_unseen && (guint64)g_file_info_get_size(info) != file->size)
    file->state = DEBYE_SESSION_FILE_OTHER_SIZE;
  if (file->state != DEBYE_SESSION_FILE_THERE || *file->sha256 == '\0')
    return;
  /* A session from elsewhere may have hashed the ends of small files, too; they must not overlap. */
  gboolean of_ends = file->of_ends && file->size >= 2 * HASHED_END;
  g_autofree char *sha256 = hash_file(file->path, file->size, of_ends, cancellable, NULL);
  if (g_strcmp0(sha256, file->sha256) != 0)
    file->state = DEBYE_SESSION_FILE_OTHER_CONTENT;
}

char *
debye_session_file_describe(const DebyeSessionFile *file)
{
  g_autofree char *had = g_format_size_full(file->size, G_FORMAT_SIZE_LONG_FORMAT);
  g_autoptr(GFileInfo) info = query(file->path, NULL);
  g_autofree char *has =
      g_format_size_full(info != NULL ? (guint64)g_file_info_get_size(info) : 0, G_FORMAT_SIZE_LONG_FORMAT);
  switch (file->state) {
  case DEBYE_SESSION_FILE_MISSING:
    return debye_say("Not found at %s", file->path);
  case DEBYE_SESSION_FILE_OTHER_SIZE:
    return debye_say("Has changed: %s, was %s", has, had);
  case DEBYE_SESSION_FILE_OTHER_CONTENT:
    return debye_say("Has changed: the same size, another content");
  case DEBYE_SESSION_FILE_THERE:
  default:
    return NULL;
  }
}

/* --- In the session --- */

char *
debye_session_file_relate(const char *folder, const char *path)
{
  g_auto(GStrv) from = g_strsplit(folder, G_DIR_SEPARATOR_S, -1);
  g_auto(GStrv) to = g_strsplit(path, G_DIR_SEPARATOR_S, -1);
  g_autoptr(GString) text = g_string_new(NULL);
  gsize same = 0;
  while (from[same] != NULL && to[same] != NULL && strcmp(from[same], to[same]) == 0)
    same++;
  for (gsize i = same; from[i] != NULL; i++)
    if (*from[i] != '\0')
      g_string_append(text, "../");
  for (gsize i = same; to[i] != NULL; i++)
    g_string_append_printf(text, "%s%s", i > same ? G_DIR_SEPARATOR_S : "", to[i]);
  return g_strdup(text->str);
}

GVariant *
debye_session_file_to_variant(const DebyeSessionFile *file, const char *folder)
{
  GVariantDict dict;
  g_autofree char *relative = debye_session_file_relate(folder, file->path);
  g_variant_dict_init(&dict, NULL);
  g_variant_dict_insert(&dict, "path", "s", relative);
  g_variant_dict_insert(&dict, "absolute", "s", file->path);
  if (file->is_unseen) {
    g_variant_dict_insert(&dict, "missing", "b", TRUE);
    return g_variant_dict_end(&dict);
  }
  g_variant_dict_insert(&dict, "size", "x", (gint64)file->size);
  g_variant_dict_insert(&dict, "sha256", "s", file->sha256);
  g_variant_dict_insert(&dict, "sha256-of", "s", file->of_ends ? "first and last MiB" : "all");
  return g_variant_dict_end(&dict);
}

DebyeSessionFile *
debye_session_file_from_variant(GVariant *variant, const char *folder)
{
  g_autofree char *relative = debye_json_get_text(variant, "path");
  g_autofree char *absolute = debye_json_get_text(variant, "absolute");
  g_autofree char *beside = relative != NULL ? g_canonicalize_filename(relative, folder) : NULL;
  g_autofree char *part = debye_json_get_text(variant, "sha256-of");
  g_autofree char *sha256 = debye_json_get_text(variant, "sha256");
  g_autoptr(GVariant) missing = debye_json_get(variant, "missing", G_VARIANT_TYPE_BOOLEAN);
  gboolean is_beside =
      beside != NULL && (absolute == NULL || g_file_test(beside, G_FILE_TEST_IS_REGULAR) ||
                         !g_path_is_absolute(absolute) || !g_file_test(absolute, G_FILE_TEST_IS_REGULAR));
  if (!is_beside && (absolute == NULL || !g_path_is_absolute(absolute)))
    return NULL;
  DebyeSessionFile *file = debye_session_file_new(is_beside ? beside : absolute);
  g_free(file->sha256);
  file->sha256 = sha256 != NULL ? g_steal_pointer(&sha256) : g_strdup("");
  file->saved_path = absolute != NULL ? g_canonicalize_filename(absolute, folder) : NULL;
  file->size = (guint64)MAX(debye_json_get_integer(variant, "size", 0), 0);
  file->of_ends = g_strcmp0(part, "first and last MiB") == 0;
  file->is_unseen = missing != NULL && g_variant_get_boolean(missing);
  return file;
}
