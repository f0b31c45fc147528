/* SPDX-License-Identifier: MIT */
/* Records which files, program and machine made a result. */
#include "provenance.h"

#include "hashing.h"
#include "sha256.h"

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

DebyeInputRecord *
debye_provenance_record_file_watched(const char *path, DebyeProgressFunc progress, gpointer data,
                                     GError **error)
{
  g_return_val_if_fail(path != NULL && progress != NULL, NULL);
  g_autoptr(GError) stopped = NULL;
  guint64 size = 0;
  g_autofree char *digits = debye_hashing_find(path, progress, data, &size, &stopped);
  if (stopped != NULL)
    g_propagate_error(error, g_steal_pointer(&stopped));
  else if (digits == NULL)
    digits = debye_sha256_of_file(path, progress, data, &size, error);
  return digits != NULL ? debye_input_record_new(path, size, digits) : NULL;
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
