/* SPDX-License-Identifier: MIT */
/* Visits every record of a version 2 B-tree; called by h5_check_chunks.c and h5_check_dense.c. */
#include "h5_check_tree.h"

#define DEPTH_MAXIMUM 16
#define NODE_HEAD_BYTES 6
#define CHECKSUM_BYTES 4
/* The library makes room for one before it reads it; it writes nodes of 512 and 2,048 bytes. */
#define NODE_BYTES_MAXIMUM (1 << 20)

/* How the nodes of one level are laid out; level 0 is the leaves. */
typedef struct {
  guint64 records_maximum, all_maximum; /* in a node, and with all below it */
  gsize all_bytes;                      /* that a number up to all_maximum takes */
} Level;

typedef struct {
  DebyeH5Check *check;
  DebyeH5RecordType type;
  gsize node_bytes, record_bytes, count_bytes;
  Level levels[DEPTH_MAXIMUM + 1];
  DebyeH5RecordFunction take;
  gpointer data;
} Tree;

/* What leads to a child: its address, its records and, above the level over the leaves, those of all below
 * it. */
static gsize
count_pointer_bytes(const Tree *tree, guint64 level)
{
  return tree->check->address_bytes + tree->count_bytes + (level > 1 ? tree->levels[level - 1].all_bytes : 0);
}

static gboolean
measure_levels(Tree *tree, guint64 depth)
{
  const gsize fixed = NODE_HEAD_BYTES + CHECKSUM_BYTES;
  if (depth > DEPTH_MAXIMUM || tree->record_bytes == 0 || tree->node_bytes < fixed + tree->record_bytes ||
      tree->node_bytes > NODE_BYTES_MAXIMUM)
    return FALSE;
  guint64 n = (tree->node_bytes - fixed) / tree->record_bytes;
  tree->levels[0] = (Level){n, n, 0};
  tree->count_bytes = debye_h5_count_bytes(n);
  for (guint64 k = 1; k <= depth; k++) {
    gsize pointer = count_pointer_bytes(tree, k);
    guint64 all;
    if (tree->node_bytes < fixed + pointer)
      return FALSE;
    n = (tree->node_bytes - fixed - pointer) / (tree->record_bytes + pointer);
    if (!g_uint64_checked_mul(&all, n + 1, tree->levels[k - 1].all_maximum))
      return FALSE;
    tree->levels[k] = (Level){n, all + n, debye_h5_count_bytes(all + n)};
  }
  return TRUE;
}

static gboolean
check_node(const Tree *tree, guint64 address, guint64 level, guint64 n_records)
{
  g_autofree guint8 *node = debye_h5_check_read(tree->check, address, tree->node_bytes);
  if (node == NULL || memcmp(node, level > 0 ? "BTIN" : "BTLF", 4) != 0 || node[5] != tree->type ||
      n_records > tree->levels[level].records_maximum)
    return FALSE;
  DebyeH5Cursor cursor = {node, tree->node_bytes - CHECKSUM_BYTES, NODE_HEAD_BYTES, FALSE};
  for (guint64 i = 0; i < n_records; i++)
    if (!tree->take(tree->check, tree->type, debye_h5_take_part(&cursor, tree->record_bytes), tree->data))
      return FALSE;
  for (guint64 i = 0; level > 0 && i <= n_records; i++) {
    DebyeH5Cursor pointer = debye_h5_take_part(&cursor, count_pointer_bytes(tree, level));
    guint64 child = debye_h5_take_address(tree->check, &pointer);
    if (cursor.is_short || !check_node(tree, child, level - 1, debye_h5_take(&pointer, tree->count_bytes)))
      return FALSE;
  }
  return TRUE;
}

gboolean
debye_h5_check_tree(DebyeH5Check *check, guint64 address, DebyeH5RecordFunction take, gpointer data)
{
  gsize n = 16 + check->address_bytes + 2;
  g_autofree guint8 *head = debye_h5_check_read(check, address, n);
  DebyeH5Cursor cursor = {head, n, 5, FALSE};
  if (head == NULL || memcmp(head, "BTHD", 4) != 0)
    return FALSE;
  Tree tree = {.check = check, .take = take, .data = data};
  tree.type = (DebyeH5RecordType)debye_h5_take(&cursor, 1);
  tree.node_bytes = debye_h5_take(&cursor, 4);
  tree.record_bytes = debye_h5_take(&cursor, 2);
  guint64 depth = debye_h5_take(&cursor, 2);
  debye_h5_skip(&cursor, 2); /* when to split and to merge */
  guint64 root = debye_h5_take_address(check, &cursor), n_records = debye_h5_take(&cursor, 2);
  return measure_levels(&tree, depth) && (root == G_MAXUINT64 || check_node(&tree, root, depth, n_records));
}
