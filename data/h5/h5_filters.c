/* SPDX-License-Identifier: MIT */
/* Undoes the filters of an HDF5 chunk (deflate, shuffle, Fletcher's checksum); called by h5_rows.c. */
#include "h5_filters.h"

#include <string.h>

#include "data/files/error.h"

#define CHECKSUM_BYTES 4
/* How many words may be added before 32 bits overflow. */
#define WORDS_BETWEEN_FOLDS 360

gboolean
debye_h5_filters_init(DebyeH5Filters *filters, hid_t creation)
{
  int n_filters = H5Pget_nfilters(creation);
  *filters = (DebyeH5Filters){0};
  if (n_filters < 0 || n_filters > H5Z_MAX_NFILTERS)
    return FALSE;
  for (int i = 0; i < n_filters; i++) {
    unsigned flags, configuration, parameters[1] = {1};
    gsize n_parameters = G_N_ELEMENTS(parameters);
    H5Z_filter_t kind =
        H5Pget_filter2(creation, (unsigned)i, &flags, &n_parameters, parameters, 0, NULL, &configuration);
    if (kind != H5Z_FILTER_DEFLATE && kind != H5Z_FILTER_SHUFFLE && kind != H5Z_FILTER_FLETCHER32)
      return FALSE;
    filters->kinds[i] = kind;
    filters->element_bytes[i] = n_parameters > 0 ? parameters[0] : 1;
  }
  filters->n_filters = n_filters;
  return TRUE;
}

void
debye_h5_filters_clear(DebyeH5Filters *filters)
{
  g_clear_object(&filters->decompressor);
}

/* A chunk on its way back. */
typedef struct {
  guint8 *bytes;
  gsize n;
} Chunk;

/* --- Deflate --- */

/* FALSE where the stream is broken, ends too early, or gives more than there is room for. */
static gboolean
run_inflate(GZlibDecompressor *decompressor, const Chunk *chunk, guint8 *room, gsize n_room, gsize *made)
{
  gsize used = 0;
  *made = 0;
  g_converter_reset(G_CONVERTER(decompressor));
  for (;;) {
    gsize read = 0, written = 0;
    GConverterResult result =
        g_converter_convert(G_CONVERTER(decompressor), chunk->bytes + used, chunk->n - used, room + *made,
                            n_room - *made, G_CONVERTER_INPUT_AT_END, &read, &written, NULL);
    used += read;
    *made += written;
    if (result != G_CONVERTER_CONVERTED)
      return result == G_CONVERTER_FINISHED;
    if (*made == n_room)
      return FALSE;
  }
}

/* A byte beyond the largest chunk, so that what is too long is seen to be. */
static gboolean
undo_deflate(DebyeH5Filters *filters, Chunk *chunk, gsize most, GError **error)
{
  gsize made;
  g_autofree guint8 *room = g_try_malloc(most + 1);
  if (room == NULL)
    return debye_error_set_memory(error, NULL, most, "bytes");
  if (filters->decompressor == NULL)
    filters->decompressor = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
  if (!run_inflate(filters->decompressor, chunk, room, most + 1, &made))
    return debye_error_set(error, DEBYE_ERROR_SYNTAX,
                           "expected a chunk packed by deflate that unpacks to %" G_GSIZE_FORMAT
                           " bytes at most, found one that breaks off after %" G_GSIZE_FORMAT,
                           most, made);
  g_free(chunk->bytes);
  chunk->bytes = g_steal_pointer(&room);
  chunk->n = made;
  return TRUE;
}

/* --- Shuffle --- */

