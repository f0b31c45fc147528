/* SPDX-License-Identifier: MIT */
/* Names that stand alone in a selection, as in "OW or CA": called by the parser and the evaluation. They begin with a capital
 * letter, so that a misspelt word of the language is still an error. */
#include <string.h>

#include "data/files/error.h"
#include "selection_private.h"

/* The word of each field that a bare name may mean, in order. */
static const struct {
  DebyeTextField field;
  const char *word;
} fields[] = {{DEBYE_TEXT_NAME, "name"},
              {DEBYE_TEXT_ELEMENT, "element"},
              {DEBYE_TEXT_RESIDUE_NAME, "resname"},
              {DEBYE_TEXT_TYPE, "type"}};

DebyeSelectionNode *
debye_selection_parse_bare(DebyeSelectionScanner *scanner)
{
  debye_selection_skip_blanks(scanner);
  const char *begin = scanner->cursor, *end = begin;
  if (!g_ascii_isupper(*begin))
    return NULL;
  while (g_ascii_isalnum(*end) || (*end != '\0' && strchr("_'\"*?+-", *end) != NULL))
    end++;
  if (*end != '\0' && !g_ascii_isspace(*end) && strchr(")&|", *end) == NULL)
    return NULL;
  DebyeSelectionPattern pattern = {.text = g_strndup(begin, (gsize)(end - begin))};
  pattern.is_glob = strpbrk(pattern.text, "*?") != NULL;
  DebyeSelectionNode *node = debye_selection_node_new(DEBYE_NODE_BARE, 0);
  node->patterns = debye_selection_patterns_new();
  g_array_append_val(node->patterns, pattern);
  node->number[0] = (double)(begin - scanner->text);
  node->number[1] = (double)(end - scanner->text);
  scanner->cursor = end;
  return node;
}

/* The first field in which an atom fits, and the atoms; NULL: in none. */
static const char *
resolve(const DebyeSelectionContext *context, const DebyeSelectionNode *node, guint8 *mask)
{
  for (gsize k = 0; k < G_N_ELEMENTS(fields); k++)
    if (debye_selection_evaluate_text(context, node, fields[k].field, mask, NULL) &&
        memchr(mask, 1, context->n_atoms) != NULL)
      return fields[k].word;
  return NULL;
}

gboolean
debye_selection_evaluate_bare(const DebyeSelectionContext *context, const DebyeSelectionNode *node,
                              guint8 *mask, GError **error)
{
  if (resolve(context, node, mask) != NULL)
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_SELECTION,
                         "selection: no atom has the name, element, residue name or type “%s”",
                         g_array_index(node->patterns, DebyeSelectionPattern, 0).text);
}

/* --- Written out --- */

static void
collect(const DebyeSelectionNode *node, GPtrArray *found)
{
  if (node->kind == DEBYE_NODE_BARE)
    g_ptr_array_add(found, (gpointer)node);
  for (guint i = 0; node->children != NULL && i < node->children->len; i++)
    collect(node->children->pdata[i], found);
}

static int
compare_places(gconstpointer a, gconstpointer b)
{
  const DebyeSelectionNode *const *one = a, *const *other = b;
  return (*one)->number[0] < (*other)->number[0] ? -1 : 1;
}

char *
debye_selection_spell_out(const DebyeSelection *selection, DebyeTopology *topology)
{
  const DebyeSelectionContext context = {topology, NULL, debye_topology_get_n_atoms(topology)};
  g_autoptr(GPtrArray) bare = g_ptr_array_new();
  collect(selection->root, bare);
  if (bare->len == 0)
    return NULL;
  g_autofree guint8 *mask = g_new(guint8, MAX(context.n_atoms, 1));
  g_autoptr(GString) text = g_string_new(NULL);
  gsize at = 0;
  g_ptr_array_sort(bare, compare_places);
  for (guint i = 0; i < bare->len; i++) {
    const DebyeSelectionNode *node = bare->pdata[i];
    const gsize begin = (gsize)node->number[0], end = (gsize)node->number[1];
    const char *word = resolve(&context, node, mask);
    g_string_append_len(text, selection->text + at, (gssize)(begin - at));
    g_string_append_printf(text, "%s%s%s", word != NULL ? word : "", word != NULL ? " " : "",
                           g_array_index(node->patterns, DebyeSelectionPattern, 0).text);
    at = end;
  }
  g_string_append(text, selection->text + at);
  return g_string_free(g_steal_pointer(&text), FALSE);
}
