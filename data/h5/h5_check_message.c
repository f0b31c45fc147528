/* SPDX-License-Identifier: MIT */
/* The messages of an object header (HDF5 File Format Specification 3.0, IV.A.2), taken apart as the library
 * does it: each must hold what its own numbers say. */
#include "h5_check_private.h"

/* --- Dataspaces and datatypes, by themselves and in attributes --- */

gboolean
debye_h5_take_space(const DebyeH5Check *check, DebyeH5Cursor *space, guint64 *n, DebyeH5Extent *extent)
{
  guint64 version = debye_h5_take(space, 1), rank = debye_h5_take(space, 1), flags = debye_h5_take(space, 1);
  const guint64 is_empty = 2;
  guint64 kind = debye_h5_take(space, version == 1 ? 5 : 1);
  DebyeH5Extent found = {TRUE, MIN(rank, DEBYE_H5_RANK_MAXIMUM), {0}};
  *n = version > 1 && kind == is_empty ? 0 : 1;
  for (guint64 i = 0; i < found.rank; i++) {
    found.most[i] = debye_h5_take(space, check->length_bytes);
    if (!g_uint64_checked_mul(n, *n, found.most[i]))
      *n = G_MAXUINT64;
  }
  for (guint64 i = 0; (flags & 1) && i < found.rank; i++)
    found.most[i] = debye_h5_take(space, check->length_bytes);
  if (extent != NULL)
    *extent = found;
  return !space->is_short;
}

/* Where the message itself is, in another header. None: shared through the file's heap. */
static guint64
take_shared(const DebyeH5Check *check, DebyeH5Cursor *message)
{
  guint64 version = debye_h5_take(message, 1), kind = debye_h5_take(message, 1);
  if (version == 1)
    debye_h5_skip(message, 6 + check->length_bytes);
  return version == 3 && kind == 1 ? G_MAXUINT64 : debye_h5_take_address(check, message);
}

static gboolean
take_type_size(DebyeH5Check *check, DebyeH5Cursor *type, gboolean is_shared, guint64 *size)
{
  if (!is_shared)
    return debye_h5_check_type(type, size);
  *size = debye_h5_check_find_committed_size(check, take_shared(check, type));
  return *size > 0;
}

/* --- Values to fill with --- */

static gboolean
take_fill_value(DebyeH5Check *check, DebyeH5Cursor *message)
{
  gint32 n = (gint32)debye_h5_take(message, 4);
  if (n > 0 && check->fill_bytes > 0 && check->fill_bytes != (guint64)n)
    return FALSE;
  check->fill_bytes = n > 0 ? (guint64)n : check->fill_bytes;
  return debye_h5_skip(message, n > 0 ? (guint64)n : 0);
}

static gboolean
check_fill(DebyeH5Check *check, DebyeH5Cursor *message)
{
  guint64 version = debye_h5_take(message, 1);
  if (version >= 3)
    return (debye_h5_take(message, 1) & 0x20) == 0 || take_fill_value(check, message);
  debye_h5_skip(message, 2);
  return debye_h5_take(message, 1) == 0 || take_fill_value(check, message);
}

/* --- Layouts and filters --- */

static gboolean
check_old_layout(DebyeH5Check *check, DebyeH5Cursor *message)
{
  guint64 rank = debye_h5_take(message, 1), kind = debye_h5_take(message, 1);
  debye_h5_skip(message, 5);
  if (kind != 0)
    debye_h5_take_address(check, message);
  if (kind == 2)
    return debye_h5_check_old_chunks(check, message, rank);
  debye_h5_skip(message, 4 * rank);
  return kind != 0 || debye_h5_skip(message, debye_h5_take(message, 4));
}

static gboolean
check_layout(DebyeH5Check *check, DebyeH5Cursor *message)
{
  guint64 version = debye_h5_take(message, 1);
  if (check->has_layout)
    return FALSE;
  check->has_layout = TRUE;
  if (version < 3)
    return check_old_layout(check, message);
  switch (debye_h5_take(message, 1)) {
  case 0: /* compact */
    return debye_h5_skip(message, debye_h5_take(message, 2));
  case 1: /* contiguous */
    return debye_h5_skip(message, check->address_bytes + check->length_bytes);
  case 2:
    return debye_h5_check_chunks(check, message, version);
  default: /* virtual */
    return debye_h5_skip(message, check->address_bytes + 4);
  }
}

