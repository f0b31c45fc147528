/* SPDX-License-Identifier: MIT */
/* Attributes that are strings of variable length, as h5py writes them: the library (1.10) reads their heap
 * without looking whether what is named is there, and a damaged file would end the program. So the attribute
 * is looked up in the bytes of the file (HDF5 File Format Specification 3.0: object headers IV.A.1,
 * attributes IV.A.2.m, global heap III.E), each step held against the size of the file. What isn't as
 * expected counts as not there. */
#include <string.h>

#include "h5.h"
#include "h5_cursor.h"

#define MESSAGE_CONTINUATION 0x10
#define MESSAGE_ATTRIBUTE 0x0c
#define MESSAGE_IS_SHARED 0x02
#define CLASS_VARIABLE_LENGTH 9
#define BLOCKS_MAXIMUM 64
#define BLOCK_BYTES_MAXIMUM (1 << 20)
#define HEAP_BYTES_MAXIMUM (16 << 20)
#define STRING_BYTES_MAXIMUM (1 << 20)
#define STRINGS_MAXIMUM 64

typedef struct {
  DebyeInput *input;
  guint64 base; /* of all addresses */
  gsize address_bytes, length_bytes;
} File;

static gboolean
has(const DebyeH5Cursor *cursor, gsize n)
{
  return cursor->n - cursor->at >= n;
}

/* NULL where the file has no such bytes. */
static guint8 *
read_bytes(const File *file, guint64 address, guint64 n, guint64 limit)
{
  guint64 begin, end;
  if (n == 0 || n > limit || !g_uint64_checked_add(&begin, file->base, address) ||
      !g_uint64_checked_add(&end, begin, n) || end > debye_input_get_size(file->input))
    return NULL;
  g_autofree guint8 *bytes = g_malloc(n);
  return debye_input_read(file->input, begin, bytes, n, NULL) ? g_steal_pointer(&bytes) : NULL;
}

gboolean
debye_h5_get_header_address(hid_t object, haddr_t *address)
{
#if H5_VERSION_GE(1, 12, 0)
  H5O_info1_t info;
  gboolean is_known = H5Oget_info1(object, &info) >= 0;
#else
  H5O_info_t info;
  gboolean is_known = H5Oget_info(object, &info) >= 0;
#endif
  *address = is_known ? info.addr : HADDR_UNDEF;
  return is_known;
}

static gboolean
describe_file(hid_t object, DebyeInput *input, File *file, haddr_t *header)
{
  g_auto(DebyeH5File) hdf5 = H5Iget_file_id(object);
  g_auto(DebyeH5Properties) creation = hdf5 < 0 ? H5I_INVALID_HID : H5Fget_create_plist(hdf5);
  hsize_t base;
  *file = (File){.input = input};
  if (!debye_h5_get_header_address(object, header) || creation < 0 || H5Pget_userblock(creation, &base) < 0 ||
      H5Pget_sizes(creation, &file->address_bytes, &file->length_bytes) < 0 || file->address_bytes > 8 ||
      file->length_bytes > 8)
    return FALSE;
  file->base = base;
  return TRUE;
}

/* --- The global heap --- */

static char *
find_in_heap(const File *file, guint64 address, guint64 index, guint64 length)
{
  gsize head_bytes = 8 + file->length_bytes;
  g_autofree guint8 *head = read_bytes(file, address, head_bytes, HEAP_BYTES_MAXIMUM);
  if (head == NULL || memcmp(head, "GCOL", 4) != 0 || head[4] != 1)
    return NULL;
  DebyeH5Cursor size = {head, head_bytes, 8, FALSE};
  guint64 n = debye_h5_take(&size, file->length_bytes);
  g_autofree guint8 *heap = read_bytes(file, address, n, HEAP_BYTES_MAXIMUM);
  if (heap == NULL)
    return NULL;
  DebyeH5Cursor cursor = {heap, n, MIN(head_bytes, n), FALSE};
  while (has(&cursor, 8 + file->length_bytes)) {
    guint64 found = debye_h5_take(&cursor, 2);
    debye_h5_skip(&cursor, 6);
    guint64 bytes = debye_h5_take(&cursor, file->length_bytes);
    if (found == 0 || !has(&cursor, bytes))
      return NULL;
    if (found == index)
      return g_strndup((const char *)heap + cursor.at, MIN(bytes, length));
    debye_h5_skip(&cursor, bytes);
    debye_h5_skip(&cursor, (8 - bytes % 8) % 8);
  }
  return NULL;
}

