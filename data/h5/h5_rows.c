/* SPDX-License-Identifier: MIT */
/* Reads the values of an HDF5 data set row by row; called by h5_read.c, h5_series.c and the readers of
 * results. */
#include "h5_rows.h"

#include <string.h>

#include "data/files/error.h"
#include "h5_filters.h"

struct _DebyeH5Rows {
  hid_t dataset, type, stored_type;
  DebyeInput *input;
  gboolean is_chunked, has_plain_edges;
  int rank;
  hsize_t shape[H5S_MAX_RANK], chunk[H5S_MAX_RANK];
  gsize n_values; /* all */
  gsize width, stored_width;
  /* Of chunks: the last dimensions that each chunk spans are one element. */
  int folded_rank;
  gsize element_bytes, chunk_bytes;
  DebyeH5Filters filters;
};

/* --- What there is --- */

static gboolean
is_taken(hid_t type)
{
  H5T_class_t kind = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
  return kind == H5T_INTEGER || kind == H5T_FLOAT || kind == H5T_ENUM ||
         (kind == H5T_STRING && H5Tis_variable_str(type) == 0);
}

static gboolean
find_shape(DebyeH5Rows *rows, GError **error)
{
  g_auto(DebyeH5Space) space = H5Dget_space(rows->dataset);
  rows->stored_type = H5Dget_type(rows->dataset);
  rows->rank = space < 0 ? -1 : H5Sget_simple_extent_dims(space, rows->shape, NULL);
  rows->width = H5Tget_size(rows->type);
  rows->stored_width = rows->stored_type < 0 ? 0 : H5Tget_size(rows->stored_type);
  if (rows->rank < 0 || rows->width == 0 || rows->stored_width == 0 || !is_taken(rows->stored_type) ||
      H5Sget_simple_extent_type(space) == H5S_NULL)
    return debye_error_set(error, DEBYE_ERROR_SYNTAX,
                           "expected numbers or strings of a fixed length, found none");
  gsize bytes = MAX(rows->width, rows->stored_width);
  rows->n_values = 1;
  for (int k = 0; k < rows->rank; k++)
    if (!g_size_checked_mul(&rows->n_values, rows->n_values, rows->shape[k]))
      return debye_error_set(error, DEBYE_ERROR_LIMIT, "the shape is larger than any file");
  if (!g_size_checked_mul(&bytes, bytes, rows->n_values))
    return debye_error_set(error, DEBYE_ERROR_LIMIT, "the shape is larger than any file");
  return TRUE;
}

/* Checks values that are stored contiguously, without chunks. */
static gboolean
check_plain(const DebyeH5Rows *rows, GError **error)
{
  guint64 expected = (guint64)rows->n_values * rows->stored_width;
  guint64 stored = H5Dget_storage_size(rows->dataset);
  return stored >= expected ||
         debye_error_set(error, DEBYE_ERROR_TRUNCATED,
                         "expected %" G_GUINT64_FORMAT " bytes of values, found %" G_GUINT64_FORMAT, expected,
                         stored);
}

static void
fold(DebyeH5Rows *rows)
{
  rows->folded_rank = rows->rank;
  rows->element_bytes = rows->stored_width;
  while (rows->folded_rank > 1 && rows->chunk[rows->folded_rank - 1] == rows->shape[rows->folded_rank - 1])
    rows->element_bytes *= rows->chunk[--rows->folded_rank];
}

/* Each of them takes a byte of the file at least, or there would be nothing to read. */
static gboolean
check_chunks(DebyeH5Rows *rows, GError **error)
{
  guint64 n_chunks = 1;
  rows->chunk_bytes = rows->stored_width;
  for (int k = 0; k < rows->rank; k++) {
    hsize_t n = rows->chunk[k] == 0 ? 0 : (rows->shape[k] + rows->chunk[k] - 1) / rows->chunk[k];
    if (rows->chunk[k] == 0 || !g_uint64_checked_mul(&n_chunks, n_chunks, n) ||
        !g_size_checked_mul(&rows->chunk_bytes, rows->chunk_bytes, rows->chunk[k]))
      return debye_error_set(error, DEBYE_ERROR_LIMIT, "the shape is larger than any file");
  }
  guint64 size = debye_input_get_size(rows->input);
  return n_chunks <= size ||
         debye_error_set(error, DEBYE_ERROR_LIMIT,
                         "expected no more chunks than the file has bytes, found %" G_GUINT64_FORMAT,
                         n_chunks);
}

