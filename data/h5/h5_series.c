/* SPDX-License-Identifier: MIT */
/* Reads an HDF5 data set of one row per frame; called by the readers of H5MD, MDTraj and NetCDF files. A
 * block is what lies together in the file: whole chunks where there are any, else some hundred kilobytes. */
#include "h5_series.h"

#include "data/files/error.h"

#define BLOCK_BYTES 262144
/* Where one row of chunks is larger, its chunks are unpacked more than once. */
#define BLOCK_BYTES_MAXIMUM (64u << 20)
/* A chunk is unpacked as a whole: beyond this it must not be larger than all values together. */
#define CHUNK_BYTES_FREE (16u << 20)

/* Numbers as processors have them: of other layouts, which HDF5 lets a file make up, nobody writes any. */
static gboolean
is_number_type(hid_t type)
{
  gsize bytes = H5Tget_size(type);
  if (H5Tget_class(type) == H5T_FLOAT)
    return H5Tequal(type, H5T_IEEE_F32LE) > 0 || H5Tequal(type, H5T_IEEE_F64LE) > 0 ||
           H5Tequal(type, H5T_IEEE_F32BE) > 0 || H5Tequal(type, H5T_IEEE_F64BE) > 0;
  return H5Tget_class(type) == H5T_INTEGER && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) &&
         H5Tget_precision(type) == 8 * bytes && H5Tget_offset(type) == 0;
}

static gboolean
is_number(hid_t dataset)
{
  g_auto(DebyeH5Type) type = H5Dget_type(dataset);
  if (type < 0)
    return FALSE;
  if (H5Tget_class(type) != H5T_ENUM)
    return is_number_type(type);
  g_auto(DebyeH5Type) base = H5Tget_super(type);
  return base >= 0 && is_number_type(base);
}

/* How many frames a chunk spans; 1 without chunks, 0 where a chunk is too large to be unpacked. */
static hsize_t
get_chunk_frames(hid_t dataset, guint64 all_bytes)
{
  hsize_t shape[H5S_MAX_RANK];
  g_auto(DebyeH5Properties) creation = H5Dget_create_plist(dataset);
  g_auto(DebyeH5Type) type = H5Dget_type(dataset);
  if (creation < 0 || type < 0)
    return 0;
  if (H5Pget_layout(creation) != H5D_CHUNKED)
    return 1;
  int rank = H5Pget_chunk(creation, H5S_MAX_RANK, shape);
  guint64 bytes = H5Tget_size(type);
  for (int k = 0; k < rank; k++)
    if (!g_uint64_checked_mul(&bytes, bytes, shape[k]))
      return 0;
  return rank > 0 && bytes <= MAX(CHUNK_BYTES_FREE, all_bytes) ? shape[0] : 0;
}

/* Whole chunks, and several of them while a block is small. */
static gsize
choose_block(hsize_t chunk_frames, guint64 frame_bytes, gsize n_frames)
{
  guint64 most = MAX(BLOCK_BYTES_MAXIMUM / MAX(frame_bytes, 1), 1);
  guint64 frames = MIN(chunk_frames, most);
  guint64 wanted = BLOCK_BYTES / MAX(frame_bytes, 1);
  if (wanted > frames)
    frames = wanted / frames * frames;
  return (gsize)MIN(frames, n_frames);
}

static gboolean
describe(DebyeH5Series *series, int least_rank, guint64 file_size)
{
  series->rank =
      is_number(series->dataset) ? debye_h5_get_shape(series->dataset, file_size, series->shape) : 0;
  if (series->rank < MAX(least_rank - series->is_fixed, 1))
    return FALSE;
  guint64 n_values = 1, bytes;
  for (int k = series->is_fixed ? 0 : 1; k < series->rank; k++)
    if (!g_uint64_checked_mul(&n_values, n_values, series->shape[k]))
      return FALSE;
  series->n_frames = series->is_fixed ? 1 : (gsize)series->shape[0];
  if (series->n_frames == 0 || n_values == 0 ||
      !g_uint64_checked_mul(&bytes, n_values * series->width, series->n_frames) || bytes > G_MAXSSIZE)
    return FALSE;
  series->n_values = (gsize)n_values;
  hsize_t chunk_frames = get_chunk_frames(series->dataset, bytes);
  if (chunk_frames == 0)
    return FALSE;
  series->frames_in_block =
      series->is_fixed ? 1 : choose_block(chunk_frames, n_values * series->width, series->n_frames);
  return TRUE;
}

