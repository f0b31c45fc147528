/* SPDX-License-Identifier: MIT */
/* Selections by what other atoms are selected: near them, like them, bonded to them. */
#include <string.h>

#include "data/files/error.h"
#include "data/molecule/neighbours.h"
#include "selection_private.h"

static guint32 *
collect(const guint8 *mask, gsize n_atoms, gsize *count)
{
  guint32 *atoms = g_new(guint32, MAX(n_atoms, 1));
  *count = 0;
  for (gsize i = 0; i < n_atoms; i++)
    if (mask[i])
      atoms[(*count)++] = (guint32)i;
  return atoms;
}

static gboolean
evaluate_within(const DebyeSelectionContext *context, const DebyeSelectionNode *node, const guint8 *child,
                guint8 *mask, GError **error)
{
  if (!debye_selection_check_frame(context, error))
    return FALSE;
  gsize count;
  g_autofree guint32 *atoms = collect(child, context->n_atoms, &count);
  g_autoptr(DebyeNeighbours) near = debye_neighbours_new(context->frame, atoms, count, node->number[0]);
  for (gsize i = 0; i < context->n_atoms; i++) {
    DebyeVec3 position = debye_frame_get_position(context->frame, i);
    if (child[i])
      mask[i] = !node->what && debye_vec3_is_finite(position);
    else
      mask[i] = (guint8)debye_neighbours_any(near, position);
  }
  return TRUE;
}

static gboolean
evaluate_sphere(const DebyeSelectionContext *context, const DebyeSelectionNode *node, guint8 *mask,
                GError **error)
{
  if (!debye_selection_check_frame(context, error))
    return FALSE;
  DebyePeriodic periodic;
  debye_periodic_init_for_frame(&periodic, context->frame);
  DebyeVec3 center = debye_vec3(node->number[0], node->number[1], node->number[2]);
  for (gsize i = 0; i < context->n_atoms; i++)
    mask[i] = debye_periodic_distance(&periodic, debye_frame_get_position(context->frame, i), center) <=
              node->number[3];
  return TRUE;
}

/* --- same … as --- */

static gboolean
check_bonds(const DebyeSelectionContext *context, GError **error)
{
  gsize count;
  debye_topology_get_bonds(context->topology, &count);
  if (count == 0)
    debye_error_set(error, DEBYE_ERROR_MISSING, "selection: expected bonds in the structure, found none");
  return count > 0;
}

/* Residue numbers as small codes in order of appearance. */
static guint32 *
get_residue_numbers(DebyeTopology *topology, gsize n_atoms)
{
  gsize n_residues = debye_topology_get_n_residues(topology);
  const guint32 *residues = debye_topology_get_residues(topology);
  const DebyeResidue *table = debye_topology_get_residue_table(topology);
  g_autoptr(GHashTable) codes = g_hash_table_new(NULL, NULL);
  g_autofree guint32 *code_of = g_new(guint32, MAX(n_residues, 1));
  for (gsize r = 0; r < n_residues; r++) {
    gpointer number = GINT_TO_POINTER(table[r].number), code;
    if (!g_hash_table_lookup_extended(codes, number, NULL, &code)) {
      code = GUINT_TO_POINTER(g_hash_table_size(codes));
      g_hash_table_insert(codes, number, code);
    }
    code_of[r] = GPOINTER_TO_UINT(code);
  }
  guint32 *numbers = g_new(guint32, MAX(n_atoms, 1));
  for (gsize i = 0; i < n_atoms; i++)
    numbers[i] = code_of[residues[i]];
  return numbers;
}

static guint32 *
get_keys(const DebyeSelectionContext *context, const DebyeSelectionNode *node, GError **error)
{
  gsize bytes = context->n_atoms * sizeof(guint32), count;
  if (node->kind == DEBYE_NODE_SAME_TEXT)
    return debye_selection_get_codes(context->topology, (DebyeTextField)node->what);
  if (node->what == DEBYE_NUMBER_RESIDUE_NUMBER)
    return get_residue_numbers(context->topology, context->n_atoms);
  if (node->what == DEBYE_NUMBER_RESIDUE)
    return g_memdup2(debye_topology_get_residues(context->topology), bytes);
  if (!check_bonds(context, error))
    return NULL;
  return g_memdup2(debye_topology_get_molecules(context->topology, &count), bytes);
}

