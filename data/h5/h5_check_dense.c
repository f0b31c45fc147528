/* SPDX-License-Identifier: MIT */
/* Links and attributes that are too many for an object header: messages in a fractal heap (HDF5 File Format
 * Specification 3.0, III.G), found by the records of version 2 B-trees (III.A.2). */
#include "h5_check_tree.h"

#define DEPTH_MAXIMUM 16

typedef struct {
  gboolean holds_attributes;
  DebyeH5CheckContent check_content;
  gsize identifier_bytes, offset_bytes, count_bytes;
  guint64 width, start_bytes,
      direct_maximum;   /* of the doubling table: blocks a row, bytes of the first and the largest */
  guint64 root, n_rows; /* 0 rows: the root is a block of values itself */
  guint64 huge_objects; /* their B-tree */
} Heap;

static gboolean
is_power_of_two(guint64 n)
{
  return n > 0 && (n & (n - 1)) == 0;
}

static gboolean
take_table(DebyeH5Check *check, DebyeH5Cursor *cursor, guint64 largest_object, Heap *heap)
{
  heap->width = debye_h5_take(cursor, 2);
  heap->start_bytes = debye_h5_take(cursor, check->length_bytes);
  heap->direct_maximum = debye_h5_take(cursor, check->length_bytes);
  guint64 offset_bits = debye_h5_take(cursor, 2);
  debye_h5_skip(cursor, 2); /* rows to begin with */
  heap->root = debye_h5_take_address(check, cursor);
  heap->n_rows = debye_h5_take(cursor, 2);
  heap->offset_bytes = (offset_bits + 7) / 8;
  heap->count_bytes =
      MIN(debye_h5_count_bytes(heap->direct_maximum - 1), debye_h5_count_bytes(largest_object));
  return !cursor->is_short && offset_bits <= 64 && is_power_of_two(heap->width) &&
         is_power_of_two(heap->start_bytes) && is_power_of_two(heap->direct_maximum) &&
         heap->start_bytes <= heap->direct_maximum && heap->direct_maximum <= G_MAXUINT32 &&
         heap->n_rows <= 64;
}

static gboolean
open_heap(DebyeH5Check *check, guint64 address, Heap *heap)
{
  gsize n = 22 + 12 * check->length_bytes + 3 * check->address_bytes;
  g_autofree guint8 *head = debye_h5_check_read(check, address, n);
  DebyeH5Cursor cursor = {head, n, 5, FALSE};
  if (head == NULL || memcmp(head, "FRHP", 4) != 0)
    return FALSE;
  heap->identifier_bytes = debye_h5_take(&cursor, 2);
  guint64 filter_bytes = debye_h5_take(&cursor, 2);
  debye_h5_skip(&cursor, 1); /* flags */
  guint64 largest_object = debye_h5_take(&cursor, 4);
  debye_h5_skip(&cursor, check->length_bytes); /* next identifier */
  heap->huge_objects = debye_h5_take_address(check, &cursor);
  debye_h5_skip(&cursor, 9 * check->length_bytes + check->address_bytes); /* free space and statistics */
  /* The library writes no others, and takes where an object is from those that have room for it. */
  return filter_bytes == 0 && heap->identifier_bytes == (heap->holds_attributes ? 8 : 7) &&
         take_table(check, &cursor, largest_object, heap);
}

/* --- Where an object is --- */

static guint64
get_row_bytes(const Heap *heap, guint64 row)
{
  return row < 2 ? heap->start_bytes : heap->start_bytes << MIN(row - 1, 63);
}

/* The row whose blocks hold a place; all rows before it hold as much as it does. */
static guint64
find_row(const Heap *heap, guint64 place)
{
  guint64 row = 0;
  for (guint64 end = heap->width * heap->start_bytes; place >= end && row < 63; end *= 2)
    row++;
  return row;
}

static guint64
count_direct_rows(const Heap *heap)
{
  guint64 row = 1;
  while (get_row_bytes(heap, row) < heap->direct_maximum)
    row++;
  return row + 1;
}

/* Where entry `n` of an indirect block leads to. */
static guint64
take_entry(DebyeH5Check *check, const Heap *heap, guint64 block, guint64 n)
{
  guint64 place = block + 5 + check->address_bytes + heap->offset_bytes + n * check->address_bytes;
  g_autofree guint8 *bytes = debye_h5_check_read(check, place, check->address_bytes);
  DebyeH5Cursor cursor = {bytes, check->address_bytes, 0, FALSE};
  return bytes != NULL ? debye_h5_take_address(check, &cursor) : G_MAXUINT64;
}

