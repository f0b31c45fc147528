/* SPDX-License-Identifier: MIT */
/* Evaluates text fields: what depends on a name is decided once for each name of the string pool, not for each atom. Called by
 * selection_evaluate.c and by what reads names, too. */
#include "selection_private.h"

#include "data/files/error.h"
#include "data/tables/elements.h"

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
                      "selection: expected a regular expression that can be evaluated, found %s",
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