static gboolean
evaluate_same(const DebyeSelectionContext *context, const DebyeSelectionNode *node, const guint8 *child,
              guint8 *mask, GError **error)
{
  if (context->n_atoms == 0)
    return TRUE;
  g_autofree guint32 *keys = get_keys(context, node, error);
  if (!keys)
    return FALSE;
  guint32 largest = 0;
  for (gsize i = 0; i < context->n_atoms; i++)
    largest = MAX(largest, keys[i]);
  g_autofree guint8 *chosen = g_new0(guint8, (gsize)largest + 1);
  for (gsize i = 0; i < context->n_atoms; i++)
    chosen[keys[i]] |= child[i];
  for (gsize i = 0; i < context->n_atoms; i++)
    mask[i] = chosen[keys[i]];
  return TRUE;
}

/* --- bonds --- */

/* Marks what is bonded to any of the atoms and hands back those that were not marked before. */
static gsize
mark_partners(const DebyeSelectionContext *context, const guint32 *atoms, gsize count, guint8 *mask,
              guint32 *found)
{
  const guint32 *offsets, *partners;
  gsize n_found = 0;
  debye_topology_get_bond_graph(context->topology, &offsets, &partners);
  for (gsize k = 0; k < count; k++)
    for (guint32 p = offsets[atoms[k]]; p < offsets[atoms[k] + 1]; p++)
      if (!mask[partners[p]]) {
        mask[partners[p]] = TRUE;
        found[n_found++] = partners[p];
      }
  return n_found;
}

static gboolean
evaluate_bonded(const DebyeSelectionContext *context, const guint8 *child, guint8 *mask, GError **error)
{
  if (!check_bonds(context, error))
    return FALSE;
  gsize count;
  g_autofree guint32 *atoms = collect(child, context->n_atoms, &count);
  g_autofree guint32 *found = g_new(guint32, MAX(context->n_atoms, 1));
  memset(mask, 0, context->n_atoms);
  mark_partners(context, atoms, count, mask, found);
  return TRUE;
}

static gboolean
evaluate_within_bonds(const DebyeSelectionContext *context, const DebyeSelectionNode *node,
                      const guint8 *child, guint8 *mask, GError **error)
{
  if (!check_bonds(context, error))
    return FALSE;
  gsize count;
  g_autofree guint32 *atoms = collect(child, context->n_atoms, &count);
  g_autofree guint32 *found = g_new(guint32, MAX(context->n_atoms, 1));
  memcpy(mask, child, context->n_atoms);
  for (double step = 0.0; step < node->number[0] && count > 0; step++) {
    count = mark_partners(context, atoms, count, mask, found);
    memcpy(atoms, found, count * sizeof(guint32));
  }
  return TRUE;
}

gboolean
debye_selection_evaluate_relation(const DebyeSelectionContext *context, const DebyeSelectionNode *node,
                                  const guint8 *child, guint8 *mask, GError **error)
{
  switch (node->kind) {
  case DEBYE_NODE_WITHIN:
    return evaluate_within(context, node, child, mask, error);
  case DEBYE_NODE_SPHERE:
    return evaluate_sphere(context, node, mask, error);
  case DEBYE_NODE_SAME_TEXT:
  case DEBYE_NODE_SAME_NUMBER:
    return evaluate_same(context, node, child, mask, error);
  case DEBYE_NODE_BONDED:
    return evaluate_bonded(context, child, mask, error);
  case DEBYE_NODE_BONDS:
    return evaluate_within_bonds(context, node, child, mask, error);
  default:
    g_return_val_if_reached(FALSE);
  }
}
