/* SPDX-License-Identifier: MIT */
/* Sentences that are translated when they are shown. */
#include <glib.h>
#include <string.h>

#include "data/translation.h"

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

/* Without a catalogue nothing is lost of any sentence. */
static void
test_untranslated(void)
{
  gsize n = 0;
  for (const char *const *pattern = debye_translation_patterns; *pattern != NULL; pattern++, n++) {
    g_autofree char *sentence = fill_in(*pattern);
    g_autofree char *translated = debye_translate(sentence);
    g_assert_cmpstr(translated, ==, sentence);
  }
  g_assert_cmpuint(n, >, 100);
  g_autofree char *other = debye_translate("name OW - name OW");
  g_assert_cmpstr(other, ==, "name OW - name OW");
}

/* A sentence that is more than another one comes before it: else it would never be found. */
static void
test_order(void)
{
  for (gsize i = 0; debye_translation_patterns[i] != NULL; i++) {
    g_autofree char *sentence = fill_in(debye_translation_patterns[i]);
    for (gsize k = 0; k < i; k++) {
      g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func(g_free);
      if (debye_translation_match(debye_translation_patterns[k], sentence, pieces))
        g_error("“%s” is never reached behind “%s”", debye_translation_patterns[i],
                debye_translation_patterns[k]);
    }
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/translation/match", test_match);
  g_test_add_func("/translation/mismatch", test_mismatch);
  g_test_add_func("/translation/untranslated", test_untranslated);
  g_test_add_func("/translation/order", test_order);
  return g_test_run();
}