DebyeH5Series *
debye_h5_series_new(hid_t dataset, gboolean is_fixed, int least_rank, hid_t type, guint64 file_size)
{
  g_autoptr(DebyeH5Series) series = g_new0(DebyeH5Series, 1);
  series->dataset = dataset;
  series->is_fixed = is_fixed;
  series->type = type;
  series->width = H5Tget_size(type);
  return dataset >= 0 && describe(series, least_rank, file_size) ? g_steal_pointer(&series) : NULL;
}

void
debye_h5_series_free(DebyeH5Series *series)
{
  debye_h5_rows_free(series->rows);
  if (series->dataset >= 0)
    H5Dclose(series->dataset);
  g_free(series->block);
  g_free(series);
}

static gboolean
fill_block(DebyeH5Series *series, gsize first, GError **error)
{
  gsize n = MIN(series->frames_in_block, series->n_frames - first);
  if (series->block == NULL)
    series->block = g_try_malloc_n(series->frames_in_block * series->n_values, series->width);
  if (series->block == NULL)
    return debye_error_set_memory(error, NULL, series->frames_in_block * series->n_values, "values");
  if (series->rows == NULL)
    series->rows = debye_h5_rows_new(series->dataset, series->type, error);
  series->n_filled = 0;
  if (series->rows == NULL ||
      !debye_h5_rows_read(series->rows, series->is_fixed ? 0 : first, series->is_fixed ? series->shape[0] : n,
                          series->block, error))
    return FALSE;
  series->first = first;
  series->n_filled = n;
  return TRUE;
}

gconstpointer
debye_h5_series_read(DebyeH5Series *series, gsize frame_number, GError **error)
{
  gsize frame = series->is_fixed ? 0 : frame_number;
  if (frame < series->first || frame - series->first >= series->n_filled) {
    gsize first = frame / series->frames_in_block * series->frames_in_block;
    if (!fill_block(series, first, error))
      return NULL;
  }
  return series->block + (frame - series->first) * series->n_values * series->width;
}

gboolean
debye_h5_is_plain_scalar(hid_t dataset)
{
  g_auto(DebyeH5Space) space = H5Dget_space(dataset);
  g_auto(DebyeH5Properties) creation = H5Dget_create_plist(dataset);
  return space >= 0 && H5Sget_simple_extent_type(space) == H5S_SCALAR && creation >= 0 &&
         H5Pget_external_count(creation) == 0 && H5Pget_layout(creation) != H5D_VIRTUAL;
}

double *
debye_h5_get_doubles(hid_t dataset, guint64 file_size, gsize *n, gboolean *is_scalar)
{
  hsize_t shape[H5S_MAX_RANK];
  *n = 0;
  *is_scalar = is_number(dataset) && debye_h5_is_plain_scalar(dataset);
  if (!*is_scalar && (!is_number(dataset) || debye_h5_get_shape(dataset, file_size, shape) != 1 ||
                      get_chunk_frames(dataset, shape[0] * sizeof(double)) == 0))
    return NULL;
  gsize n_values = *is_scalar ? 1 : (gsize)shape[0];
  g_autofree double *values = g_try_new0(double, MAX(n_values, 1));
  if (values == NULL || !debye_h5_read_values(dataset, H5T_NATIVE_DOUBLE, values, n_values, NULL))
    return NULL;
  *n = n_values;
  return g_steal_pointer(&values);
}
