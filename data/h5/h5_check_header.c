/* SPDX-License-Identifier: MIT */
/* Walks object headers of HDF5 files (HDF5 File Format Specification 3.0, IV.A.1), and reads what all parts of the check look
 * at; called by them. */
#include "h5_check_private.h"

#define SHARED_FLAG 0x02
#define OBJECTS_MAXIMUM 100
#define BLOCKS_MAXIMUM 4096 /* of one header */

guint8 *
debye_h5_check_read(DebyeH5Check *check, guint64 address, guint64 n)
{
  guint64 begin, end;
  if (n == 0 || n > check->bytes_left || !g_uint64_checked_add(&begin, check->base, address) ||
      !g_uint64_checked_add(&end, begin, n) || end > check->end)
    return NULL;
  g_autofree guint8 *bytes = g_try_malloc(n);
  check->bytes_left -= n;
  return bytes != NULL && debye_input_read(check->input, begin, bytes, n, NULL) ? g_steal_pointer(&bytes)
                                                                                : NULL;
}

guint64
debye_h5_take_address(const DebyeH5Check *check, DebyeH5Cursor *cursor)
{
  guint64 none = check->address_bytes < 8 ? ((guint64)1 << (8 * check->address_bytes)) - 1 : G_MAXUINT64;
  guint64 address = debye_h5_take(cursor, check->address_bytes);
  return address == none ? G_MAXUINT64 : address;
}

void
debye_h5_check_add_object(DebyeH5Check *check, guint64 address)
{
  if (check->objects->len < OBJECTS_MAXIMUM)
    g_array_append_val(check->objects, address);
}

/* --- Object headers --- */

typedef struct {
  gboolean is_version_2;
  gsize head_bytes; /* of a message */
  GArray *blocks;   /* guint64 pairs: address and bytes of messages */
} Header;

/* Blocks that lead to each other in a circle would never end. */
static gboolean
add_block(const Header *header, guint64 address, guint64 n)
{
  guint64 block[2] = {address, n};
  for (guint i = 0; i < header->blocks->len; i += 2)
    if (g_array_index(header->blocks, guint64, i) == address)
      return FALSE;
  g_array_append_vals(header->blocks, block, 2);
  return header->blocks->len <= 2 * BLOCKS_MAXIMUM;
}

/* Version 2: "OCHK" before the messages, a checksum behind them. */
static gboolean
add_continuation(DebyeH5Check *check, const Header *header, DebyeH5Cursor message)
{
  const guint64 around = 8;
  guint64 address = debye_h5_take_address(check, &message), n = debye_h5_take(&message, check->length_bytes);
  if (message.is_short || n == 0 || address > G_MAXINT64 || (header->is_version_2 && n < around))
    return FALSE;
  if (header->is_version_2)
    return add_block(header, address + 4, n - around);
  g_hash_table_insert(check->continuations, g_memdup2(&address, sizeof address), g_memdup2(&n, sizeof n));
  return add_block(header, address, n);
}

static gboolean
take_message(DebyeH5Check *check, const Header *header, DebyeH5Cursor *block, DebyeH5TakeMessage take,
             gpointer data)
{
  DebyeH5Cursor head = debye_h5_take_part(block, header->head_bytes);
  guint type = (guint)debye_h5_take(&head, header->is_version_2 ? 1 : 2);
  gsize n = debye_h5_take(&head, 2);
  guint flags = (guint)debye_h5_take(&head, 1);
  DebyeH5Cursor message = debye_h5_take_part(block, n);
  check->type = type;
  check->n_message_bytes = (guint)n;
  return !head.is_short && !message.is_short &&
         (type != DEBYE_H5_CONTINUATION || add_continuation(check, header, message)) &&
         (type == DEBYE_H5_CONTINUATION || take(check, type, (flags & SHARED_FLAG) != 0, message, data));
}

