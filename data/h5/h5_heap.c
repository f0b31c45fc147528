/* SPDX-License-Identifier: MIT */
/* Attributes that are strings of variable length, as h5py writes them: the library (1.10) reads their heap
 * without looking whether what is named is there, and a damaged file would end the program. So the attribute
 * is looked up in the bytes of the file (HDF5 File Format Specification 3.0: attributes IV.A.2.m, global heap
 * III.E), each step held against the size of the file. What isn't as expected counts as not there. */
#include "h5.h"
#include "h5_check_private.h"

#define CLASS_VARIABLE_LENGTH 9
#define HEAP_BYTES_MAXIMUM (16 << 20)
#define STRING_BYTES_MAXIMUM (1 << 20)
#define STRINGS_MAXIMUM 64

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

/* --- The global heap --- */

static char *
find_in_heap(DebyeH5Check *check, guint64 address, guint64 index, guint64 length)
{
  gsize head_bytes = 8 + check->length_bytes;
  g_autofree guint8 *head = debye_h5_check_read(check, address, head_bytes);
  DebyeH5Cursor size = {head, head_bytes, 8, FALSE};
  if (head == NULL || memcmp(head, "GCOL\1", 5) != 0)
    return NULL;
  guint64 n = debye_h5_take(&size, check->length_bytes);
  g_autofree guint8 *heap = n <= HEAP_BYTES_MAXIMUM ? debye_h5_check_read(check, address, n) : NULL;
  DebyeH5Cursor cursor = {heap, heap != NULL ? n : 0, 0, FALSE};
  debye_h5_skip(&cursor, head_bytes);
  while (!cursor.is_short) {
    guint64 found = debye_h5_take(&cursor, 2);
    debye_h5_skip(&cursor, 6);
    guint64 bytes = debye_h5_take(&cursor, check->length_bytes);
    DebyeH5Cursor text = debye_h5_take_padded_part(&cursor, bytes, 8);
    if (found == 0)
      return NULL;
    if (found == index && !text.is_short)
      return g_strndup((const char *)text.bytes, MIN(text.n, length));
  }
  return NULL;
}

static char **
read_elements(DebyeH5Check *check, DebyeH5Cursor *data, guint64 n)
{
  g_auto(GStrv) texts = g_new0(char *, n + 1);
  for (guint64 i = 0; i < n; i++) {
    guint64 length = debye_h5_take(data, 4);
    guint64 address = debye_h5_take_address(check, data);
    guint64 index = debye_h5_take(data, 4);
    texts[i] = length == 0 ? g_strdup("")
               : length > STRING_BYTES_MAXIMUM || data->is_short
                   ? NULL
                   : find_in_heap(check, address, index, length);
    if (texts[i] == NULL)
      return NULL;
  }
  return g_steal_pointer(&texts);
}

/* --- Attributes --- */

typedef struct {
  const char *name;
  char **texts; /* NULL: not found */
} Search;

static gboolean
has_name(const DebyeH5Cursor *found, const char *name)
{
  gsize length = strlen(name);
  return found->n >= length && memcmp(found->bytes, name, length) == 0 &&
         (found->n == length || found->bytes[length] == '\0');
}

/* Another attribute, or none of strings of variable length, is passed over. */
static gboolean
take_attribute(DebyeH5Check *check, guint kind, gboolean is_shared, DebyeH5Cursor message, gpointer data)
{
  Search *search = data;
  guint64 n;
  if (kind != DEBYE_H5_ATTRIBUTE || is_shared)
    return TRUE;
  DebyeH5AttributeParts parts = debye_h5_take_attribute(&message);
  if (parts.is_type_shared || parts.is_space_shared || !has_name(&parts.name, search->name))
    return TRUE;
  guint64 class_and_flags = debye_h5_take(&parts.type, 2);
  gboolean is_string =
      (class_and_flags & 0x0f) == CLASS_VARIABLE_LENGTH && ((class_and_flags >> 8) & 0x0f) == 1;
  if (is_string && debye_h5_take_space(check, &parts.space, &n, NULL) && n > 0 && n <= STRINGS_MAXIMUM)
    search->texts = read_elements(check, &message, n);
  return search->texts == NULL;
}

char **
debye_h5_find_strings(hid_t object, const char *attribute, DebyeInput *input)
{
  guint64 end;
  haddr_t address;
  char **texts = debye_h5_read_strings(object, attribute);
  if (texts != NULL || !debye_h5_has_attribute(object, attribute) ||
      !debye_h5_get_header_address(object, &address))
    return texts;
  Search search = {attribute, NULL};
  g_autoptr(DebyeH5Check) check = debye_h5_check_new(input);
  debye_h5_check_walk(check, address, &end, take_attribute, &search);
  return search.texts;
}

char *
debye_h5_find_string(hid_t object, const char *attribute, DebyeInput *input)
{
  g_auto(GStrv) texts = debye_h5_find_strings(object, attribute, input);
  return texts != NULL && texts[0] != NULL ? g_strdup(texts[0]) : NULL;
}
