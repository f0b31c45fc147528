/* SPDX-License-Identifier: MIT */
/* Checks HDF5 files before the library decodes them; called by h5_driver.c. Here: superblocks (HDF5 File Format
 * Specification 3.0, II.A), and which object headers are looked at; what they hold is looked into by the other parts, see
 * h5_check_private.h. */
#include "h5_check_private.h"

#include "data/files/error.h"

#define SPECULATIVE_BYTES 512 /* that the library reads of a header whose length it doesn't know yet */
#define BYTES_MAXIMUM \
  ((guint64)256 << 20) /* that one header may lead to, and all that are looked at on opening */

/* --- The superblock --- */

/* At the beginning, or behind 512, 1024, 2048 … bytes of something else. */
static gboolean
find_signature(DebyeInput *input, guint64 *place)
{
  static const guint8 signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  guint64 size = debye_input_get_size(input);
  for (*place = 0; *place < size && size - *place >= sizeof signature;
       *place = *place == 0 ? 512 : 2 * *place) {
    guint8 found[sizeof signature];
    if (!debye_input_read(input, *place, found, sizeof found, NULL))
      return FALSE;
    if (memcmp(found, signature, sizeof found) == 0)
      return TRUE;
  }
  return FALSE;
}

static void
take_old_superblock(DebyeH5Check *check, DebyeH5Cursor *cursor, guint64 version)
{
  debye_h5_skip(cursor, 4); /* other versions */
  check->address_bytes = debye_h5_take(cursor, 1);
  check->length_bytes = debye_h5_take(cursor, 1);
  debye_h5_skip(cursor, 1);
  check->k.leaf = (guint)debye_h5_take(cursor, 2);
  check->k.group = (guint)debye_h5_take(cursor, 2);
  debye_h5_skip(cursor, 4); /* flags */
  if (version == 1) {
    check->k.chunk = (guint)debye_h5_take(cursor, 2);
    debye_h5_skip(cursor, 2);
  }
  check->base = debye_h5_take_address(check, cursor);
  /* Free space; end of the file; what driver wrote it; the place of the root's name. */
  debye_h5_skip(cursor, check->address_bytes);
  check->end = debye_h5_take_address(check, cursor);
  check->driver = debye_h5_take_address(check, cursor);
  debye_h5_skip(cursor, check->length_bytes);
  check->root = debye_h5_take_address(check, cursor);
}

static void
take_superblock(DebyeH5Check *check, DebyeH5Cursor *cursor)
{
  check->address_bytes = debye_h5_take(cursor, 1);
  check->length_bytes = debye_h5_take(cursor, 1);
  debye_h5_skip(cursor, 1); /* flags */
  check->base = debye_h5_take_address(check, cursor);
  check->extension = debye_h5_take_address(check, cursor);
  check->end = debye_h5_take_address(check, cursor);
  check->root = debye_h5_take_address(check, cursor);
}

static gboolean
is_width(gsize n)
{
  return n == 2 || n == 4 || n == 8;
}

/* Widths that the library accepts and Debye refuses. */
static gboolean
is_too_wide(gsize n)
{
  return n == 16 || n == 32;
}

static gboolean
find_superblock(DebyeH5Check *check)
{
  guint8 bytes[128] = {0};
  guint64 place;
  if (!find_signature(check->input, &place))
    return FALSE;
  gssize n = debye_input_read_some(check->input, place, bytes, sizeof bytes, NULL);
  DebyeH5Cursor cursor = {bytes, n > 0 ? (gsize)n : 0, 0, FALSE};
  debye_h5_skip(&cursor, 8); /* signature */
  guint64 version = debye_h5_take(&cursor, 1);
  if (version < 2)
    take_old_superblock(check, &cursor, version);
  else
    take_superblock(check, &cursor);
  /* The library believes the place where it found the superblock, not what is written there. What lies behind
   * the end as it then is it doesn't read, or not to its end. */
  check->end += place - check->base;
  check->base = place;
  check->has_odd_widths = is_too_wide(check->address_bytes) || is_too_wide(check->length_bytes);
  return !cursor.is_short && is_width(check->address_bytes) && is_width(check->length_bytes);
}

DebyeH5Check *
debye_h5_check_new(DebyeInput *input)
{
  DebyeH5Check *check = g_new0(DebyeH5Check, 1);
  check->input = input;
  check->root = check->extension = check->driver = check->rest_address = G_MAXUINT64;
  check->k = (DebyeH5TreeK){4, 16, 32};
  check->headers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
  check->continuations = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
  check->objects = g_array_new(FALSE, FALSE, sizeof(guint64));
  check->bytes_left = BYTES_MAXIMUM;
  check->is_known = find_superblock(check);
  return check;
}

void
debye_h5_check_free(DebyeH5Check *check)
{
  g_hash_table_unref(check->headers);
  g_hash_table_unref(check->continuations);
  g_array_unref(check->objects);
  g_free(check);
}

/* --- Object headers --- */

/* Messages stand in any order. */
static gboolean
check_together(DebyeH5Check *check)
{
  if (check->fill_bytes > 0 && check->value_bytes > 0 && check->fill_bytes != check->value_bytes)
    return FALSE;
  check->type = DEBYE_H5_LAYOUT;
  return debye_h5_check_chunk_index(check);
}