static gboolean
check_filters(DebyeH5Check *check, DebyeH5Cursor *message)
{
  const guint64 first_with_name = 256;
  guint64 version = debye_h5_take(message, 1), n = debye_h5_take(message, 1);
  debye_h5_skip(message, version == 1 ? 6 : 0);
  if (n == 0 || check->n_filters > 0)
    return FALSE;
  check->n_filters = n;
  for (guint64 i = 0; i < n; i++) {
    guint64 filter = debye_h5_take(message, 2);
    guint64 name_bytes = version == 1 || filter >= first_with_name ? debye_h5_take(message, 2) : 0;
    debye_h5_skip(message, 2); /* flags */
    guint64 n_values = debye_h5_take(message, 2);
    DebyeH5Cursor name = debye_h5_take_part(message, name_bytes);
    if (name_bytes > 0 && debye_h5_take_text(&name, 1) == NULL)
      return FALSE;
    debye_h5_skip(message, 4 * (n_values + (version == 1 ? n_values % 2 : 0)));
  }
  return TRUE;
}

/* --- Links and attributes --- */

/* What the library can't take for a link it mustn't meet at all: it lets go of links that it never made. */
static gboolean
check_link(DebyeH5Check *check, DebyeH5Cursor link)
{
  const guint64 known_flags = 0x1f, soft = 1, first_own = 64, character_sets = 2;
  guint64 version = debye_h5_take(&link, 1), flags = debye_h5_take(&link, 1);
  guint64 kind = flags & 0x08 ? debye_h5_take(&link, 1) : 0;
  debye_h5_skip(&link, flags & 0x04 ? 8 : 0); /* order of creation */
  guint64 character_set = flags & 0x10 ? debye_h5_take(&link, 1) : 0;
  guint64 name_bytes = debye_h5_take(&link, (gsize)1 << (flags & 3));
  debye_h5_skip(&link, name_bytes);
  guint64 target_bytes = kind > 0 ? debye_h5_take(&link, 2) : 0;
  debye_h5_skip(&link, target_bytes);
  if (kind == 0)
    debye_h5_check_add_object(check, debye_h5_take_address(check, &link));
  return !link.is_short && version == 1 && flags <= known_flags && (kind <= soft || kind >= first_own) &&
         character_set < character_sets && name_bytes > 0 && (kind == 0 || target_bytes > 0);
}

DebyeH5AttributeParts
debye_h5_take_attribute(DebyeH5Cursor *message)
{
  guint64 version = debye_h5_take(message, 1), flags = debye_h5_take(message, 1);
  guint64 name_bytes = debye_h5_take(message, 2), type_bytes = debye_h5_take(message, 2);
  guint64 space_bytes = debye_h5_take(message, 2);
  const guint64 multiple = version == 1 ? 8 : 1; /* that parts are padded to */
  debye_h5_skip(message, version >= 3 ? 1 : 0);
  DebyeH5AttributeParts parts = {.is_type_shared = version > 1 && (flags & 1),
                                 .is_space_shared = version > 1 && (flags & 2)};
  parts.name = debye_h5_take_padded_part(message, name_bytes, multiple);
  parts.type = debye_h5_take_padded_part(message, type_bytes, multiple);
  parts.space = debye_h5_take_padded_part(message, space_bytes, multiple);
  return parts;
}

static gboolean
check_attribute(DebyeH5Check *check, DebyeH5Cursor attribute)
{
  guint64 size, n, bytes;
  DebyeH5AttributeParts parts = debye_h5_take_attribute(&attribute);
  return debye_h5_take_text(&parts.name, 1) != NULL && !parts.is_space_shared &&
         debye_h5_take_space(check, &parts.space, &n, NULL) &&
         take_type_size(check, &parts.type, parts.is_type_shared, &size) &&
         g_uint64_checked_mul(&bytes, n, size) && debye_h5_skip(&attribute, bytes);
}

/* Those that aren't in the header. */
static gboolean
check_others(DebyeH5Check *check, DebyeH5Cursor *message, gboolean is_attributes)
{
  const DebyeH5CheckContent check_content = is_attributes ? check_attribute : check_link;
  debye_h5_skip(message, 1); /* version */
  guint64 flags = debye_h5_take(message, 1);
  if (flags & 1)
    debye_h5_skip(message, is_attributes ? 2 : 8); /* the next one's place in the order of creation */
  guint64 heap = debye_h5_take_address(check, message), names = debye_h5_take_address(check, message);
  guint64 order = flags & 2 ? debye_h5_take_address(check, message) : G_MAXUINT64;
  return !message->is_short && debye_h5_check_dense(check, heap, names, is_attributes, check_content) &&
         debye_h5_check_dense(check, heap, order, is_attributes, check_content);
}

/* --- The rest --- */

