/* SPDX-License-Identifier: MIT */
/* What may be typed next: the words of the language, or, behind a field of names, the names that the
 * structure has. */
#include <string.h>

#include "data/tables/elements.h"
#include "selection_private.h"

static const char *
last_word(const char *text)
{
  const char *begin = text + strlen(text);
  while (begin > text && !g_ascii_isspace(begin[-1]) && !strchr("()", begin[-1]))
    begin--;
  return begin;
}

/* The field whose values stand at the end of the text; NULL where none does. Only what stands before `end`,
 * the word that is being typed, counts. */
static const DebyeSelectionWord *
field_at_end(const char *text, const char *end)
{
  const DebyeSelectionWord *field = NULL;
  g_autofree char *before = g_strndup(text, (gsize)(end - text));
  g_auto(GStrv) pieces = g_strsplit_set(g_strdelimit(before, "\t\r\n", ' '), " ()", -1);
  for (char **piece = pieces; *piece; piece++) {
    const DebyeSelectionWord *word = debye_selection_find_word(*piece, strlen(*piece));
    if (word && g_str_equal(word->text, *piece))
      field = word->kind == DEBYE_WORD_TEXT ? word : NULL;
  }
  return end > text && end[-1] != ')' ? field : NULL;
}

static void
add_if_begins(GPtrArray *found, const char *candidate, const char *begin)
{
  if (*candidate && g_ascii_strncasecmp(candidate, begin, strlen(begin)) == 0)
    g_ptr_array_add(found, g_strdup(candidate));
}

static int
compare_texts(gconstpointer first, gconstpointer second)
{
  return strcmp(*(const char *const *)first, *(const char *const *)second);
}

static void
add_values(GPtrArray *found, DebyeTopology *topology, DebyeTextField field, const char *begin)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  gsize n_atoms = debye_topology_get_n_atoms(topology);
  guint count = field == DEBYE_TEXT_ELEMENT ? DEBYE_N_ELEMENTS : debye_string_pool_get_count(pool);
  g_autofree guint32 *codes = debye_selection_get_codes(topology, field);
  g_autofree guint8 *seen = g_new0(guint8, MAX(count, 1));
  for (gsize i = 0; i < n_atoms; i++)
    seen[codes[i]] = TRUE;
  for (guint code = 0; code < count; code++)
    if (seen[code])
      add_if_begins(found,
                    field == DEBYE_TEXT_ELEMENT ? debye_element_get((guint8)code)->symbol
                                                : debye_string_pool_get(pool, code),
                    begin);
  g_ptr_array_sort(found, compare_texts);
}

/* A second word with the meaning of one before it that fits as well. */
static gboolean
is_offered_already(const DebyeSelectionWord *word, const char *begin)
{
  for (const DebyeSelectionWord *other = debye_selection_words(); other != word; other++)
    if (other->kind == word->kind && other->value == word->value &&
        g_ascii_strncasecmp(other->text, begin, strlen(begin)) == 0)
      return TRUE;
  return FALSE;
}

char **
debye_selection_complete(const char *text, DebyeTopology *topology)
{
  const char *begin = last_word(text);
  const DebyeSelectionWord *field = field_at_end(text, begin);
  GPtrArray *found = g_ptr_array_new();
  if (field)
    add_values(found, topology, (DebyeTextField)field->value, begin);
  for (const DebyeSelectionWord *word = debye_selection_words(); word->text; word++)
    if (!is_offered_already(word, begin))
      add_if_begins(found, word->text, begin);
  g_ptr_array_add(found, NULL);
  return (char **)g_ptr_array_free(found, FALSE);
}
