/* SPDX-License-Identifier: MIT */
/* NetCDF-4 files: variables are HDF5's data sets, attributes its attributes. HDF5 turns the values into
 * big-endian ones on the way, so that one code takes them from both kinds of files. */
#include <string.h>

#include "error.h"
#include "h5.h"
#include "netcdf_private.h"

/* A chunk is unpacked as a whole: beyond this it must be of a size that its stored bytes can expand to. */
#define CHUNK_FREE (64u << 20)
/* Deflate can't do better than this (zlib's own statement). */
#define MOST_DEFLATED 1032

gboolean
debye_netcdf_hdf5_open(DebyeNetcdfFile *file, DebyeInput *input, GError **error)
{
  DEBYE_H5_LOCKED();
  file->hdf5 = debye_h5_open_input(input, error);
  if (file->hdf5 < 0)
    return FALSE;
  file->conventions = debye_h5_read_string((hid_t)file->hdf5, "Conventions");
  file->title = debye_h5_read_string((hid_t)file->hdf5, "title");
  return TRUE;
}

void
debye_netcdf_hdf5_close(DebyeNetcdfFile *file)
{
  DEBYE_H5_LOCKED();
  for (guint i = 0; i < file->variables->len; i++) {
    const DebyeNetcdfVariable *variable = g_ptr_array_index(file->variables, i);
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
chunks_fit(hid_t dataset, const DebyeNetcdfVariable *variable)
{
  hsize_t shape[H5S_MAX_RANK];
  guint64 bytes = debye_netcdf_type_width(variable->type);
  g_auto(DebyeH5Properties) creation = H5Dget_create_plist(dataset);
  if (creation < 0)
    return FALSE;
  if (H5Pget_layout(creation) != H5D_CHUNKED)
    return TRUE;
  int rank = H5Pget_chunk(creation, H5S_MAX_RANK, shape);
  for (int k = 0; k < rank; k++)
    if (!g_uint64_checked_mul(&bytes, bytes, shape[k]))
      return FALSE;
  return rank > 0 && (bytes <= CHUNK_FREE || bytes / MOST_DEFLATED <= H5Dget_storage_size(dataset));
}

/* A single number has no shape; it must lie in the file itself. */
static gboolean
is_plain_scalar(hid_t dataset)
{
  g_auto(DebyeH5Space) space = H5Dget_space(dataset);
  g_auto(DebyeH5Properties) creation = H5Dget_create_plist(dataset);
  return space >= 0 && H5Sget_simple_extent_type(space) == H5S_SCALAR && creation >= 0 &&
         H5Pget_external_count(creation) == 0 && H5Pget_layout(creation) != H5D_VIRTUAL;
}

static gboolean
take_shape(hid_t dataset, guint64 file_size, DebyeNetcdfVariable *variable)
{
  hsize_t shape[H5S_MAX_RANK];
  if (is_plain_scalar(dataset))
    return TRUE;
  int rank = debye_h5_get_shape(dataset, file_size, shape);
  if (rank < 1 || rank > DEBYE_NETCDF_RANK || !chunks_fit(dataset, variable))
    return FALSE;
  variable->rank = (guint)rank;
  for (int k = 0; k < rank; k++)
    variable->shape[k] = shape[k];
  return TRUE;
}

DebyeNetcdfVariable *
debye_netcdf_hdf5_open_variable(DebyeNetcdfFile *file, const DebyeInput *input, const char *name)
{
  DEBYE_H5_LOCKED();
  g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset((hid_t)file->hdf5, name);
  g_autoptr(DebyeNetcdfVariable) variable = debye_netcdf_variable_new();
  variable->type = dataset < 0 ? 0 : find_type(dataset);
  if (variable->type == 0 || !take_shape(dataset, debye_input_get_size(input), variable))
    return NULL;
  variable->name = g_strdup(name);
  variable->units = debye_h5_read_string(dataset, "units");
  if (!debye_h5_read_doubles(dataset, "scale_factor", &variable->scale_factor, 1))
    variable->scale_factor = 1.0;
  variable->dataset = dataset;
  dataset = H5I_INVALID_HID;
  return g_steal_pointer(&variable);
}

/* The file's space with one row, or all of it, selected. */
static hid_t
select_row(const DebyeNetcdfVariable *variable, gint64 row)
{
  g_auto(DebyeH5Space) space = H5Dget_space((hid_t)variable->dataset);
  hsize_t start[DEBYE_NETCDF_RANK] = {(hsize_t)MAX(row, 0)}, count[DEBYE_NETCDF_RANK];
  for (guint k = 0; k < variable->rank; k++)
    count[k] = k == 0 && row >= 0 ? 1 : variable->shape[k];
  if (space < 0 ||
      (variable->rank > 0 && (H5Sget_simple_extent_ndims(space) != (int)variable->rank ||
                              H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) < 0)))
    return H5I_INVALID_HID;
  hid_t selected = space;
  space = H5I_INVALID_HID;
  return selected;
}

/* Rows are read as a whole. */
gboolean
debye_netcdf_hdf5_read(const DebyeNetcdfVariable *variable, const DebyeInput *input, gint64 row,
                       guint64 first, guint64 n, gpointer bytes, GError **error)
{
  DEBYE_H5_LOCKED();
  hsize_t n_row =
      row < 0 ? debye_netcdf_variable_all_values(variable) : debye_netcdf_variable_row_values(variable);
  g_return_val_if_fail(first == 0 && n == n_row, FALSE);
  g_auto(DebyeH5Space) from = select_row(variable, row);
  g_auto(DebyeH5Space) to = H5Screate_simple(1, &n_row, NULL);
  if (from >= 0 && to >= 0 &&
      H5Dread((hid_t)variable->dataset, get_memory_type(variable->type), to, from, H5P_DEFAULT, bytes) >= 0)
    return TRUE;
  g_autofree char *what =
      g_strdup_printf("%s: “%s” can't be read", debye_input_get_name(input), variable->name);
  return debye_h5_set_error(error, DEBYE_ERROR_SYNTAX, what);
}