/* The superblock's extension says how large nodes are. */
static void
take_tree_k(DebyeH5Check *check, DebyeH5Cursor *message)
{
  debye_h5_skip(message, 1); /* version */
  guint chunk = (guint)debye_h5_take(message, 2), group = (guint)debye_h5_take(message, 2);
  guint leaf = (guint)debye_h5_take(message, 2);
  if (!message->is_short && check->header == check->extension)
    check->k = (DebyeH5TreeK){leaf, group, chunk};
}

static void
skip_free_space(const DebyeH5Check *check, DebyeH5Cursor *message)
{
  const guint n_old_managers = 6, n_managers = 12;
  guint64 version = debye_h5_take(message, 1), strategy = debye_h5_take(message, 1);
  if (version == 0) {
    debye_h5_skip(message, check->length_bytes + (strategy == 1 ? n_old_managers * check->address_bytes : 0));
    return;
  }
  guint64 persists = debye_h5_take(message, 1);
  debye_h5_skip(message, 2 * check->length_bytes + 2 + check->address_bytes);
  debye_h5_skip(message, persists ? n_managers * check->address_bytes : 0);
}

static gboolean
check_special(DebyeH5Check *check, guint type, DebyeH5Cursor *message)
{
  guint64 flags;
  switch (type) {
  case DEBYE_H5_COMMENT:
    return debye_h5_take_text(message, 1) != NULL;
  case DEBYE_H5_OLD_TIME:
    return debye_h5_skip(message, 16);
  case DEBYE_H5_TIME:
    return debye_h5_skip(message, 8);
  case DEBYE_H5_TREE_K:
    take_tree_k(check, message);
    return !message->is_short;
  case DEBYE_H5_DRIVER:
    debye_h5_skip(message, 9);
    return debye_h5_skip(message, debye_h5_take(message, 2));
  case DEBYE_H5_REFERENCES:
    return debye_h5_skip(message, 5);
  case DEBYE_H5_FREE_SPACE:
    skip_free_space(check, message);
    return !message->is_short;
  case DEBYE_H5_GROUP_INFO:
    debye_h5_skip(message, 1); /* version */
    flags = debye_h5_take(message, 1);
    return debye_h5_skip(message, (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0));
  default: /* what isn't known the library passes over */
    return type != DEBYE_H5_SHARED_TABLE && type != DEBYE_H5_CACHE_IMAGE;
  }
}

/* Of those that the library takes for shared; values to fill with and filters, which must be known, only a
 * heap of the file would share. Of two datatypes the library takes the first. */
static gboolean
check_shared(DebyeH5Check *check, guint type, DebyeH5Cursor *message)
{
  guint64 address = take_shared(check, message);
  if (message->is_short || address == G_MAXUINT64)
    return FALSE;
  if (type == DEBYE_H5_DATASPACE)
    check->extent = (DebyeH5Extent){.is_known = TRUE};
  if (type != DEBYE_H5_DATATYPE)
    return type == DEBYE_H5_DATASPACE || type == DEBYE_H5_ATTRIBUTE;
  if (check->value_bytes > 0)
    return FALSE;
  check->value_bytes = debye_h5_check_find_committed_size(check, address);
  return check->value_bytes > 0;
}

gboolean
debye_h5_check_message(DebyeH5Check *check, guint type, gboolean is_shared, DebyeH5Cursor message,
                       G_GNUC_UNUSED gpointer data)
{
  guint64 number;
  if (is_shared)
    return check_shared(check, type, &message);
  switch (type) {
  case DEBYE_H5_DATASPACE:
    return !check->extent.is_known && debye_h5_take_space(check, &message, &number, &check->extent);
  case DEBYE_H5_DATATYPE:
    return check->value_bytes == 0 && debye_h5_check_type(&message, &check->value_bytes);
  case DEBYE_H5_OLD_FILL:
    return take_fill_value(check, &message);
  case DEBYE_H5_FILL:
    return check_fill(check, &message) && !message.is_short;
  case DEBYE_H5_LAYOUT:
    return check_layout(check, &message) && !message.is_short;
  case DEBYE_H5_FILTERS:
    return check_filters(check, &message) && !message.is_short;
  case DEBYE_H5_LINK:
    return check_link(check, message);
  case DEBYE_H5_ATTRIBUTE:
    return check_attribute(check, message);
  case DEBYE_H5_LINK_INFO:
    return check_others(check, &message, FALSE);
  case DEBYE_H5_ATTRIBUTE_INFO:
    return check_others(check, &message, TRUE);
  case DEBYE_H5_SYMBOL_TABLE:
    return debye_h5_check_symbol_table(check, message);
  case DEBYE_H5_EXTERNAL_FILES:
    return debye_h5_check_external_files(check, message);
  default:
    return check_special(check, type, &message);
  }
}
