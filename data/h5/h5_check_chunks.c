/* SPDX-License-Identifier: MIT */
/* How a data set is cut into chunks, and the indexes that say where they are (HDF5 File Format Specification
 * 3.0, IV.A.2.i, III.A.2 and VII). The library decodes entries of the length that the data set gives them and
 * makes room for as many bytes as an index says that one has, and it visits as many as the index says there
 * are. */
#include "h5_check_private.h"

#include <string.h>

#include "h5_check_tree.h"

#define FILTER_MASK_BYTES 4
#define FIXED_ARRAY_PAGE_BITS 10
#define SIZES_AS_LENGTHS \
  5 /* the version of layouts that says how long filtered chunks are in so many bytes */

typedef enum { SINGLE_CHUNK = 1, IMPLICIT, FIXED_ARRAY, EXTENSIBLE_ARRAY, CHUNK_TREE } IndexKind;

/* --- The layout's message --- */

/* In elements, with the bytes of one as the last; the library divides by them, and before version 5 has 32
 * bits for all. */
static gboolean
take_shape(DebyeH5Check *check, DebyeH5Cursor *message, guint64 rank, gsize n_bytes)
{
  const guint64 most = check->chunks.version < SIZES_AS_LENGTHS ? G_MAXUINT32 : G_MAXINT64;
  if (rank < 2 || rank > DEBYE_H5_RANK_MAXIMUM + 1)
    return FALSE;
  check->chunks.bytes = 1;
  check->chunks.n_dimensions = rank - 1;
  for (guint64 i = 0; i < rank; i++) {
    guint64 side = debye_h5_take(message, n_bytes);
    if (!g_uint64_checked_mul(&check->chunks.bytes, check->chunks.bytes, side) || side == 0 ||
        check->chunks.bytes > most)
      return FALSE;
    *(i + 1 < rank ? &check->chunks.sides[i] : &check->chunks.value_bytes) = side;
  }
  return TRUE;
}

/* What an index needs, by its kind: how many bytes before its address. */
static gsize
count_parameter_bytes(const DebyeH5Check *check, guint64 kind, guint64 flags)
{
  switch (kind) {
  case SINGLE_CHUNK: /* its size where it is filtered */
    return flags & 2 ? check->length_bytes + FILTER_MASK_BYTES : 0;
  case FIXED_ARRAY:
    return 1;
  case EXTENSIBLE_ARRAY:
    return 5;
  case CHUNK_TREE:
    return 6;
  default:
    return 0;
  }
}

gboolean
debye_h5_check_chunks(DebyeH5Check *check, DebyeH5Cursor *message, guint64 version)
{
  guint64 flags = version > 3 ? debye_h5_take(message, 1) : 0, rank = debye_h5_take(message, 1);
  check->chunks.version = version;
  if (version == 3) {
    debye_h5_take_address(check, message);
    return take_shape(check, message, rank, 4);
  }
  if (!take_shape(check, message, rank, debye_h5_take(message, 1)))
    return FALSE;
  check->chunks.index_kind = (guint)debye_h5_take(message, 1);
  debye_h5_skip(message, count_parameter_bytes(check, check->chunks.index_kind, flags));
  check->chunks.index = debye_h5_take_address(check, message);
  return TRUE;
}

gboolean
debye_h5_check_old_chunks(DebyeH5Check *check, DebyeH5Cursor *message, guint64 rank)
{
  return take_shape(check, message, rank, 4);
}

/* --- Indexes --- */

/* An address; of a filtered chunk also how long it is and which filters were left out. */
static gsize
count_entry_bytes(const DebyeH5Check *check)
{
  const gsize size_bytes = check->chunks.version < SIZES_AS_LENGTHS
                               ? MIN(1 + (g_bit_storage(check->chunks.bytes) + 7) / 8, 8)
                               : check->length_bytes;
  return check->address_bytes + (check->n_filters > 0 ? size_bytes + FILTER_MASK_BYTES : 0);
}