static gboolean
describe_chunks(DebyeH5Rows *rows, hid_t creation, GError **error)
{
  unsigned options = 0;
  rows->is_chunked = TRUE;
  rows->input = debye_h5_get_input(rows->dataset);
  if (rows->input == NULL || rows->rank < 1 ||
      H5Pget_chunk(creation, H5S_MAX_RANK, rows->chunk) != rows->rank ||
      H5Pget_chunk_opts(creation, &options) < 0)
    return debye_h5_set_error(error, DEBYE_ERROR_SYNTAX, "the values can't be read");
  if (!debye_h5_filters_init(&rows->filters, creation))
    return debye_error_set(error, DEBYE_ERROR_UNKNOWN,
                           "expected values that are plain or packed by deflate, found another filter");
  rows->has_plain_edges = (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0;
  if (!check_chunks(rows, error))
    return FALSE;
  fold(rows);
  return TRUE;
}

static gboolean
describe(DebyeH5Rows *rows, GError **error)
{
  g_auto(DebyeH5Properties) creation = H5Dget_create_plist(rows->dataset);
  if (creation < 0 || !find_shape(rows, error))
    return creation >= 0 ? FALSE : debye_h5_set_error(error, DEBYE_ERROR_SYNTAX, "no values");
  H5D_layout_t layout = H5Pget_layout(creation);
  if (layout == H5D_CHUNKED)
    return describe_chunks(rows, creation, error);
  if (layout == H5D_VIRTUAL || H5Pget_external_count(creation) != 0)
    return debye_error_set(error, DEBYE_ERROR_UNKNOWN,
                           "expected values in the file itself, found them elsewhere");
  return check_plain(rows, error);
}

DebyeH5Rows *
debye_h5_rows_new(hid_t dataset, hid_t type, GError **error)
{
  g_autoptr(DebyeH5Rows) rows = g_new0(DebyeH5Rows, 1);
  rows->dataset = dataset;
  rows->type = type;
  rows->stored_type = H5I_INVALID_HID;
  return describe(rows, error) ? g_steal_pointer(&rows) : NULL;
}

void
debye_h5_rows_free(DebyeH5Rows *rows)
{
  if (rows == NULL)
    return;
  if (rows->stored_type >= 0)
    H5Tclose(rows->stored_type);
  debye_h5_filters_clear(&rows->filters);
  g_free(rows);
}

/* --- A chunk's part --- */

/* What a chunk and the wanted rows have in common. Strides in bytes. */
typedef struct {
  hsize_t chunk_first[H5S_MAX_RANK]; /* the chunk's place */
  hsize_t first[H5S_MAX_RANK], n[H5S_MAX_RANK];
  gsize from_stride[H5S_MAX_RANK], to_stride[H5S_MAX_RANK];
  gsize from_offset, to_offset;
} Part;

static void
measure_part(const DebyeH5Rows *rows, hsize_t first_row, hsize_t n_rows, Part *part)
{
  gsize from_stride = rows->element_bytes, to_stride = rows->element_bytes;
  part->from_offset = part->to_offset = 0;
  for (int k = rows->folded_rank - 1; k >= 0; k--) {
    hsize_t low = k == 0 ? first_row : 0, high = k == 0 ? first_row + n_rows : rows->shape[k];
    part->first[k] = MAX(part->chunk_first[k], low);
    part->n[k] = MIN(part->chunk_first[k] + rows->chunk[k], high) - part->first[k];
    part->from_stride[k] = from_stride;
    part->to_stride[k] = to_stride;
    part->from_offset += (part->first[k] - part->chunk_first[k]) * from_stride;
    part->to_offset += (part->first[k] - low) * to_stride;
    from_stride *= rows->chunk[k];
    to_stride *= rows->shape[k];
  }
}

static void
copy_part(const DebyeH5Rows *rows, const Part *part, int axis, const guint8 *from, guint8 *to)
{
  if (axis == rows->folded_rank - 1) {
    memcpy(to, from, part->n[axis] * rows->element_bytes);
    return;
  }
  for (hsize_t i = 0; i < part->n[axis]; i++)
    copy_part(rows, part, axis + 1, from + i * part->from_stride[axis], to + i * part->to_stride[axis]);
}

/* --- A chunk --- */

static char *
describe_place(const DebyeH5Rows *rows, const Part *part)
{
  g_autoptr(GString) text = g_string_new("the chunk at (");
  for (int k = 0; k < rows->rank; k++)
    g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, k > 0 ? ", " : "", (guint64)part->chunk_first[k]);
  return g_string_free(g_string_append_c(g_steal_pointer(&text), ')'), FALSE);
}