static gboolean
check_header(DebyeH5Check *check, guint64 address)
{
  guint64 end = 0;
  check->bytes_left = BYTES_MAXIMUM;
  if (g_hash_table_contains(check->headers, &address))
    return TRUE;
  check->header = address;
  check->value_bytes = check->fill_bytes = check->n_filters = 0;
  check->has_layout = FALSE;
  check->chunks = (DebyeH5Chunks){.index = G_MAXUINT64};
  check->extent = (DebyeH5Extent){0};
  if (!debye_h5_check_walk(check, address, &end, debye_h5_check_message, NULL) || !check_together(check))
    return FALSE;
  g_hash_table_add(check->headers, g_memdup2(&address, sizeof address));
  return TRUE;
}

/* Kinds of files that the library takes and that can't be checked. */
static gboolean
check_kind(const DebyeH5Check *check, GError **error)
{
  if (check->has_odd_widths)
    return debye_input_set_error(
        check->input, error, DEBYE_ERROR_SYNTAX,
        "expected HDF5 addresses and lengths of at most 8 bytes, found %" G_GSIZE_FORMAT
        " and %" G_GSIZE_FORMAT,
        check->address_bytes, check->length_bytes);
  /* The library makes room for as much as the driver's block says that it has. */
  if (check->is_known && check->driver != G_MAXUINT64)
    return debye_input_set_error(
        check->input, error, DEBYE_ERROR_SYNTAX,
        "expected a complete HDF5 file, found one part of a file that is split in several");
  return TRUE;
}

gboolean
debye_h5_check_objects(DebyeH5Check *check, GError **error)
{
  if (!check_kind(check, error))
    return FALSE;
  /* The library itself reports a file that was cut. */
  if (!check->is_known || check->end > debye_input_get_size(check->input))
    return TRUE;
  if (check->extension != G_MAXUINT64)
    g_array_prepend_val(check->objects, check->extension);
  debye_h5_check_add_object(check, check->root);
  guint64 bytes_read = 0;
  gboolean good = TRUE;
  for (guint i = 0; good && i < check->objects->len && bytes_read < BYTES_MAXIMUM; i++) {
    good = check_header(check, g_array_index(check->objects, guint64, i));
    bytes_read += BYTES_MAXIMUM - check->bytes_left;
  }
  if (!good)
    debye_input_set_error(check->input, error, DEBYE_ERROR_SYNTAX,
                          "expected the HDF5 object header at byte %" G_GUINT64_FORMAT " to be whole, found "
                          "its message of type %u with %u bytes damaged or of a kind that isn't read",
                          check->base + check->header, check->type, check->n_message_bytes);
  return good;
}

/* --- What the library reads --- */

static guint
count_entries(const guint8 head[8])
{
  return head[6] | (guint)head[7] << 8;
}

/* The library knows by the superblock how long a node is, and by the node how many entries it takes from it. */
static gboolean
check_tree_node(const DebyeH5Check *check, const guint8 head[8])
{
  if (memcmp(head, "TREE", 4) == 0)
    return count_entries(head) <= 2 * (head[4] == 0 ? check->k.group : check->k.chunk);
  return memcmp(head, "SNOD", 4) != 0 || count_entries(head) <= 2 * check->k.leaf;
}

/* A continuation of version 1 begins with a message, which may look like a header's head: what could be
 * either is refused. */
static gboolean
is_continuation(DebyeH5Check *check, guint64 address, gsize n, guint64 end, const guint8 head[8],
                gboolean *good)
{
  const guint64 *known = g_hash_table_lookup(check->continuations, &address);
  gboolean may_be_header = n == MIN(SPECULATIVE_BYTES, end - MIN(end, check->base + address)) && head[0] == 1;
  *good = !may_be_header;
  return known != NULL && *known == n;
}

/* A header longer than what the library reads of it first is read on from there. */
static gboolean
check_header_block(DebyeH5Check *check, guint64 address, gsize n, guint64 end, const guint8 head[8])
{
  static const char *const others[] = {"OCHK", "FRHP", "FHIB", "FSHD", "SMTB", "EAHD", "EAIB", "FAHD"};
  gboolean is_rest = address == check->rest_address && n == check->rest_bytes, good;
  check->rest_address = G_MAXUINT64;
  if (is_rest)
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS(others); i++)
    if (memcmp(head, others[i], 4) == 0)
      return TRUE;
  if (is_continuation(check, address, n, end, head, &good))
    return good;
  return check_header(check, address);
}

static void
note_rest(DebyeH5Check *check, guint64 address, gsize n)
{
  guint64 end = 0;
  check->bytes_left = BYTES_MAXIMUM;
  if (!g_hash_table_contains(check->headers, &address) ||
      !debye_h5_check_find_header_end(check, address, &end) || end - address <= n)
    return;
  check->rest_address = address + n;
  check->rest_bytes = end - address - n;
}

gboolean
debye_h5_check_block(DebyeH5Check *check, DebyeH5Block kind, guint64 address, gsize n, guint64 end)
{
  guint8 head[8] = {0};
  if (!check->is_known || address < check->base)
    return TRUE;
  debye_input_read_some(check->input, address, head, MIN(n, sizeof head), NULL);
  if (kind == DEBYE_H5_BLOCK_TREE)
    return check_tree_node(check, head);
  if (!check_header_block(check, address - check->base, n, end, head))
    return FALSE;
  note_rest(check, address - check->base, n);
  return TRUE;
}
