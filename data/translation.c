/* SPDX-License-Identifier: MIT */
/* Translated sentences, see translation.h. */
#include "translation.h"

#include <glib/gi18n.h>
#include <string.h>

/* The next "%s" or "%t"; NULL: none. */
static const char *
find_place(const char *pattern)
{
  const char *place = strchr(pattern, '%');
  while (place != NULL && place[1] != 's' && place[1] != 't')
    place = strchr(place + 1, '%');
  return place;
}

/* Where words stand in the text: at once where nothing may be before them, at its very end where nothing may
 * follow. */
static const char *
find_words(const char *words, gsize length, gboolean is_first, gboolean is_last, const char *text)
{
  gsize n_text = strlen(text);
  if (is_first)
    return strncmp(text, words, length) == 0 && (!is_last || n_text == length) ? text : NULL;
  if (is_last)
    return n_text >= length && memcmp(text + n_text - length, words, length) == 0 ? text + n_text - length
                                                                                  : NULL;
  g_autofree char *sought = g_strndup(words, length);
  return strstr(text, sought);
}

/* The earliest place of each of the pattern's words is enough: what may stand between them is anything. */
gboolean
debye_translation_match(const char *pattern, const char *text, GPtrArray *pieces)
{
  gboolean is_first = TRUE;
  for (;;) {
    const char *place = find_place(pattern);
    gsize length = place != NULL ? (gsize)(place - pattern) : strlen(pattern);
    const char *found = find_words(pattern, length, is_first, place == NULL, text);
    if (found == NULL)
      return FALSE;
    if (!is_first)
      g_ptr_array_add(pieces, g_strndup(text, (gsize)(found - text)));
    if (place == NULL)
      return TRUE;
    text = found + length;
    pattern = place + 2;
    is_first = FALSE;
  }
}

/* What is filled in may be a name of a setting, which the domain has by itself. */
static char *
translate_piece(const char *piece)
{
  g_autofree char *sentence = debye_translate(piece);
  return strcmp(sentence, piece) == 0 && *piece != '\0' ? g_strdup(_(piece)) : g_steal_pointer(&sentence);
}

static char *
fill_in(const char *translation, const GPtrArray *pieces)
{
  GString *text = g_string_new(NULL);
  const char *place;
  for (guint i = 0; i < pieces->len && (place = find_place(translation)) != NULL; i++) {
    const char *piece = g_ptr_array_index(pieces, i);
    g_autofree char *translated = place[1] == 't' ? translate_piece(piece) : g_strdup(piece);
    g_string_append_len(text, translation, place - translation);
    g_string_append(text, translated);
    translation = place + 2;
  }
  g_string_append(text, translation);
  return g_string_free(text, FALSE);
}

/* How much of a pattern is words of its own. */
static gsize
count_own(const char *pattern)
{
  gsize n = strlen(pattern);
  while ((pattern = find_place(pattern)) != NULL) {
    n -= 2;
    pattern += 2;
  }
  return n;
}

static void
find_in(const char *const *patterns, const char *text, const char **best)
{
  for (; *patterns != NULL; patterns++) {
    g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func(g_free);
    if ((*best == NULL || count_own(*patterns) > count_own(*best)) &&
        debye_translation_match(*patterns, text, pieces))
      *best = *patterns;
  }
}

const char *
debye_translation_find(const char *text)
{
  const char *best = NULL;
  find_in(debye_translation_patterns, text, &best);
  find_in(debye_translation_phrases, text, &best);
  find_in(debye_translation_sentences, text, &best);
  return best;
}

char *
debye_translate(const char *english)
{
  const char *pattern = debye_translation_find(english);
  if (pattern == NULL)
    return g_strdup(english);
  g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func(g_free);
  debye_translation_match(pattern, english, pieces);
  return fill_in(_(pattern), pieces);
}