static gboolean
is_at_edge(const DebyeH5Rows *rows, const Part *part)
{
  for (int k = 0; k < rows->rank; k++)
    if (part->chunk_first[k] + rows->chunk[k] > rows->shape[k])
      return TRUE;
  return FALSE;
}

/* Before there is memory for it: what the file has can expand to a chunk's size. */
static gboolean
check_stretch(const DebyeH5Rows *rows, const DebyeH5Stretch *stretch, gboolean is_plain, GError **error)
{
  guint64 size = debye_input_get_size(rows->input), end;
  if (stretch->n_bytes == 0)
    return debye_error_set(error, DEBYE_ERROR_MISSING,
                           "expected values, found a data set that was never written");
  if (!g_uint64_checked_add(&end, stretch->address, stretch->n_bytes) || end > size)
    return debye_error_set(error, DEBYE_ERROR_TRUNCATED,
                           "expected %" G_GUINT64_FORMAT " bytes from byte %" G_GUINT64_FORMAT
                           " on, the file ends at byte %" G_GUINT64_FORMAT,
                           stretch->n_bytes, stretch->address, size);
  if (is_plain ? stretch->n_bytes == rows->chunk_bytes
               : rows->chunk_bytes / DEBYE_H5_MAX_DEFLATED <= stretch->n_bytes)
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_SYNTAX,
                         "byte %" G_GUINT64_FORMAT ": expected a chunk of %" G_GSIZE_FORMAT
                         " bytes, found one of %" G_GUINT64_FORMAT,
                         stretch->address, rows->chunk_bytes, stretch->n_bytes);
}

/* The file has been long enough: a writer may have cut it since. */
static gboolean
read_bytes(const DebyeH5Rows *rows, guint64 address, gpointer bytes, gsize n, GError **error)
{
  return debye_input_read(rows->input, address, bytes, n, NULL) ||
         debye_error_set(error, DEBYE_ERROR_TRUNCATED,
                         "%" G_GSIZE_FORMAT " bytes from byte %" G_GUINT64_FORMAT
                         " on can't be read any more",
                         n, address);
}

static gboolean
unpack(DebyeH5Rows *rows, const Part *part, const DebyeH5Stretch *stretch, guint8 *to, GError **error)
{
  g_autofree guint8 *stored = g_try_malloc(stretch->n_bytes);
  if (stored == NULL)
    return debye_error_set_memory(error, NULL, stretch->n_bytes, "bytes");
  if (!read_bytes(rows, stretch->address, stored, stretch->n_bytes, error))
    return FALSE;
  g_autofree guint8 *chunk =
      debye_h5_filters_undo(&rows->filters, stretch->skipped_filters, g_steal_pointer(&stored),
                            (gsize)stretch->n_bytes, rows->chunk_bytes, error);
  if (chunk == NULL)
    return FALSE;
  copy_part(rows, part, 0, chunk + part->from_offset, to + part->to_offset);
  return TRUE;
}

static gboolean
read_stretch(DebyeH5Rows *rows, const Part *part, DebyeH5Stretch *stretch, guint8 *to, GError **error)
{
  if (rows->has_plain_edges && is_at_edge(rows, part))
    stretch->skipped_filters = G_MAXUINT;
  unsigned all = rows->filters.n_filters > 0 ? G_MAXUINT >> (32 - rows->filters.n_filters) : 0;
  gboolean is_plain = (stretch->skipped_filters & all) == all;
  if (!check_stretch(rows, stretch, is_plain, error))
    return FALSE;
  /* Whole rows of a chunk that stands there as it is. */
  if (is_plain && rows->folded_rank == 1)
    return read_bytes(rows, stretch->address + part->from_offset, to + part->to_offset,
                      part->n[0] * rows->element_bytes, error);
  return unpack(rows, part, stretch, to, error);
}

static gboolean
read_chunk(DebyeH5Rows *rows, const Part *part, guint8 *to, GError **error)
{
  DebyeH5Stretch stretch;
  g_autofree char *place = NULL;
  if (!debye_h5_locate_chunk(rows->dataset, part->chunk_first, &stretch)) {
    place = describe_place(rows, part);
    return debye_h5_set_error(error, DEBYE_ERROR_SYNTAX, place);
  }
  if (read_stretch(rows, part, &stretch, to, error))
    return TRUE;
  place = describe_place(rows, part);
  debye_error_prefix(error, "%s: ", place);
  return FALSE;
}

