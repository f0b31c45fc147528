/* SPDX-License-Identifier: MIT */
/* Walking the tree: each node fills a mask of one byte an atom. What depends on a name is decided once for
 * each name of the string pool, not for each atom. */
#include <string.h>

#include "data/tables/elements.h"
#include "data/files/error.h"
#include "data/molecule/solute.h"
#include "data/tables/residue_class.h"
#include "selection_private.h"

gboolean
debye_selection_check_frame(const DebyeSelectionContext *context, GError **error)
{
  if (!context->frame) {
    debye_error_set(error, DEBYE_ERROR_MISSING,
                    "selection: expected coordinates, since positions are asked for, found none");
    return FALSE;
  }
  if (context->frame->n_atoms != context->n_atoms) {
    debye_error_set(error, DEBYE_ERROR_MISMATCH,
                    "selection: expected a frame of %" G_GSIZE_FORMAT " atoms, found %" G_GSIZE_FORMAT,
                    context->n_atoms, context->frame->n_atoms);
    return FALSE;
  }
  return TRUE;
}

static guint32
get_residue_code(const DebyeResidue *residue, DebyeTextField field)
{
  if (field == DEBYE_TEXT_CHAIN)
    return residue->chain;
  return field == DEBYE_TEXT_SEGMENT ? residue->segment : residue->name;
}

guint32 *
debye_selection_get_codes(DebyeTopology *topology, DebyeTextField field)
{
  gsize n_atoms = debye_topology_get_n_atoms(topology);
  if (field == DEBYE_TEXT_NAME)
    return g_memdup2(debye_topology_get_names(topology), n_atoms * sizeof(guint32));
  if (field == DEBYE_TEXT_TYPE)
    return g_memdup2(debye_topology_get_types(topology), n_atoms * sizeof(guint32));
  if (field == DEBYE_TEXT_ALTLOC && debye_topology_get_altlocs(topology) != NULL)
    return g_memdup2(debye_topology_get_altlocs(topology), n_atoms * sizeof(guint32));
  if (field == DEBYE_TEXT_ALTLOC)
    return g_new0(guint32, MAX(n_atoms, 1)); /* code 0: no label */
  guint32 *codes = g_new(guint32, MAX(n_atoms, 1));
  const guint8 *elements = debye_topology_get_elements(topology);
  const guint32 *residues = debye_topology_get_residues(topology);
  const DebyeResidue *table = debye_topology_get_residue_table(topology);
  for (gsize i = 0; i < n_atoms; i++)
    codes[i] = field == DEBYE_TEXT_ELEMENT ? elements[i] : get_residue_code(&table[residues[i]], field);
  return codes;
}

/* --- Text fields --- */

static gboolean
matches_pattern(const DebyeSelectionPattern *pattern, DebyeTextField field, const char *text)
{
  if (field != DEBYE_TEXT_ELEMENT)
    return pattern->is_glob ? debye_selection_glob_matches(pattern->text, text)
                            : g_str_equal(pattern->text, text);
  /* Elements alone know no case: "NA", "Na" and "na" are sodium; "D" is hydrogen. */
  if (!pattern->is_glob)
    return g_ascii_strcasecmp(pattern->text, text) == 0 ||
           (debye_element_from_symbol(pattern->text, -1) != 0 &&
            g_str_equal(debye_element_get(debye_element_from_symbol(pattern->text, -1))->symbol, text));
  g_autofree char *folded_pattern = g_ascii_strdown(pattern->text, -1);
  g_autofree char *folded_text = g_ascii_strdown(text, -1);
  return debye_selection_glob_matches(folded_pattern, folded_text);
}

static gboolean
matches_text(const DebyeSelectionNode *node, DebyeTextField field, const char *text, gboolean *matches,
             GError **error)
{
  *matches = FALSE;
  if (node->regex) {
    g_autoptr(GError) reason = NULL;
    *matches = g_regex_match_full(node->regex, text, -1, 0, 0, NULL, &reason);
    if (reason)
      debye_error_set(error, DEBYE_ERROR_SELECTION,
                      "selection: expected a regular expression that can be decided, found %s",
                      reason->message);
    return !reason;
  }
  for (guint k = 0; k < node->patterns->len && !*matches; k++)
    *matches = matches_pattern(&g_array_index(node->patterns, DebyeSelectionPattern, k), field, text);
  return TRUE;
}

gboolean
debye_selection_evaluate_text(const DebyeSelectionContext *context, const DebyeSelectionNode *node,
                              DebyeTextField field, guint8 *mask, GError **error)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(context->topology);
  guint count = field == DEBYE_TEXT_ELEMENT ? DEBYE_N_ELEMENTS : debye_string_pool_get_count(pool);
  g_autofree guint8 *matches = g_new0(guint8, MAX(count, 1));
  for (guint code = 0; code < count; code++) {
    const char *text = field == DEBYE_TEXT_ELEMENT ? debye_element_get((guint8)code)->symbol
                                                   : debye_string_pool_get(pool, code);
    gboolean match;
    if (!matches_text(node, field, text, &match, error))
      return FALSE;
    matches[code] = (guint8)match;
  }
  g_autofree guint32 *codes = debye_selection_get_codes(context->topology, field);
  for (gsize i = 0; i < context->n_atoms; i++)
    mask[i] = matches[codes[i]];
  return TRUE;
}

/* --- Classes of atoms --- */

static guint *
classify_names(const DebyeStringPool *pool)
{
  guint count = debye_string_pool_get_count(pool);
  guint *classes = g_new(guint, MAX(count, 1));
  for (guint code = 0; code < count; code++)
    classes[code] = debye_residue_class_of(debye_string_pool_get(pool, code));
  return classes;
}

static void
evaluate_residues(const DebyeSelectionContext *context, guint wanted, guint8 *mask)
{
  const guint32 *residues = debye_topology_get_residues(context->topology);
  const DebyeResidue *table = debye_topology_get_residue_table(context->topology);
  g_autofree guint *classes = classify_names(debye_topology_get_string_pool(context->topology));
  for (gsize i = 0; i < context->n_atoms; i++)
    mask[i] = (classes[table[residues[i]].name] & wanted) != 0;
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
  const DebyeResidue *table = debye_topology_get_residue_table(context->topology);
  g_autofree guint *residue_classes = classify_names(pool);
  g_autofree guint *atom_classes = g_new(guint, MAX(count, 1));
  for (guint code = 0; code < count; code++)
    atom_classes[code] = backbone_class_of(debye_string_pool_get(pool, code));
  for (gsize i = 0; i < context->n_atoms; i++)
    mask[i] = (atom_classes[names[i]] & residue_classes[table[residues[i]].name] & wanted) != 0;
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
