/* SPDX-License-Identifier: MIT */
/* Recognizes map files by content and loads them. */
#include "field_load.h"

#include "data/files/error.h"
#include "field_file.h"
#include "result_hdf5.h"

/* How many bytes of a file's beginning the probes may look at. */
#define HEAD_BYTES 16384

DebyeMapFileKind
debye_field_probe(const char *path)
{
  g_return_val_if_fail(path != NULL, DEBYE_MAP_FILE_NONE);
  g_autoptr(DebyeInput) input = debye_input_open(path, NULL);
  g_autofree char *head = g_malloc(HEAD_BYTES + 1);
  gssize n = input != NULL ? debye_input_read_some(input, 0, head, HEAD_BYTES, NULL) : 0;
  if (n <= 0)
    return DEBYE_MAP_FILE_NONE;
  head[n] = '\0';
  if (debye_result_hdf5_probe(input))
    return debye_result_hdf5_find_kind(path);
  gboolean is_map = debye_field_probe_dx(head, (gsize)n) ||
                    debye_field_probe_ccp4((const guint8 *)head, (gsize)n, debye_input_get_size(input)) ||
                    debye_field_probe_cube(head, (gsize)n);
  return is_map ? DEBYE_MAP_FILE_PLAIN : DEBYE_MAP_FILE_NONE;
}

DebyeField *
debye_field_read(DebyeInput *input, GError **error)
{
  g_autofree char *head = g_malloc(HEAD_BYTES + 1);
  gssize n = debye_input_read_some(input, 0, head, HEAD_BYTES, error);
  if (n < 0)
    return NULL;
  head[n] = '\0';
  if (n == 0) {
    debye_input_set_error(input, error, DEBYE_ERROR_UNKNOWN, "expected a map, found an empty file");
    return NULL;
  }
  if (debye_field_probe_dx(head, (gsize)n))
    return debye_field_read_dx(input, error);
  if (debye_field_probe_ccp4((const guint8 *)head, (gsize)n, debye_input_get_size(input)))
    return debye_field_read_ccp4(input, error);
  if (debye_field_probe_cube(head, (gsize)n))
    return debye_field_read_cube(input, error);
  debye_input_set_error(input, error, DEBYE_ERROR_UNKNOWN,
                        "expected a map (OpenDX, Gaussian cube, CCP4/MRC or HDF5), found none of them");
  return NULL;
}

DebyeField *
debye_field_load(const char *path, GError **error)
{
  return debye_field_load_watched(path, NULL, NULL, error);
}

DebyeField *
debye_field_load_watched(const char *path, DebyeProgressFunc progress, gpointer data, GError **error)
{
  g_return_val_if_fail(path != NULL, NULL);
  g_autoptr(DebyeInput) input = debye_input_open_watched(path, progress, data, error);
  if (input == NULL)
    return NULL;
  g_autoptr(DebyeField) field = debye_result_hdf5_probe(input) ? debye_result_hdf5_load_field(input, error)
                                                               : debye_field_read(input, error);
  return debye_input_confirm(input, field != NULL, error) ? g_steal_pointer(&field) : NULL;
}
