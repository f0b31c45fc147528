/* SPDX-License-Identifier: MIT */
/* Sentences that are translated when they are shown. */
#include <glib.h>
#include <string.h>

#include "app/translation/translation_lists.h"
#include "data/translation/translation.h"
#include "data/translation/translation_private.h"

static void
assert_pieces(const char *pattern, const char *text, const char *expected)
{
  g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func(g_free);
  g_assert_true(debye_translation_match(pattern, text, pieces));
  g_ptr_array_add(pieces, NULL);
  g_autofree char *joined = g_strjoinv("|", (char **)pieces->pdata);
  g_assert_cmpstr(joined, ==, expected);
}

static void
test_match(void)
{
  assert_pieces("mean", "mean", "");
  assert_pieces("Frames: %s, %s of %s used", "Frames: 0:100, 51 of 101 used", "0:100|51|101");
  assert_pieces("%t: expected %t, found “%s”", "Padding: expected a number, found “a, found “b””",
                "Padding|a number|a, found “b”");
  /* The last words are those that end the text, wherever else they stand. */
  assert_pieces("%s cores", "16 cores of 32 cores", "16 cores of 32");
  assert_pieces("Warning: %t", "Warning: ", "");
  assert_pieces("%s % of all", "25 % of all", "25");
}

static void
test_mismatch(void)
{
  static const char *const others[][2] = {{"mean", "means"},
                                          {"mean", "a mean"},
                                          {"%s cores", "16 cores used"},
                                          {"frame %s of %s", "frames 1 of 2"},
                                          {"a %s b %s c", "a 1 c 2 b"},
                                          {"one %s one", "one"}};
  for (gsize i = 0; i < G_N_ELEMENTS(others); i++) {
    g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func(g_free);
    g_assert_false(debye_translation_match(others[i][0], others[i][1], pieces));
  }
}

/* With 1, 2, … in its places. */
static char *
fill_in(const char *pattern)
{
  GString *text = g_string_new(pattern);
  guint n = 0;
  for (char *place = text->str; (place = strchr(place, '%')) != NULL;)
    if (place[1] == 's' || place[1] == 't') {
      *place = (char)('1' + n++ % 9);
      g_string_erase(text, place + 1 - text->str, 1);
    } else {
      place++;
    }
  return g_string_free(text, FALSE);
}

static const char *const *const lists[] = {debye_translation_patterns, debye_translation_phrases,
                                           debye_translation_sentences};

/* Without a catalogue nothing is lost of any sentence. */
static void
test_untranslated(void)
{
  gsize n = 0;
  for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
    for (const char *const *pattern = lists[i]; *pattern != NULL; pattern++, n++) {
      g_autofree char *sentence = fill_in(*pattern);
      g_autofree char *translated = debye_translate(sentence);
      g_assert_cmpstr(translated, ==, sentence);
    }
  g_assert_cmpuint(n, >, 800);
  g_autofree char *other = debye_translate("name OW - name OW");
  g_assert_cmpstr(other, ==, "name OW - name OW");
}

/* Each sentence is taken for itself, or for one with as many words. */
static void
test_own_pattern(void)
{
  for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
    for (const char *const *pattern = lists[i]; *pattern != NULL; pattern++) {
      g_autofree char *sentence = fill_in(*pattern);
      const char *found = debye_translation_find(sentence);
      g_autofree char *again = found != NULL ? fill_in(found) : NULL;
      g_assert_cmpstr(again, ==, sentence);
    }
  g_assert_null(debye_translation_find("name OW - name OW"));
}

/* An error has the file's name and the place before it; of two that fit, that by which more of the text
 * is known is taken: its pieces count. */
static void
test_error(void)
{
  static const char *const errors[][2] = {
      {"a.gro: line 3: expected a number for x, found “H”", "%t: %t"},
      {"line 3: expected a number for x, found “H”", "line %s: %t"},
      {"expected a number for x, found “H”", "expected a number for %t, found %t"},
      {"expected an atom, found the end of the file", "expected %t, found the end of the file"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(errors); i++)
    g_assert_cmpstr(debye_translation_find(errors[i][0]), ==, errors[i][1]);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  debye_translation_add_lists();
  g_test_add_func("/translation/match", test_match);
  g_test_add_func("/translation/mismatch", test_mismatch);
  g_test_add_func("/translation/untranslated", test_untranslated);
  g_test_add_func("/translation/own-pattern", test_own_pattern);
  g_test_add_func("/translation/error", test_error);
  return g_test_run();
}