static char **
read_elements(const File *file, DebyeH5Cursor *data)
{
  gsize element = 4 + file->address_bytes + 4;
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
  while (has(data, element)) {
    guint64 length = debye_h5_take(data, 4);
    guint64 address = debye_h5_take(data, file->address_bytes);
    guint64 index = debye_h5_take(data, 4);
    char *text = length == 0                     ? g_strdup("")
                 : length > STRING_BYTES_MAXIMUM ? NULL
                                                 : find_in_heap(file, address, index, length);
    if (text == NULL)
      return NULL;
    g_ptr_array_add(texts, text);
  }
  if (texts->len == 0)
    return NULL;
  g_ptr_array_add(texts, NULL);
  g_ptr_array_set_free_func(texts, NULL);
  return (char **)g_ptr_array_free(g_steal_pointer(&texts), FALSE);
}

/* --- Attributes --- */

static gsize
count_elements(const File *file, DebyeH5Cursor space)
{
  guint64 version = debye_h5_take(&space, 1), rank = debye_h5_take(&space, 1), n = 1;
  debye_h5_skip(&space, version == 1 ? 6 : 2);
  for (guint64 i = 0; i < rank; i++)
    if (!has(&space, file->length_bytes) ||
        !g_uint64_checked_mul(&n, n, debye_h5_take(&space, file->length_bytes)))
      return 0;
  return n;
}

/* NULL: another attribute, or none of strings of variable length. */
static char **
read_attribute(const File *file, const char *name, DebyeH5Cursor message)
{
  guint64 version = debye_h5_take(&message, 1), flags = debye_h5_take(&message, 1);
  gsize name_bytes = debye_h5_take(&message, 2), type_bytes = debye_h5_take(&message, 2),
        space_bytes = debye_h5_take(&message, 2);
  const guint64 multiple = version == 1 ? 8 : 1;
  if (version < 1 || version > 3 || (version > 1 && flags != 0))
    return NULL;
  if (version == 3)
    debye_h5_skip(&message, 1);
  DebyeH5Cursor found = debye_h5_take_padded_part(&message, name_bytes, multiple);
  DebyeH5Cursor type = debye_h5_take_padded_part(&message, type_bytes, multiple);
  DebyeH5Cursor space = debye_h5_take_padded_part(&message, space_bytes, multiple);
  gsize length = strlen(name);
  if (found.n < length || memcmp(found.bytes, name, length) != 0 ||
      (found.n > length && found.bytes[length] != '\0'))
    return NULL;
  guint64 class_and_flags = debye_h5_take(&type, 2);
  gboolean is_string =
      (class_and_flags & 0x0f) == CLASS_VARIABLE_LENGTH && ((class_and_flags >> 8) & 0x0f) == 1;
  gsize element = 4 + file->address_bytes + 4, n = count_elements(file, space);
  if (!is_string || n == 0 || n > STRINGS_MAXIMUM || n > (message.n - message.at) / element)
    return NULL;
  DebyeH5Cursor data = {message.bytes + message.at, n * element, 0, FALSE};
  return read_elements(file, &data);
}

/* --- Object headers --- */

typedef struct {
  const File *file;
  const char *name;
  gboolean is_version_2, has_creation_order;
  GArray *blocks; /* guint64 pairs: address and bytes of messages still to be read */
} Header;

static void
add_block(Header *header, guint64 address, guint64 n)
{
  guint64 block[2] = {address, n};
  if (header->blocks->len < 2 * BLOCKS_MAXIMUM)
    g_array_append_vals(header->blocks, block, 2);
}

