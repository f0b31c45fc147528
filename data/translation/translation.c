/* SPDX-License-Identifier: MIT */
/* Implementation of translation.h: matches sentences against patterns and translates them for the window. */
#include "translation.h"

#include <glib/gi18n.h>
#include <string.h>

#include "translation_private.h"

static const char *const *const *sentences;

void
debye_translation_set_sentences(const char *const *const *lists)
{
  sentences = lists;
}

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

/* A text in the window's language. */
typedef struct {
  const char *pattern; /* NULL: none fits */
  char *text;
  gsize n_own;   /* how much of the English text is the pattern's words */
  gsize n_known; /* and how much with those of its pieces */
} Translation;

static Translation translate(const char *english);

/* What is filled in may be a name of a setting, which the domain has by itself. */
static Translation
translate_piece(const char *piece)
{
  Translation translation = translate(piece);
  if (translation.pattern != NULL || *piece == '\0' || strcmp(_(piece), piece) == 0)
    return translation;
  g_free(translation.text);
  return (Translation){.text = g_strdup(_(piece)), .n_known = strlen(piece)};
}

static void
append_piece(GString *text, char kind, const char *piece, gsize *n_known)
{
  if (kind == 's') {
    g_string_append(text, piece);
    return;
  }
  Translation translation = translate_piece(piece);
  g_string_append(text, translation.text);
  *n_known += translation.n_known;
  g_free(translation.text);
}

static Translation
fill_in(const char *pattern, const GPtrArray *pieces)
{
  GString *text = g_string_new(NULL);
  const gsize n_own = strlen(pattern) - 2 * pieces->len;
  gsize n_known = n_own;
  const char *translation = _(pattern), *place;
  for (guint i = 0; i < pieces->len && (place = find_place(translation)) != NULL; i++) {
    g_string_append_len(text, translation, place - translation);
    append_piece(text, place[1], g_ptr_array_index(pieces, i), &n_known);
    translation = place + 2;
  }
  g_string_append(text, translation);
  return (Translation){pattern, g_string_free(text, FALSE), n_own, n_known};
}

static gboolean
is_better(const Translation *other, const Translation *best)
{
  return best->pattern == NULL || other->n_known > best->n_known ||
         (other->n_known == best->n_known && other->n_own > best->n_own);
}

static void
try_each(const char *const *patterns, const char *english, Translation *best)
{
  g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func(g_free);
  for (; *patterns != NULL; patterns++) {
    g_ptr_array_set_size(pieces, 0);
    if (!debye_translation_match(*patterns, english, pieces))
      continue;
    Translation other = fill_in(*patterns, pieces);
    if (is_better(&other, best)) {
      g_free(best->text);
      *best = other;
    } else {
      g_free(other.text);
    }
  }
}

static void
translation_free(gpointer data)
{
  Translation *translation = data;
  g_free(translation->text);
  g_free(translation);
}

static Translation
copy(const Translation *translation)
{
  Translation other = *translation;
  other.text = g_strdup(translation->text);
  return other;
}

/* Legends and rows of jobs ask for the same again with each frame that is drawn, and pieces come back within
 * a sentence. Texts with numbers in them are ever new, so it begins again when it is full. */
#define MAX_KEPT 200

static GMutex lock;
static GHashTable *kept; /* English text → Translation */

static gboolean
recall(const char *english, Translation *translation)
{
  g_autoptr(GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new(&lock);
  const Translation *found = kept != NULL ? g_hash_table_lookup(kept, english) : NULL;
  if (found != NULL)
    *translation = copy(found);
  return found != NULL;
}

static void
keep(const char *english, const Translation *translation)
{
  g_autoptr(GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new(&lock);
  if (kept == NULL)
    kept = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, translation_free);
  if (g_hash_table_size(kept) >= MAX_KEPT)
    g_hash_table_remove_all(kept);
  Translation *copied = g_new(Translation, 1);
  *copied = copy(translation);
  g_hash_table_replace(kept, g_strdup(english), copied);
}

static Translation
find_best(const char *english)
{
  Translation best = {.text = g_strdup(english)};
  for (const char *const *const *list = sentences; list != NULL && *list != NULL; list++)
    try_each(*list, english, &best);
  return best;
}

static Translation
translate(const char *english)
{
  Translation translation;
  if (!recall(english, &translation)) {
    translation = find_best(english);
    keep(english, &translation);
  }
  return translation;
}

const char *
debye_translation_find(const char *text)
{
  Translation translation = translate(text);
  g_free(translation.text);
  return translation.pattern;
}

char *
debye_translate(const char *english)
{
  return translate(english).text;
}