/* Of an array the `n` bytes behind what all begin with, or NULL. */
static guint8 *
read_array(DebyeH5Check *check, const char *signature, gsize n, DebyeH5Cursor *rest)
{
  const gsize common = 7;
  g_autofree guint8 *head = debye_h5_check_read(check, check->chunks.index, common + n);
  if (head == NULL || memcmp(head, signature, 4) != 0 || head[5] != (check->n_filters > 0) ||
      head[6] != count_entry_bytes(check))
    return NULL;
  *rest = (DebyeH5Cursor){head, common + n, common, FALSE};
  return g_steal_pointer(&head);
}

/* More entries than this the library isn't left to visit: so many stand in the file, or, where there is
 * little, take it a tenth of a second. */
static guint64
max_entries(const DebyeH5Check *check)
{
  const guint64 few = 1 << 20;
  return MIN(MAX(debye_input_get_size(check->input), few), G_MAXUINT32);
}

/* FALSE: so large as no data set is, or its extent isn't known. */
static gboolean
count_chunks(const DebyeH5Check *check, guint64 *n)
{
  *n = 1;
  if (check->extent.rank != check->chunks.n_dimensions)
    return FALSE;
  for (guint64 i = 0; i < check->extent.rank; i++) {
    guint64 most = check->extent.most[i], side = check->chunks.sides[i];
    if (!g_uint64_checked_mul(n, *n, most / side + (most % side != 0)))
      return FALSE;
  }
  return TRUE;
}

/* The library takes an entry by the number of its chunk, without a look at how many there are. */
static gboolean
check_fixed_array(DebyeH5Check *check)
{
  DebyeH5Cursor rest;
  guint64 n_chunks;
  g_autofree guint8 *head = read_array(check, "FAHD", 1 + check->length_bytes, &rest);
  if (head == NULL || debye_h5_take(&rest, 1) != FIXED_ARRAY_PAGE_BITS || !count_chunks(check, &n_chunks))
    return FALSE;
  guint64 n = debye_h5_take(&rest, check->length_bytes);
  return n >= n_chunks && n <= max_entries(check);
}

/* Entries that have no chunk need not be there. */
static gboolean
check_extensible_array(DebyeH5Check *check)
{
  /* How long its blocks are; the library makes none of another kind. */
  static const guint8 blocks[] = {32, 4, 16, 4, 10};
  DebyeH5Cursor rest;
  g_autofree guint8 *head = read_array(check, "EAHD", sizeof blocks + 5 * check->length_bytes, &rest);
  if (head == NULL || memcmp(head + rest.at, blocks, sizeof blocks) != 0)
    return FALSE;
  debye_h5_skip(&rest, sizeof blocks + 4 * check->length_bytes); /* blocks and their bytes, of two kinds */
  return debye_h5_take(&rest, check->length_bytes) <= max_entries(check);
}

/* An entry with the chunk's place in the data set. */
static gboolean
is_chunk(DebyeH5Check *check, DebyeH5RecordType type, DebyeH5Cursor record, G_GNUC_UNUSED gpointer data)
{
  return type == (check->n_filters > 0 ? DEBYE_H5_FILTERED_CHUNKS : DEBYE_H5_CHUNKS) &&
         record.n == count_entry_bytes(check) + 8 * check->chunks.n_dimensions;
}

gboolean
debye_h5_check_chunk_index(DebyeH5Check *check)
{
  /* The library goes by the datatype's length of a value. */
  if (check->chunks.index_kind != 0 && check->chunks.value_bytes != check->value_bytes)
    return FALSE;
  if (check->chunks.index == G_MAXUINT64) /* no chunk was written */
    return TRUE;
  switch (check->chunks.index_kind) {
  case FIXED_ARRAY:
    return check_fixed_array(check);
  case EXTENSIBLE_ARRAY:
    return check_extensible_array(check);
  case CHUNK_TREE:
    return debye_h5_check_tree(check, check->chunks.index, is_chunk, NULL);
  default:
    return TRUE;
  }
}
