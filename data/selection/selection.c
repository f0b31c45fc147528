/* SPDX-License-Identifier: MIT */
/* A parsed selection: its text and its tree, shared by reference and never changed. */
#include "selection_private.h"

DebyeSelectionNode *
debye_selection_node_new(DebyeNodeKind kind, int what)
{
  DebyeSelectionNode *node = g_new0(DebyeSelectionNode, 1);
  node->kind = kind;
  node->what = what;
  node->depth = 1;
  return node;
}

void
debye_selection_node_free(DebyeSelectionNode *node)
{
  if (!node)
    return;
  g_clear_pointer(&node->children, g_ptr_array_unref);
  g_clear_pointer(&node->patterns, g_array_unref);
  g_clear_pointer(&node->regex, g_regex_unref);
  g_clear_pointer(&node->ranges, g_array_unref);
  g_free(node);
}

void
debye_selection_node_add_child(DebyeSelectionNode *node, DebyeSelectionNode *child)
{
  if (!node->children)
    node->children = g_ptr_array_new_with_free_func((GDestroyNotify)debye_selection_node_free);
  g_ptr_array_add(node->children, child);
  node->depth = MAX(node->depth, child->depth + 1);
}

DebyeSelection *
debye_selection_ref(DebyeSelection *selection)
{
  g_atomic_ref_count_inc(&selection->references);
  return selection;
}

void
debye_selection_unref(DebyeSelection *selection)
{
  if (!selection || !g_atomic_ref_count_dec(&selection->references))
    return;
  debye_selection_node_free(selection->root);
  g_free(selection->text);
  g_free(selection);
}

const char *
debye_selection_get_text(const DebyeSelection *selection)
{
  return selection->text;
}

gboolean
debye_selection_is_dynamic(const DebyeSelection *selection)
{
  return selection->is_dynamic;
}
