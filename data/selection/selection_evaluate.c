/* SPDX-License-Identifier: MIT */
/* Walking the tree: each node fills a mask of one byte an atom. */
#include <string.h>

#include "data/molecule/chain_residues.h"
#include "data/molecule/solute.h"
#include "data/tables/residue_class.h"
#include "selection_private.h"

/* --- Classes of atoms --- */

static void
evaluate_residues(const DebyeSelectionContext *context, guint wanted, guint8 *mask)
{
  const guint32 *residues = debye_topology_get_residues(context->topology);
  g_autofree guint8 *classes = debye_chain_residues_classify(context->topology);
  for (gsize i = 0; i < context->n_atoms; i++)
    mask[i] = (classes[residues[i]] & wanted) != 0;
}

static gboolean
is_listed(const char *const *names, const char *name)
{
  return g_strv_contains(names, name);
}

/* The classes for which an atom of this name is part of the backbone. */
static guint
backbone_class_of(const char *name)
{
  static const char *const protein[] = {"N", "CA", "C", "O", NULL};
  static const char *const nucleic[] = {"P",   "O1P", "O2P", "OP1", "OP2", "O3'", "O5'", "C3'",
                                        "C4'", "C5'", "O3*", "O5*", "C3*", "C4*", "C5*", NULL};
  return (is_listed(protein, name) ? DEBYE_RESIDUE_PROTEIN : 0u) |
         (is_listed(nucleic, name) ? DEBYE_RESIDUE_NUCLEIC : 0u);
}

static void
evaluate_backbone(const DebyeSelectionContext *context, guint wanted, guint8 *mask)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(context->topology);
  guint count = debye_string_pool_get_count(pool);
  const guint32 *names = debye_topology_get_names(context->topology);
  const guint32 *residues = debye_topology_get_residues(context->topology);
  g_autofree guint8 *residue_classes = debye_chain_residues_classify(context->topology);
  g_autofree guint *atom_classes = g_new(guint, MAX(count, 1));
  for (guint code = 0; code < count; code++)
    atom_classes[code] = backbone_class_of(debye_string_pool_get(pool, code));
  for (gsize i = 0; i < context->n_atoms; i++)
    mask[i] = (atom_classes[names[i]] & residue_classes[residues[i]] & wanted) != 0;
}

static void
evaluate_sidechain(const DebyeSelectionContext *context, guint8 *mask)
{
  g_autofree guint8 *backbone = g_new(guint8, MAX(context->n_atoms, 1));
  evaluate_backbone(context, DEBYE_RESIDUE_PROTEIN, backbone);
  evaluate_residues(context, DEBYE_RESIDUE_PROTEIN, mask);
  for (gsize i = 0; i < context->n_atoms; i++)
    mask[i] &= !backbone[i];
}

static void
evaluate_hydrogen(const DebyeSelectionContext *context, gboolean wanted, guint8 *mask)
{
  const guint8 *elements = debye_topology_get_elements(context->topology);
  for (gsize i = 0; i < context->n_atoms; i++)
    mask[i] = (elements[i] == 1) == wanted;
}

static void
evaluate_solute(const DebyeSelectionContext *context, guint8 *mask)
{
  g_autofree guint8 *solute = debye_solute_find(context->topology);
  memcpy(mask, solute, context->n_atoms);
}

static gboolean evaluate_node(const DebyeSelectionContext *context, const DebyeSelectionNode *node,
                              guint8 *mask, GError **error);

/* --- Logic --- */

static gboolean
evaluate_chain(const DebyeSelectionContext *context, const DebyeSelectionNode *node, guint8 *mask,
               GError **error)
{
  g_autofree guint8 *next = g_new(guint8, MAX(context->n_atoms, 1));
  if (!evaluate_node(context, node->children->pdata[0], mask, error))
    return FALSE;
  for (guint k = 1; k < node->children->len; k++) {
    if (!evaluate_node(context, node->children->pdata[k], next, error))
      return FALSE;
    for (gsize i = 0; i < context->n_atoms; i++)
      mask[i] = node->kind == DEBYE_NODE_AND ? mask[i] & next[i] : mask[i] | next[i];
  }
  return TRUE;
}