/* "OCHK" before and a checksum behind the messages. */
static void
add_continuation(Header *header, DebyeH5Cursor message)
{
  guint64 address = debye_h5_take(&message, header->file->address_bytes);
  guint64 n = debye_h5_take(&message, header->file->length_bytes);
  if (header->is_version_2 && (n < 8 || address > G_MAXUINT64 - 4))
    return;
  add_block(header, header->is_version_2 ? address + 4 : address, header->is_version_2 ? n - 8 : n);
}

static char **
read_messages(Header *header, DebyeH5Cursor cursor)
{
  gsize head_bytes = header->is_version_2 ? 4 + (header->has_creation_order ? 2 : 0) : 8;
  while (has(&cursor, head_bytes)) {
    gsize begin = cursor.at;
    guint64 kind = debye_h5_take(&cursor, header->is_version_2 ? 1 : 2);
    gsize n = debye_h5_take(&cursor, 2);
    guint64 flags = debye_h5_take(&cursor, 1);
    cursor.at = begin + head_bytes;
    DebyeH5Cursor message = debye_h5_take_part(&cursor, n);
    char **texts = NULL;
    if (kind == MESSAGE_CONTINUATION)
      add_continuation(header, message);
    else if (kind == MESSAGE_ATTRIBUTE && (flags & MESSAGE_IS_SHARED) == 0)
      texts = read_attribute(header->file, header->name, message);
    if (texts != NULL)
      return texts;
  }
  return NULL;
}

static gboolean
open_version_1(Header *header, guint64 address)
{
  g_autofree guint8 *bytes = read_bytes(header->file, address, 16, 16);
  DebyeH5Cursor cursor = {bytes, bytes != NULL ? 16 : 0, 0, FALSE};
  if (debye_h5_take(&cursor, 1) != 1 || address > G_MAXUINT64 - 16)
    return FALSE;
  cursor.at = 8;
  add_block(header, address + 16, debye_h5_take(&cursor, 4));
  return TRUE;
}

static gboolean
open_version_2(Header *header, guint64 address)
{
  g_autofree guint8 *bytes = read_bytes(header->file, address, 34, 34);
  DebyeH5Cursor cursor = {bytes, bytes != NULL ? 34 : 0, 0, FALSE};
  if (bytes == NULL || memcmp(bytes, "OHDR", 4) != 0)
    return FALSE;
  cursor.at = 4;
  guint64 version = debye_h5_take(&cursor, 1), flags = debye_h5_take(&cursor, 1);
  if (version != 2 || address > G_MAXUINT64 - 34)
    return FALSE;
  debye_h5_skip(&cursor, (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0));
  guint64 n = debye_h5_take(&cursor, (gsize)1 << (flags & 3));
  header->is_version_2 = TRUE;
  header->has_creation_order = (flags & 0x04) != 0;
  add_block(header, address + cursor.at, n);
  return TRUE;
}

static char **
find_variable_strings(hid_t object, const char *name, DebyeInput *input)
{
  File file;
  haddr_t address;
  g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE, sizeof(guint64));
  if (!describe_file(object, input, &file, &address))
    return NULL;
  Header header = {.file = &file, .name = name, .blocks = blocks};
  if (!open_version_2(&header, address) && !open_version_1(&header, address))
    return NULL;
  for (guint i = 0; i + 1 < blocks->len; i += 2) {
    guint64 n = g_array_index(blocks, guint64, i + 1);
    g_autofree guint8 *bytes = read_bytes(&file, g_array_index(blocks, guint64, i), n, BLOCK_BYTES_MAXIMUM);
    char **texts = bytes != NULL ? read_messages(&header, (DebyeH5Cursor){bytes, n, 0, FALSE}) : NULL;
    if (texts != NULL)
      return texts;
  }
  return NULL;
}

char **
debye_h5_find_strings(hid_t object, const char *attribute, DebyeInput *input)
{
  char **texts = debye_h5_read_strings(object, attribute);
  if (texts != NULL || !debye_h5_has_attribute(object, attribute))
    return texts;
  return find_variable_strings(object, attribute, input);
}

char *
debye_h5_find_string(hid_t object, const char *attribute, DebyeInput *input)
{
  g_auto(GStrv) texts = debye_h5_find_strings(object, attribute, input);
  return texts != NULL && texts[0] != NULL ? g_strdup(texts[0]) : NULL;
}
