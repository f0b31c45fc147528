/* SPDX-License-Identifier: MIT */
/* Records which files, program and machine made a result. Input files are hashed in pieces, so a trajectory
 * of any size needs no memory and can be stopped. */
#include "provenance.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"

#define PIECE (1 << 18)

DebyeInputRecord *
debye_input_record_new(const char *path, guint64 size, const char *sha256)
{
  DebyeInputRecord *record = g_new0(DebyeInputRecord, 1);
  record->path = g_strdup(path);
  record->size = size;
  record->sha256 = g_strdup(sha256 != NULL ? sha256 : "");
  return record;
}

void
debye_input_record_free(DebyeInputRecord *record)
{
  if (record == NULL)
    return;
  g_free(record->path);
  g_free(record->sha256);
  g_free(record);
}

static void
set_open_error(GError **error, const char *path, int code)
{
  g_autofree char *name = g_filename_display_basename(path);
  debye_error_set(error, DEBYE_ERROR_OPEN, "%s: can't be read: %s", name, g_strerror(code));
}

typedef struct {
  const char *path;
  int descriptor;
  DebyeProgressFunc progress;
  gpointer data;
} Watched;

static double
get_fraction(const Watched *file, guint64 n_read)
{
  struct stat status;
  gboolean is_known = fstat(file->descriptor, &status) == 0 && status.st_size > 0;
  return is_known ? MIN((double)n_read / (double)status.st_size, 1.0) : 0.0;
}

static gboolean
hash_file(const Watched *file, GChecksum *checksum, guint64 *size, GError **error)
{
  g_autofree guchar *piece = g_malloc(PIECE);
  for (;;) {
    if (!file->progress(get_fraction(file, *size), file->data)) {
      g_autofree char *name = g_filename_display_basename(file->path);
      g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s: reading was stopped", name);
      return FALSE;
    }
    gssize n = read(file->descriptor, piece, PIECE);
    if (n == 0)
      return TRUE;
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      set_open_error(error, file->path, errno);
      return FALSE;
    }
    g_checksum_update(checksum, piece, n);
    *size += (guint64)n;
  }
}

DebyeInputRecord *
debye_provenance_record_file_watched(const char *path, DebyeProgressFunc progress, gpointer data,
                                     GError **error)
{
  g_return_val_if_fail(path != NULL && progress != NULL, NULL);
  g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
  const Watched file = {path, open(path, O_RDONLY | O_CLOEXEC), progress, data};
  guint64 size = 0;
  if (file.descriptor < 0) {
    set_open_error(error, path, errno);
    return NULL;
  }
  gboolean done = hash_file(&file, checksum, &size, error);
  close(file.descriptor);
  return done ? debye_input_record_new(path, size, g_checksum_get_string(checksum)) : NULL;
}

static gboolean
is_wanted(double fraction, gpointer cancellable)
{
  (void)fraction;
  return !g_cancellable_is_cancelled(cancellable);
}

DebyeInputRecord *
debye_provenance_record_file(const char *path, GCancellable *cancellable, GError **error)
{
  return debye_provenance_record_file_watched(path, is_wanted, cancellable, error);
}

GPtrArray *
debye_provenance_record_files(const char *const *paths, GCancellable *cancellable, GError **error)
{
  g_autoptr(GPtrArray) records = g_ptr_array_new_with_free_func((GDestroyNotify)debye_input_record_free);
  for (; *paths != NULL; paths++) {
    DebyeInputRecord *record = debye_provenance_record_file(*paths, cancellable, error);
    if (record == NULL)
      return NULL;
    g_ptr_array_add(records, record);
  }
  return g_steal_pointer(&records);
}

const char *
debye_provenance_get_version(void)
{
  return DEBYE_VERSION;
}

const char *
debye_provenance_get_host(void)
{
  return g_get_host_name();
}
