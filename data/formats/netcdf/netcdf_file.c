/* SPDX-License-Identifier: MIT */
/* Opens NetCDF files of both kinds (classic and NetCDF-4) and reads their variables; called by
 * format_netcdf.c. */
#include "netcdf_file.h"

#include <string.h>

#include "data/files/error.h"
#include "netcdf_file_private.h"

gboolean
debye_netcdf_is_classic(const guint8 *head, gsize n)
{
  return n >= 8 && memcmp(head, "CDF", 3) == 0 && (head[3] == 1 || head[3] == 2 || head[3] == 5);
}

gboolean
debye_netcdf_is_hdf5(const guint8 *head, gsize n)
{
  static const guint8 signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  return n >= sizeof signature && memcmp(head, signature, sizeof signature) == 0;
}

DebyeNetcdfFile *
debye_netcdf_file_open(DebyeInput *input, GError **error)
{
  guint8 head[8];
  g_autoptr(DebyeNetcdfFile) file = g_new0(DebyeNetcdfFile, 1);
  file->variables = g_ptr_array_new_with_free_func(debye_netcdf_variable_free);
  file->hdf5 = -1;
  if (!debye_input_read(input, 0, head, sizeof head, error))
    return NULL;
  gboolean good = FALSE;
  if (debye_netcdf_is_classic(head, sizeof head))
    good = debye_netcdf_classic_read_header(file, input, error);
  else if (debye_netcdf_is_hdf5(head, sizeof head))
    good = debye_netcdf_hdf5_open(file, input, error);
  else
    debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX,
                          "expected NetCDF (CDF-1, 2, 5 or HDF5), found none of these");
  return good ? g_steal_pointer(&file) : NULL;
}

void
debye_netcdf_file_free(DebyeNetcdfFile *file)
{
  if (file == NULL)
    return;
  if (file->hdf5 >= 0)
    debye_netcdf_hdf5_close(file);
  g_ptr_array_unref(file->variables);
  g_free(file->conventions);
  g_free(file->warning);
  g_free(file);
}

const char *
debye_netcdf_file_get_conventions(const DebyeNetcdfFile *file)
{
  return file->conventions;
}

const char *
debye_netcdf_file_get_warning(const DebyeNetcdfFile *file)
{
  return file->warning;
}

const DebyeNetcdfVariable *
debye_netcdf_file_find(DebyeNetcdfFile *file, DebyeInput *input, const char *name)
{
  for (guint i = 0; i < file->variables->len; i++) {
    const DebyeNetcdfVariable *variable = g_ptr_array_index(file->variables, i);
    if (strcmp(variable->name, name) == 0)
      return variable->type != DEBYE_NETCDF_CHAR ? variable : NULL;
  }
  DebyeNetcdfVariable *opened = file->hdf5 >= 0 ? debye_netcdf_hdf5_open_variable(file, input, name) : NULL;
  if (opened != NULL)
    g_ptr_array_add(file->variables, opened);
  return opened;
}

/* Above the size from which reads of the input go past its window. */
#define BLOCK_BYTES (264 * 1024)

guint64
debye_netcdf_file_get_block(const DebyeNetcdfFile *file, const DebyeNetcdfVariable *variable,
                            guint64 n_values)
{
  /* A multiple of three: vectors stay whole. */
  guint64 block = BLOCK_BYTES / (3 * debye_netcdf_type_width(variable->type)) * 3;
  return file->hdf5 >= 0 ? n_values : MIN(block, n_values);
}

static guint64
find_place(const DebyeNetcdfVariable *variable, gint64 row, guint64 first)
{
  return variable->offset + (guint64)MAX(row, 0) * variable->stride +
         first * debye_netcdf_type_width(variable->type);
}

gboolean
debye_netcdf_file_view(const DebyeNetcdfFile *file, DebyeInput *input, const DebyeNetcdfVariable *variable,
                       gint64 row, guint64 n, DebyeInputView *view)
{
  return file->hdf5 < 0 && debye_input_view_open(view, input, find_place(variable, row, 0),
                                                 n * debye_netcdf_type_width(variable->type));
}

gboolean
debye_netcdf_file_read(DebyeNetcdfFile *file, DebyeInput *input, const DebyeNetcdfVariable *variable,
                       gint64 row, guint64 first, guint64 n, gpointer bytes, GError **error)
{
  gsize width = debye_netcdf_type_width(variable->type);
  g_return_val_if_fail(row >= 0 || !variable->has_records, FALSE);
  if (file->hdf5 >= 0)
    return debye_netcdf_hdf5_read(variable, input, row, first, n, bytes, error);
  return debye_input_read(input, find_place(variable, row, first), bytes, n * width, error);
}