/* The address of `n` bytes at a place of the heap; G_MAXUINT64: they aren't in one block. */
static guint64
find_object(DebyeH5Check *check, const Heap *heap, guint64 place, guint64 n)
{
  guint64 block = heap->root, n_rows = heap->n_rows, size = heap->start_bytes;
  for (guint depth = 0; n_rows > 0 && block != G_MAXUINT64; depth++) {
    guint64 row = find_row(heap, place);
    size = get_row_bytes(heap, row);
    if (row >= n_rows || depth > DEPTH_MAXIMUM)
      return G_MAXUINT64;
    guint64 offset = place - (row > 0 ? heap->width * size : 0);
    block = take_entry(check, heap, block, row * heap->width + offset / size);
    place = offset % size;
    n_rows = row < count_direct_rows(heap) ? 0 : find_row(heap, size - 1) + 1;
  }
  return block != G_MAXUINT64 && place <= size && n <= size - place ? block + place : G_MAXUINT64;
}

/* --- What it holds --- */

static gboolean
check_object(DebyeH5Check *check, const Heap *heap, guint64 address, guint64 n)
{
  g_autofree guint8 *bytes = address != G_MAXUINT64 ? debye_h5_check_read(check, address, n) : NULL;
  return bytes != NULL && heap->check_content(check, (DebyeH5Cursor){bytes, n, 0, FALSE});
}

static gboolean
check_identifier(DebyeH5Check *check, const Heap *heap, DebyeH5Cursor identifier)
{
  guint64 head = debye_h5_take(&identifier, 1);
  switch ((head >> 4) & 3) {
  case 0: { /* in a block */
    guint64 place = debye_h5_take(&identifier, heap->offset_bytes);
    guint64 n = debye_h5_take(&identifier, heap->count_bytes);
    return !identifier.is_short && check_object(check, heap, find_object(check, heap, place, n), n);
  }
  case 1: { /* by itself: through a B-tree, whose records are checked, or where the identifier has room for
               its place */
    guint64 address = debye_h5_take_address(check, &identifier);
    guint64 n = debye_h5_take(&identifier, check->length_bytes);
    gboolean is_direct = check->address_bytes + check->length_bytes < heap->identifier_bytes;
    return is_direct ? !identifier.is_short && check_object(check, heap, address, n)
                     : heap->huge_objects != G_MAXUINT64;
  }
  case 2: { /* in the identifier */
    DebyeH5Cursor content = debye_h5_take_part(&identifier, (head & 0x0f) + 1);
    return !content.is_short && heap->check_content(check, content);
  }
  default: /* the library knows none */
    return FALSE;
  }
}

static gboolean
check_huge_object(DebyeH5Check *check, DebyeH5RecordType type, DebyeH5Cursor record, gpointer heap)
{
  guint64 address = debye_h5_take_address(check, &record), n = debye_h5_take(&record, check->length_bytes);
  debye_h5_skip(&record, check->length_bytes); /* identifier */
  return type == DEBYE_H5_HUGE_OBJECTS && !record.is_short && check_object(check, heap, address, n);
}

/* How the records of an index are made, before and behind the identifier in the heap. */
static gboolean
check_record(DebyeH5Check *check, DebyeH5RecordType type, DebyeH5Cursor record, gpointer data)
{
  const Heap *heap = data;
  const gsize hash_bytes = 4, order_bytes = 8, attribute_rest = 5, hash_rest = 4;
  gboolean is_named = type == DEBYE_H5_ATTRIBUTE_NAMES,
           is_attribute = is_named || type == DEBYE_H5_ATTRIBUTE_ORDER;
  if (is_attribute != heap->holds_attributes ||
      (!is_attribute && type != DEBYE_H5_LINK_NAMES && type != DEBYE_H5_LINK_ORDER))
    return FALSE;
  if (!is_attribute)
    debye_h5_skip(&record, type == DEBYE_H5_LINK_NAMES ? hash_bytes : order_bytes);
  DebyeH5Cursor identifier = debye_h5_take_part(&record, is_attribute ? 8 : 7);
  gboolean is_shared = is_attribute && (debye_h5_take(&record, 1) & 2) != 0;
  if (is_attribute)
    debye_h5_skip(&record, attribute_rest - 1 + (is_named ? hash_rest : 0));
  return !record.is_short && !is_shared && check_identifier(check, heap, identifier);
}

gboolean
debye_h5_check_dense(DebyeH5Check *check, guint64 heap_address, guint64 index, gboolean is_attributes,
                     DebyeH5CheckContent check_content)
{
  Heap heap = {.holds_attributes = is_attributes, .check_content = check_content};
  if (heap_address == G_MAXUINT64 || index == G_MAXUINT64)
    return TRUE;
  return open_heap(check, heap_address, &heap) &&
         (heap.huge_objects == G_MAXUINT64 ||
          debye_h5_check_tree(check, heap.huge_objects, check_huge_object, &heap)) &&
         debye_h5_check_tree(check, index, check_record, &heap);
}
