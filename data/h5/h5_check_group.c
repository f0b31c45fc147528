/* SPDX-License-Identifier: MIT */
/* Groups of the old kind: a B-tree of version 1 leads to nodes of symbols, whose names are in a local heap
 * (HDF5 File Format Specification 3.0, III.A.1, III.B to D). The library takes any number there for a place
 * in the heap, and reads from there on to the next NUL. */
#include "h5_check_private.h"

#define DEPTH_MAXIMUM 16

typedef struct {
  guint8 *bytes; /* owned */
  gsize n;
  gsize texts_end; /* behind the last NUL: what begins before has an end */
} Heap;

static void
clear_heap(Heap *heap)
{
  g_free(heap->bytes);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Heap, clear_heap)

/* The free places are a list: each holds where the next is and its own length; 1 is the end. */
static gboolean
check_free_places(const DebyeH5Check *check, const Heap *heap, guint64 place)
{
  const guint64 none = 1;
  guint64 undefined = check->length_bytes < 8 ? ((guint64)1 << (8 * check->length_bytes)) - 1 : G_MAXUINT64;
  for (gsize n = 0; place != none && place != undefined; n++) {
    DebyeH5Cursor cursor = {heap->bytes, heap->n, 0, FALSE};
    if (!debye_h5_skip(&cursor, place) || n > heap->n / (2 * check->length_bytes))
      return FALSE;
    place = debye_h5_take(&cursor, check->length_bytes);
    debye_h5_take(&cursor, check->length_bytes);
    if (cursor.is_short)
      return FALSE;
  }
  return TRUE;
}

static gboolean
open_heap(DebyeH5Check *check, guint64 address, Heap *heap)
{
  gsize n = 8 + 2 * check->length_bytes + check->address_bytes;
  g_autofree guint8 *head = debye_h5_check_read(check, address, n);
  DebyeH5Cursor cursor = {head, n, 8, FALSE};
  if (head == NULL || memcmp(head, "HEAP", 4) != 0)
    return FALSE;
  heap->n = debye_h5_take(&cursor, check->length_bytes);
  guint64 first_free = debye_h5_take(&cursor, check->length_bytes);
  if (heap->n == 0)
    return TRUE;
  heap->bytes = debye_h5_check_read(check, debye_h5_take_address(check, &cursor), heap->n);
  for (heap->texts_end = heap->bytes != NULL ? heap->n : 0;
       heap->texts_end > 0 && heap->bytes[heap->texts_end - 1] != 0;)
    heap->texts_end--;
  return heap->bytes != NULL && check_free_places(check, heap, first_free);
}

static gboolean
is_text(const Heap *heap, guint64 place)
{
  return place < heap->texts_end;
}

static gboolean
check_symbols(DebyeH5Check *check, const Heap *heap, guint64 address)
{
  const guint64 soft_link = 2;
  gsize entry_bytes = check->length_bytes + check->address_bytes + 24;
  gsize n = 8 + 2 * check->k.leaf * entry_bytes;
  g_autofree guint8 *node = debye_h5_check_read(check, address, n);
  if (node == NULL || memcmp(node, "SNOD", 4) != 0)
    return FALSE;
  DebyeH5Cursor cursor = {node, n, 6, FALSE};
  for (guint64 left = debye_h5_take(&cursor, 2); left > 0 && !cursor.is_short; left--) {
    DebyeH5Cursor entry = debye_h5_take_part(&cursor, entry_bytes);
    guint64 name = debye_h5_take(&entry, check->length_bytes);
    guint64 target = debye_h5_take_address(check, &entry);
    guint64 kind = debye_h5_take(&entry, 4);
    debye_h5_skip(&entry, 4);
    if (!is_text(heap, name) || (kind == soft_link && !is_text(heap, debye_h5_take(&entry, 4))))
      return FALSE;
    if (kind != soft_link)
      debye_h5_check_add_object(check, target);
  }
  return !cursor.is_short;
}

/* `level`: of the node; 0: its children are symbols. */
static gboolean
check_node(DebyeH5Check *check, const Heap *heap, guint64 address, guint64 level)
{
  gsize head = 8 + 2 * check->address_bytes;
  gsize n = head + 2 * check->k.group * (check->length_bytes + check->address_bytes) + check->length_bytes;
  g_autofree guint8 *node = debye_h5_check_read(check, address, n);
  if (node == NULL || memcmp(node, "TREE", 4) != 0 || node[4] != 0 || node[5] != level)
    return FALSE;
  DebyeH5Cursor cursor = {node, n, 6, FALSE};
  guint64 n_children = debye_h5_take(&cursor, 2);
  debye_h5_skip(&cursor, 2 * check->address_bytes);
  gboolean good = is_text(heap, debye_h5_take(&cursor, check->length_bytes)) || n_children == 0;
  for (guint64 i = 0; good && i < n_children; i++) {
    guint64 child = debye_h5_take_address(check, &cursor);
    good = is_text(heap, debye_h5_take(&cursor, check->length_bytes)) && !cursor.is_short &&
           (level > 0 ? check_node(check, heap, child, level - 1) : check_symbols(check, heap, child));
  }
  return good;
}

gboolean
debye_h5_check_symbol_table(DebyeH5Check *check, DebyeH5Cursor table)
{
  g_auto(Heap) heap = {0};
  guint64 tree = debye_h5_take_address(check, &table), names = debye_h5_take_address(check, &table);
  g_autofree guint8 *head = debye_h5_check_read(check, tree, 8);
  return !table.is_short && head != NULL && head[5] < DEPTH_MAXIMUM && open_heap(check, names, &heap) &&
         check_node(check, &heap, tree, head[5]);
}

/* The names of files that hold a data set's values: none of them is ever opened, but the library reads the
 * names. */
gboolean
debye_h5_check_external_files(DebyeH5Check *check, DebyeH5Cursor files)
{
  g_auto(Heap) heap = {0};
  debye_h5_skip(&files, 4 + 2);
  guint64 n = debye_h5_take(&files, 2);
  gboolean good = open_heap(check, debye_h5_take_address(check, &files), &heap);
  for (guint64 i = 0; good && i < n; i++) {
    good = is_text(&heap, debye_h5_take(&files, check->length_bytes));
    debye_h5_skip(&files, 2 * check->length_bytes);
  }
  return good && !files.is_short;
}