/* Version 2 may leave a gap behind a block's messages, shorter than a message's head. Of a block that is all
 * gap the library reads a head and more than there is. */
static gboolean
take_messages(DebyeH5Check *check, const Header *header, DebyeH5Cursor block, DebyeH5TakeMessage take,
              gpointer data)
{
  gsize least = header->is_version_2 ? header->head_bytes : 1;
  if (block.n < least)
    return FALSE;
  while (block.n - block.at >= least)
    if (!take_message(check, header, &block, take, data))
      return FALSE;
  return TRUE;
}

/* Where the first messages are. `*end`: behind all of the header's first part. */
static gboolean
open_header(DebyeH5Check *check, guint64 address, Header *header, guint64 *end)
{
  const gsize old_head = 16, head_most = 34, checksum_bytes = 4;
  g_autofree guint8 *bytes = debye_h5_check_read(check, address, old_head);
  guint8 most[34] = {0};
  if (bytes == NULL)
    return FALSE;
  header->is_version_2 = memcmp(bytes, "OHDR", 4) == 0;
  gssize n = debye_input_read_some(check->input, check->base + address, most, head_most, NULL);
  DebyeH5Cursor cursor = {most, n > 0 ? (gsize)n : 0, header->is_version_2 ? 5 : 8, n < (gssize)old_head};
  guint64 flags = header->is_version_2 ? debye_h5_take(&cursor, 1) : 0;
  debye_h5_skip(&cursor, (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0)); /* times, when attributes move */
  guint64 n_bytes = debye_h5_take(&cursor, header->is_version_2 ? (gsize)1 << (flags & 3) : 4);
  header->head_bytes = !header->is_version_2 ? 8 : flags & 0x04 ? 6 : 4;
  guint64 first = address + (header->is_version_2 ? cursor.at : old_head);
  *end = first + n_bytes + (header->is_version_2 ? checksum_bytes : 0);
  return add_block(header, first, n_bytes) && !cursor.is_short && n_bytes <= G_MAXUINT32 &&
         *end <= check->end - check->base;
}

gboolean
debye_h5_check_find_header_end(DebyeH5Check *check, guint64 address, guint64 *end)
{
  g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE, sizeof(guint64));
  Header header = {.blocks = blocks};
  return open_header(check, address, &header, end);
}

gboolean
debye_h5_check_walk(DebyeH5Check *check, guint64 address, guint64 *end, DebyeH5TakeMessage take,
                    gpointer data)
{
  g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE, sizeof(guint64));
  Header header = {.blocks = blocks};
  check->type = 0;
  check->n_message_bytes = 0;
  if (!open_header(check, address, &header, end))
    return FALSE;
  for (guint i = 0; i + 1 < blocks->len; i += 2) {
    guint64 place = g_array_index(blocks, guint64, i), n = g_array_index(blocks, guint64, i + 1);
    g_autofree guint8 *bytes = n > 0 ? debye_h5_check_read(check, place, n) : NULL;
    if (n > 0 &&
        (bytes == NULL || !take_messages(check, &header, (DebyeH5Cursor){bytes, n, 0, FALSE}, take, data)))
      return FALSE;
  }
  return TRUE;
}

static gboolean
find_type_size(G_GNUC_UNUSED DebyeH5Check *check, guint type, gboolean is_shared, DebyeH5Cursor message,
               gpointer data)
{
  guint64 *size = data;
  return type != DEBYE_H5_DATATYPE || is_shared || *size > 0 || debye_h5_check_type(&message, size);
}

guint64
debye_h5_check_find_committed_size(DebyeH5Check *check, guint64 address)
{
  guint64 size = 0, end;
  guint type = check->type, n = check->n_message_bytes;
  gboolean good = address != G_MAXUINT64 && debye_h5_check_walk(check, address, &end, find_type_size, &size);
  check->type = type;
  check->n_message_bytes = n;
  return good ? size : 0;
}