static gboolean
evaluate_not(const DebyeSelectionContext *context, const DebyeSelectionNode *node, guint8 *mask,
             GError **error)
{
  if (!evaluate_node(context, node->children->pdata[0], mask, error))
    return FALSE;
  for (gsize i = 0; i < context->n_atoms; i++)
    mask[i] = !mask[i];
  return TRUE;
}

static gboolean
evaluate_with_child(const DebyeSelectionContext *context, const DebyeSelectionNode *node, guint8 *mask,
                    GError **error)
{
  g_autofree guint8 *child = NULL;
  if (node->children) {
    child = g_new(guint8, MAX(context->n_atoms, 1));
    if (!evaluate_node(context, node->children->pdata[0], child, error))
      return FALSE;
  }
  return debye_selection_evaluate_relation(context, node, child, mask, error);
}

static gboolean
evaluate_kind(const DebyeSelectionContext *context, const DebyeSelectionNode *node, guint8 *mask,
              GError **error)
{
  switch (node->kind) {
  case DEBYE_NODE_ALL:
  case DEBYE_NODE_NONE:
    memset(mask, node->kind == DEBYE_NODE_ALL, context->n_atoms);
    return TRUE;
  case DEBYE_NODE_RESIDUES:
    evaluate_residues(context, (guint)node->what, mask);
    return TRUE;
  case DEBYE_NODE_BACKBONE:
    evaluate_backbone(context, (guint)node->what, mask);
    return TRUE;
  case DEBYE_NODE_SIDECHAIN:
    evaluate_sidechain(context, mask);
    return TRUE;
  case DEBYE_NODE_HYDROGEN:
  case DEBYE_NODE_HEAVY:
    evaluate_hydrogen(context, node->kind == DEBYE_NODE_HYDROGEN, mask);
    return TRUE;
  case DEBYE_NODE_SOLUTE:
    evaluate_solute(context, mask);
    return TRUE;
  case DEBYE_NODE_TEXT:
    return debye_selection_evaluate_text(context, node, (DebyeTextField)node->what, mask, error);
  case DEBYE_NODE_BARE:
    return debye_selection_evaluate_bare(context, node, mask, error);
  case DEBYE_NODE_RANGES:
  case DEBYE_NODE_COMPARE:
    return debye_selection_evaluate_comparison(context, node, mask, error);
  case DEBYE_NODE_NOT:
    return evaluate_not(context, node, mask, error);
  case DEBYE_NODE_AND:
  case DEBYE_NODE_OR:
    return evaluate_chain(context, node, mask, error);
  default:
    return evaluate_with_child(context, node, mask, error);
  }
}

/* Atoms at alternate locations that weren't chosen are in no node: nothing is within a distance of them. */
static gboolean
evaluate_node(const DebyeSelectionContext *context, const DebyeSelectionNode *node, guint8 *mask,
              GError **error)
{
  const guint8 *counted = debye_topology_get_counted(context->topology);
  if (!evaluate_kind(context, node, mask, error))
    return FALSE;
  for (gsize i = 0; counted != NULL && i < context->n_atoms; i++)
    mask[i] &= counted[i];
  return TRUE;
}

/* Appending them one by one takes several times as long. */
static GArray *
list_atoms(const guint8 *mask, gsize n_atoms)
{
  guint n_chosen = 0;
  for (gsize i = 0; i < n_atoms; i++)
    n_chosen += mask[i] != 0;
  GArray *atoms = g_array_sized_new(FALSE, FALSE, sizeof(guint32), n_chosen);
  g_array_set_size(atoms, n_chosen);
  guint32 *next = (guint32 *)(gpointer)atoms->data;
  for (guint32 i = 0; i < n_atoms; i++)
    if (mask[i])
      *next++ = i;
  return atoms;
}

GArray *
debye_selection_evaluate(const DebyeSelection *selection, DebyeTopology *topology, const DebyeFrame *frame,
                         GError **error)
{
  DebyeSelectionContext context = {topology, frame, debye_topology_get_n_atoms(topology)};
  g_autofree guint8 *mask = g_new(guint8, MAX(context.n_atoms, 1));
  if (!evaluate_node(&context, selection->root, mask, error))
    return NULL;
  return list_atoms(mask, context.n_atoms);
}
