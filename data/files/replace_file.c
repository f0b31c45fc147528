/* SPDX-License-Identifier: MIT */
/* Replaces a file as a whole; called by the writers of results, exports, pictures and indexes. Temporary
 * file, sync, rename, sync of the folder: after a crash or a full disk there is the old file or the new. The
 * temporary file has no name until it is whole, where the file system can do that, so that nothing is left of
 * a program that was killed; elsewhere the names are few, and those left for a day are used again. */
#include "replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <gio/gfiledescriptorbased.h>
#include <glib/gstdio.h>

#include "error.h"

#define LINK_LIMIT 40  /* as the kernel's own: more is a loop */
#define NAME_LIMIT 200 /* bytes of the target's name used in the temporary one: NAME_MAX is 255 */
#define BUFFER_SIZE (1 << 18)
#define ATTEMPTS 1000
/* A temporary file that wasn't written to for so long, in seconds, has no writer any more. */
#define LEFT_BEHIND (24 * 60 * 60)

struct _DebyeReplaceFile {
  char *target;        /* symbolic links followed */
  char *temporary;     /* NULL: it has no name (yet) */
  int nameless;        /* -1: it has one from the beginning */
  GFileIOStream *both; /* owner of `file` where that is nameless */
  GFileOutputStream *file;
  GOutputStream *buffered;
};

static gboolean
set_system_error(GError **error, const char *path, int code)
{
  g_autofree char *name = debye_error_name_file(path);
  return debye_error_set_of_file(error, DEBYE_ERROR_WRITE, name, "can't be written: %s", g_strerror(code));
}

static gboolean
set_stream_error(GError **error, const char *path, const GError *cause)
{
  g_autofree char *name = debye_error_name_file(path);
  return debye_error_set_of_file(error, DEBYE_ERROR_WRITE, name, "can't be written: %s", cause->message);
}

/* A link is written through, not replaced: whoever made it wants the file at its end. That may not exist yet.
 */
static char *
follow_links(const char *path, GError **error)
{
  g_autofree char *current = g_strdup(path);
  for (guint i = 0; i < LINK_LIMIT; i++) {
    g_autofree char *next = g_file_read_link(current, NULL);
    if (next == NULL)
      return g_steal_pointer(&current);
    if (!g_path_is_absolute(next)) {
      g_autofree char *folder = g_path_get_dirname(current);
      char *joined = g_build_filename(folder, next, NULL);
      g_free(next);
      next = joined;
    }
    g_free(current);
    current = g_steal_pointer(&next);
  }
  return debye_null(set_system_error(error, path, ELOOP));
}

/* TRUE with *mode 0: there is no such file yet. */
static gboolean
check_target(const char *path, mode_t *mode, GError **error)
{
  g_autofree char *folder = g_path_get_dirname(path);
  g_autofree char *name = debye_error_name_file(path);
  g_autofree char *folder_name = g_filename_display_name(folder);
  struct stat info;
  *mode = 0;
  if (!g_file_test(folder, G_FILE_TEST_IS_DIR))
    return debye_error_set_of_file(error, DEBYE_ERROR_WRITE, name,
                                   "can't be written: there is no folder “%s”", folder_name);
  if (stat(path, &info) != 0)
    return TRUE;
  if (!S_ISREG(info.st_mode))
    return debye_error_set_of_file(error, DEBYE_ERROR_WRITE, name, "can't be written: it is %s, not a file",
                                   S_ISDIR(info.st_mode) ? "a folder" : "a device");
  if (access(path, W_OK) != 0)
    return set_system_error(error, path, errno);
  *mode = info.st_mode & 0777;
  return TRUE;
}

static char *
make_temporary_path(const char *target, guint attempt)
{
  g_autofree char *folder = g_path_get_dirname(target);
  g_autofree char *base = g_path_get_basename(target);
  g_autofree char *name = g_strdup_printf(".%.*s.debye-part%u", NAME_LIMIT, base, attempt);
  return g_build_filename(folder, name, NULL);
}

static void
remove_left_behind(const char *path)
{
  struct stat info;
  if (lstat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_mtime < time(NULL) - LEFT_BEHIND)
    g_unlink(path);
}

/* The local file system by name: GIO's default one may load modules, and nothing here needs them. */
static GFile *
make_local_file(const char *path)
{
  return g_vfs_get_file_for_path(g_vfs_get_local(), path);
}