/* First bytes of all elements, then second ones, and so on; what is no whole element stands behind them. */
static gboolean
undo_shuffle(Chunk *chunk, gsize element_bytes, GError **error)
{
  gsize n = element_bytes > 0 ? chunk->n / element_bytes : 0;
  if (element_bytes < 2 || n < 2)
    return TRUE;
  g_autofree guint8 *whole = g_try_malloc(chunk->n);
  if (whole == NULL)
    return debye_error_set_memory(error, NULL, chunk->n, "bytes");
  for (gsize k = 0; k < element_bytes; k++)
    for (gsize i = 0; i < n; i++)
      whole[i * element_bytes + k] = chunk->bytes[k * n + i];
  gsize done = n * element_bytes;
  memcpy(whole + done, chunk->bytes + done, chunk->n - done);
  g_free(chunk->bytes);
  chunk->bytes = g_steal_pointer(&whole);
  return TRUE;
}

/* --- Checksum --- */

static guint32
fold(guint32 sum)
{
  return (sum & 0xffff) + (sum >> 16);
}

/* Fletcher's of words of which the higher byte comes first; a last single byte is a word's higher one. */
static guint32
compute_checksum(const guint8 *bytes, gsize n)
{
  guint32 sum = 0, sum_of_sums = 0;
  for (gsize begin = 0; begin < n; begin += 2 * WORDS_BETWEEN_FOLDS) {
    gsize end = MIN(begin + 2 * WORDS_BETWEEN_FOLDS, n);
    for (gsize i = begin; i < end; i += 2) {
      sum += (guint32)bytes[i] << 8 | (i + 1 < n ? bytes[i + 1] : 0);
      sum_of_sums += sum;
    }
    sum = fold(sum);
    sum_of_sums = fold(sum_of_sums);
  }
  return fold(sum_of_sums) << 16 | fold(sum);
}

/* The library before 1.6.3 swapped the bytes of each half, and later ones take that, too. */
static gboolean
undo_checksum(Chunk *chunk, GError **error)
{
  guint32 stored = 0;
  gsize n = chunk->n - MIN(chunk->n, CHECKSUM_BYTES);
  if (chunk->n >= CHECKSUM_BYTES)
    memcpy(&stored, chunk->bytes + n, CHECKSUM_BYTES);
  stored = GUINT32_FROM_LE(stored);
  guint32 found = compute_checksum(chunk->bytes, n);
  guint32 swapped = (found & 0x00ff00ff) << 8 | (found & 0xff00ff00) >> 8;
  if (chunk->n < CHECKSUM_BYTES || (stored != found && stored != swapped))
    return debye_error_set(error, DEBYE_ERROR_SYNTAX,
                           "expected a chunk with the checksum %08x, found %08x: it is damaged", stored,
                           found);
  chunk->n = n;
  return TRUE;
}

/* --- All of them --- */

/* Before the last filters are undone there may be checksums, and streams that deflate made no shorter. */
static gsize
get_most(const DebyeH5Filters *filters, gsize n)
{
  return n + n / 1000 + 64 * (gsize)filters->n_filters;
}

static gboolean
undo(DebyeH5Filters *filters, int i, Chunk *chunk, gsize most, GError **error)
{
  if (filters->kinds[i] == H5Z_FILTER_DEFLATE)
    return undo_deflate(filters, chunk, most, error);
  if (filters->kinds[i] == H5Z_FILTER_SHUFFLE)
    return undo_shuffle(chunk, filters->element_bytes[i], error);
  return undo_checksum(chunk, error);
}

guint8 *
debye_h5_filters_undo(DebyeH5Filters *filters, unsigned skipped, guint8 *stored, gsize n_stored, gsize n,
                      GError **error)
{
  Chunk chunk = {stored, n_stored};
  g_autofree guint8 *bytes = NULL;
  gboolean good = TRUE;
  for (int i = filters->n_filters; i-- > 0 && good;)
    good = (skipped >> i & 1) != 0 || undo(filters, i, &chunk, get_most(filters, n), error);
  bytes = chunk.bytes;
  if (good && chunk.n == n)
    return g_steal_pointer(&bytes);
  if (good)
    debye_error_set(error, DEBYE_ERROR_SYNTAX,
                    "expected a chunk of %" G_GSIZE_FORMAT " bytes, found one of %" G_GSIZE_FORMAT, n,
                    chunk.n);
  return NULL;
}