/* --- Rows --- */

/* On to the next chunk that holds some of the rows; the last dimension goes fastest. */
static gboolean
go_on(const DebyeH5Rows *rows, hsize_t end_row, hsize_t chunk_first[])
{
  for (int k = rows->folded_rank - 1; k >= 0; k--) {
    chunk_first[k] += rows->chunk[k];
    if (chunk_first[k] < (k == 0 ? end_row : rows->shape[k]))
      return TRUE;
    if (k > 0)
      chunk_first[k] = 0;
  }
  return FALSE;
}

static gboolean
read_chunks(DebyeH5Rows *rows, hsize_t first, hsize_t n, guint8 *to, GError **error)
{
  Part part = {.chunk_first = {first / rows->chunk[0] * rows->chunk[0]}};
  do {
    measure_part(rows, first, n, &part);
    if (!read_chunk(rows, &part, to, error))
      return FALSE;
  } while (go_on(rows, first + n, part.chunk_first));
  return TRUE;
}

/* Space in memory of the very same shape: of another one HDF5 would go value by value. */
static gboolean
read_plain(DebyeH5Rows *rows, hsize_t first, hsize_t n, gpointer values, GError **error)
{
  hsize_t start[H5S_MAX_RANK] = {first}, count[H5S_MAX_RANK];
  memcpy(count, rows->shape, sizeof count);
  count[0] = n;
  g_auto(DebyeH5Space) from = H5Dget_space(rows->dataset);
  g_auto(DebyeH5Space) to =
      rows->rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rows->rank, count, NULL);
  if (from >= 0 && to >= 0 && H5Sget_simple_extent_ndims(from) == rows->rank &&
      (rows->rank == 0 || H5Sselect_hyperslab(from, H5S_SELECT_SET, start, NULL, count, NULL) >= 0) &&
      H5Dread(rows->dataset, rows->type, to, from, H5P_DEFAULT, values) >= 0)
    return TRUE;
  return debye_h5_set_error(error, DEBYE_ERROR_SYNTAX, "the values can't be read");
}

/* In place where there is room for the values as they are stored. */
static gboolean
read_and_convert(DebyeH5Rows *rows, hsize_t first, hsize_t n, gpointer values, GError **error)
{
  gsize n_values = rows->n_values / (gsize)rows->shape[0] * (gsize)n;
  gboolean is_wider = rows->stored_width > rows->width;
  g_autofree guint8 *wider = is_wider ? g_try_malloc_n(n_values, rows->stored_width) : NULL;
  guint8 *to = is_wider ? wider : values;
  if (to == NULL)
    return debye_error_set_memory(error, NULL, n_values, "values");
  if (!read_chunks(rows, first, n, to, error))
    return FALSE;
  if (H5Tequal(rows->stored_type, rows->type) <= 0 &&
      H5Tconvert(rows->stored_type, rows->type, n_values, to, NULL, H5P_DEFAULT) < 0)
    return debye_h5_set_error(error, DEBYE_ERROR_SYNTAX, "the values can't be read");
  if (is_wider)
    memcpy(values, wider, n_values * rows->width);
  return TRUE;
}

gboolean
debye_h5_rows_read(DebyeH5Rows *rows, hsize_t first, hsize_t n, gpointer values, GError **error)
{
  hsize_t n_rows = rows->rank > 0 ? rows->shape[0] : 1;
  g_return_val_if_fail(first <= n_rows && n <= n_rows - first, FALSE);
  if (n == 0 || rows->n_values == 0)
    return TRUE;
  return rows->is_chunked ? read_and_convert(rows, first, n, values, error)
                          : read_plain(rows, first, n, values, error);
}

gboolean
debye_h5_read_values(hid_t dataset, hid_t type, gpointer values, gsize n, GError **error)
{
  g_autoptr(DebyeH5Rows) rows = debye_h5_rows_new(dataset, type, error);
  if (rows == NULL)
    return FALSE;
  if (rows->n_values != n)
    return debye_error_set(error, DEBYE_ERROR_MISMATCH,
                           "expected %" G_GSIZE_FORMAT " values, found %" G_GSIZE_FORMAT, n, rows->n_values);
  return debye_h5_rows_read(rows, 0, rows->rank > 0 ? rows->shape[0] : 1, values, error);
}