/* FALSE where the file system, or a system without /proc, can't. */
static gboolean
create_nameless(DebyeReplaceFile *self)
{
  g_autofree char *folder = g_path_get_dirname(self->target);
  self->nameless = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (self->nameless < 0)
    return FALSE;
  g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", self->nameless);
  g_autoptr(GFile) file = make_local_file(link);
  self->both = g_file_open_readwrite(file, NULL, NULL);
  if (self->both != NULL) {
    self->file = g_object_ref(G_FILE_OUTPUT_STREAM(g_io_stream_get_output_stream(G_IO_STREAM(self->both))));
    return TRUE;
  }
  close(self->nameless);
  self->nameless = -1;
  return FALSE;
}

/* g_file_create opens with O_EXCL and the mode of the umask. */
static gboolean
create_named(DebyeReplaceFile *self, GError **error)
{
  g_autoptr(GError) cause = NULL;
  for (guint attempt = 0; attempt < ATTEMPTS && self->file == NULL; attempt++) {
    g_clear_error(&cause);
    g_free(self->temporary);
    self->temporary = make_temporary_path(self->target, attempt);
    remove_left_behind(self->temporary);
    g_autoptr(GFile) file = make_local_file(self->temporary);
    self->file = g_file_create(file, G_FILE_CREATE_NONE, NULL, &cause);
    if (cause != NULL && !g_error_matches(cause, G_IO_ERROR, G_IO_ERROR_EXISTS))
      break;
  }
  if (self->file != NULL)
    return TRUE;
  g_clear_pointer(&self->temporary, g_free);
  return set_stream_error(error, self->target, cause);
}

static int
get_descriptor(DebyeReplaceFile *self)
{
  return g_file_descriptor_based_get_fd(G_FILE_DESCRIPTOR_BASED(self->file));
}

DebyeReplaceFile *
debye_replace_file_new(const char *path, GError **error)
{
  g_return_val_if_fail(path != NULL, NULL);
  g_autoptr(DebyeReplaceFile) self = g_new0(DebyeReplaceFile, 1);
  mode_t mode;
  self->nameless = -1;
  self->target = follow_links(path, error);
  if (self->target == NULL || !check_target(self->target, &mode, error) ||
      (!create_nameless(self) && !create_named(self, error)))
    return NULL;
  if (mode != 0 && fchmod(get_descriptor(self), mode) != 0)
    return debye_null(set_system_error(error, self->target, errno));
  self->buffered = g_buffered_output_stream_new_sized(G_OUTPUT_STREAM(self->file), BUFFER_SIZE);
  return g_steal_pointer(&self);
}

GOutputStream *
debye_replace_file_get_stream(DebyeReplaceFile *file)
{
  return file->buffered;
}

/* Some file systems can't sync a folder (EINVAL): the rename itself is then all there is. */
static void
sync_folder(const char *path)
{
  g_autofree char *folder = g_path_get_dirname(path);
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return;
  (void)!fsync(descriptor);
  close(descriptor);
}

/* A name for what has none: a link can't replace a file, so it takes a rename as well. */
static gboolean
give_name(DebyeReplaceFile *self)
{
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", self->nameless);
  for (guint attempt = 0; attempt < ATTEMPTS; attempt++) {
    g_autofree char *path = make_temporary_path(self->target, attempt);
    remove_left_behind(path);
    if (linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0) {
      self->temporary = g_steal_pointer(&path);
      return TRUE;
    }
    if (errno != EEXIST)
      return FALSE;
  }
  return FALSE;
}

gboolean
debye_replace_file_commit(DebyeReplaceFile *file, GError **error)
{
  g_autoptr(DebyeReplaceFile) self = file;
  g_autoptr(GError) cause = NULL;
  if (!g_output_stream_flush(self->buffered, NULL, &cause))
    return set_stream_error(error, self->target, cause);
  if (fsync(get_descriptor(self)) != 0)
    return set_system_error(error, self->target, errno);
  if (!g_output_stream_close(self->buffered, NULL, &cause))
    return set_stream_error(error, self->target, cause);
  if ((self->nameless >= 0 && !give_name(self)) || g_rename(self->temporary, self->target) != 0) {
    return set_system_error(error, self->target, errno);
  }
  g_clear_pointer(&self->temporary, g_free);
  sync_folder(self->target);
  return TRUE;
}

void
debye_replace_file_abandon(DebyeReplaceFile *file)
{
  if (file == NULL)
    return;
  if (file->temporary != NULL)
    g_unlink(file->temporary);
  /* Closed before the buffer goes, or what is still in it would be written (and fail again on a full disk). */
  if (file->file != NULL)
    g_output_stream_close(G_OUTPUT_STREAM(file->file), NULL, NULL);
  g_clear_object(&file->buffered);
  g_clear_object(&file->file);
  g_clear_object(&file->both);
  if (file->nameless >= 0)
    close(file->nameless);
  g_free(file->temporary);
  g_free(file->target);
  g_free(file);
}
