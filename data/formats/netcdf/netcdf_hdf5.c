/* SPDX-License-Identifier: MIT */
/* NetCDF-4 files: variables are HDF5's data sets, attributes its attributes. HDF5 turns the values into
 * big-endian ones on the way, so that one code takes them from both kinds of files. */
#include <string.h>

#include "data/files/error.h"
#include "data/h5/h5_series.h"
#include "netcdf_file_private.h"

gboolean
debye_netcdf_hdf5_open(DebyeNetcdfFile *file, DebyeInput *input, GError **error)
{
  DEBYE_H5_LOCKED();
  file->hdf5 = debye_h5_open_input(input, error);
  if (file->hdf5 < 0)
    return FALSE;
  file->conventions = debye_h5_read_string((hid_t)file->hdf5, "Conventions");
  return TRUE;
}

void
debye_netcdf_hdf5_close(DebyeNetcdfFile *file)
{
  DEBYE_H5_LOCKED();
  for (guint i = 0; i < file->variables->len; i++) {
    DebyeNetcdfVariable *variable = g_ptr_array_index(file->variables, i);
    g_clear_pointer(&variable->series, debye_h5_series_free);
    if (variable->dataset >= 0)
      H5Dclose((hid_t)variable->dataset);
  }
  H5Fclose((hid_t)file->hdf5);
}

/* 0: not numbers of a kind that NetCDF has. */
static DebyeNetcdfType
find_type(hid_t dataset)
{
  g_auto(DebyeH5Type) type = H5Dget_type(dataset);
  gsize width = type < 0 ? 0 : H5Tget_size(type);
  H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
  if (class == H5T_FLOAT && (width == 4 || width == 8))
    return width == 8 ? DEBYE_NETCDF_DOUBLE : DEBYE_NETCDF_FLOAT;
  if (class == H5T_INTEGER && (width == 4 || width == 8))
    return width == 8 ? DEBYE_NETCDF_INT64 : DEBYE_NETCDF_INT;
  return 0;
}

static hid_t
get_memory_type(DebyeNetcdfType type)
{
  switch (type) {
  case DEBYE_NETCDF_FLOAT:
    return H5T_IEEE_F32BE;
  case DEBYE_NETCDF_DOUBLE:
    return H5T_IEEE_F64BE;
  case DEBYE_NETCDF_INT:
    return H5T_STD_I32BE;
  default:
    return H5T_STD_I64BE;
  }
}

static gboolean
take_shape(hid_t dataset, guint64 file_size, DebyeNetcdfVariable *variable)
{
  hsize_t shape[H5S_MAX_RANK];
  if (debye_h5_is_plain_scalar(dataset))
    return TRUE;
  int rank = debye_h5_get_shape(dataset, file_size, shape);
  if (rank < 1 || rank > DEBYE_NETCDF_RANK)
    return FALSE;
  variable->rank = (guint)rank;
  for (int k = 0; k < rank; k++)
    variable->shape[k] = shape[k];
  return TRUE;
}

/* Takes the data set. FALSE where its values are none that processors have. */
static gboolean
take_values(hid_t dataset, guint64 file_size, DebyeNetcdfVariable *variable)
{
  variable->dataset = dataset;
  if (variable->rank == 0)
    return TRUE;
  variable->dataset = -1;
  variable->series = debye_h5_series_new(dataset, FALSE, 1, get_memory_type(variable->type), file_size);
  return variable->series != NULL || debye_netcdf_variable_all_values(variable) == 0;
}

DebyeNetcdfVariable *
debye_netcdf_hdf5_open_variable(DebyeNetcdfFile *file, const DebyeInput *input, const char *name)
{
  DEBYE_H5_LOCKED();
  guint64 file_size = debye_input_get_size(input);
  g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset((hid_t)file->hdf5, name);
  g_autoptr(DebyeNetcdfVariable) variable = debye_netcdf_variable_new();
  variable->type = dataset < 0 ? 0 : find_type(dataset);
  if (variable->type == 0 || !take_shape(dataset, file_size, variable))
    return NULL;
  variable->name = g_strdup(name);
  variable->units = debye_h5_read_string(dataset, "units");
  if (!debye_h5_read_doubles(dataset, "scale_factor", &variable->scale_factor, 1))
    variable->scale_factor = 1.0;
  hid_t taken = dataset;
  dataset = H5I_INVALID_HID;
  return take_values(taken, file_size, variable) ? g_steal_pointer(&variable) : NULL;
}

/* One row, or all of them one after the other. */
static gboolean
read_rows(const DebyeNetcdfVariable *variable, gsize first, gsize n, guint8 *bytes, GError **error)
{
  gsize row_bytes = variable->series->n_values * variable->series->width;
  for (gsize i = 0; i < n; i++) {
    gconstpointer row = debye_h5_series_read(variable->series, first + i, error);
    if (row == NULL)
      return FALSE;
    memcpy(bytes + i * row_bytes, row, row_bytes);
  }
  return TRUE;
}

/* Rows are read as a whole. */
gboolean
debye_netcdf_hdf5_read(const DebyeNetcdfVariable *variable, const DebyeInput *input, gint64 row,
                       guint64 first, guint64 n, gpointer bytes, GError **error)
{
  DEBYE_H5_LOCKED();
  g_return_val_if_fail(first == 0 && n == (row < 0 ? debye_netcdf_variable_all_values(variable)
                                                   : debye_netcdf_variable_row_values(variable)),
                       FALSE);
  gboolean good;
  if (variable->series == NULL)
    good = debye_h5_read_values((hid_t)variable->dataset, get_memory_type(variable->type), bytes, 1, error);
  else
    good = read_rows(variable, (gsize)MAX(row, 0), row < 0 ? (gsize)variable->shape[0] : 1, bytes, error);
  if (!good)
    debye_error_prefix(error, "%s: “%s”: ", debye_input_get_name(input), variable->name);
  return good;
}
