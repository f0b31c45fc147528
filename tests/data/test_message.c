/* SPDX-License-Identifier: MIT */
/* Sentences as data: what their strings hold, their words in English and in a language of the test's own, what damaged
 * ones are worded as, errors made of them, and true minus signs. */
#include <glib.h>
#include <string.h>

#include "data/files/error.h"
#include "data/message_text.h"
#include "data/messages/count_text.h"
#include "data/messages/message.h"

/* A language of which the test knows four patterns. */
static const char *
look_up(const char *english)
{
  static const char *const known[][2] = {{"expected %t, found “%s”", "erwartet: %t, gefunden: „%s“"},
                                         {"a number", "eine Zahl"},
                                         {"%s % of %t", "%s % von %t"},
                                         {"%t: %t", "%t – %t"}};
  for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
    if (strcmp(english, known[i][0]) == 0)
      return known[i][1];
  return NULL;
}

static void
assert_words(const char *message, const char *english, const char *other)
{
  char words[256], again[256];
  g_assert_cmpuint(debye_message_decode(words, sizeof words, message, NULL), ==, strlen(english));
  g_assert_cmpstr(words, ==, english);
  debye_message_decode(again, sizeof again, message, look_up);
  g_assert_cmpstr(again, ==, other);
  g_autofree char *whole = debye_message_english(message);
  g_assert_cmpstr(whole, ==, english);
}

static void
test_words(void)
{
  g_autofree char *said = debye_message_new("expected %s, found “%s”", "a number", "a number");
  assert_words(said, "expected a number, found “a number”", "erwartet: eine Zahl, gefunden: „a number“");
  g_autofree char *part = debye_message_new("%.1f %% of %s", 12.34, "water");
  assert_words(part, "12.3 % of water", "12.3 % von water");
  g_autofree char *within = debye_message_new("%s: %s", part, said);
  assert_words(within, "12.3 % of water: expected a number, found “a number”",
               "12.3 % von water – erwartet: eine Zahl, gefunden: „a number“");
}

static void
test_formats(void)
{
  g_autofree char *numbers = debye_message_new("%d %u %" G_GSIZE_FORMAT " %" G_GINT64_FORMAT " %.3g %c", -1,
                                               2u, (gsize)3, (gint64)-4, 0.12345, 'x');
  assert_words(numbers, "-1 2 3 -4 0.123 x", "-1 2 3 -4 0.123 x");
  g_autofree char *widths = debye_message_new("%.*s|%*s^|%5.1f", 2, "abc", 3, "", 1.25);
  assert_words(widths, "ab|   ^|  1.2", "ab|   ^|  1.2");
}

/* In one piece a sentence is its own message, so that files needn't keep it. */
static void
test_plain(void)
{
  g_autofree char *said = debye_message_new("a number");
  g_assert_cmpstr(said, ==, "a number");
  assert_words(said, "a number", "eine Zahl");
  g_autofree char *percent = debye_message_new("100 %%");
  g_assert_cmpstr(percent, ==, "100 %");
}

/* What doesn't fit is counted all the same. */
static void
test_size(void)
{
  char words[8];
  g_autofree char *said = debye_message_new("expected %s, found “%s”", "a", "b");
  g_assert_cmpuint(debye_message_decode(words, sizeof words, said, NULL), ==,
                   strlen("expected a, found “b”"));
  g_assert_cmpstr(words, ==, "expecte");
}

/* A file may hold anything. */
static void
test_damaged(void)
{
  static const char *const damaged[][2] = {{"\x02", ""},
                                           {"\x02%s", "%s"},
                                           {"\x02%s %t\x1f"
                                            "a",
                                            "a %t"},
                                           {"\x02%s\x1f"
                                            "a\x1f"
                                            "b\x03",
                                            "a"},
                                           {"\x02%t\x1f\x02%t\x1f"
                                            "a",
                                            "a"},
                                           {"\x02"
                                            "a\x03"
                                            "b",
                                            "a"},
                                           {"\x1f\x03", "\x1f\x03"}};
  for (gsize i = 0; i < G_N_ELEMENTS(damaged); i++)
    assert_words(damaged[i][0], damaged[i][1], damaged[i][1]);
  g_autofree char *deep = g_strdup("x");
  for (int i = 0; i < 40; i++) {
    char *deeper = g_strconcat("\x02%t\x1f", deep, "\x03", NULL);
    g_free(deep);
    deep = deeper;
  }
  g_autofree char *words = debye_message_english(deep);
  g_assert_nonnull(strchr(words, 'x'));
}

static void
test_error(void)
{
  g_autoptr(GError) error = NULL;
  debye_error_set_about(&error, DEBYE_ERROR_SETTING, "Charges", "expected %s, found “%s”", "a number", "x");
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SETTING);
  g_assert_cmpstr(error->message, ==, "Charges: expected a number, found “x”");
  g_assert_cmpstr(debye_error_get_setting(error), ==, "Charges");
  g_assert_cmpstr(debye_error_get_text(error), ==, "expected a number, found “x”");
  g_autoptr(GError) copy = g_error_copy(error);
  assert_words(debye_error_get_message(copy), "expected a number, found “x”",
               "erwartet: eine Zahl, gefunden: „x“");
  debye_error_prefix(&copy, "%s, ", "here");
  g_assert_cmpstr(copy->message, ==, "here, Charges: expected a number, found “x”");
  g_assert_null(debye_error_get_setting(copy));
  g_assert_cmpstr(debye_error_get_message(copy), ==, copy->message);
  debye_error_set(NULL, DEBYE_ERROR_SETTING, "nobody hears");
  g_autoptr(GError) foreign = g_error_new_literal(G_FILE_ERROR, G_FILE_ERROR_IO, "broken");
  debye_error_name_setting(&foreign, "Reference");
  g_assert_cmpstr(foreign->message, ==, "Reference: broken");
  g_assert_null(debye_error_get_setting(foreign));
}

static void
test_file_error(void)
{
  g_autoptr(GError) error = NULL;
  debye_error_set_of_file(&error, DEBYE_ERROR_SYNTAX, "a.gro", "line %u", 3u);
  debye_error_name_output("a.gro", &error);
  g_assert_cmpstr(error->message, ==, "a.gro: line 3");
  debye_error_name_setting(&error, "Reference");
  g_assert_cmpstr(debye_error_get_text(error), ==, "a.gro: line 3");
  g_assert_cmpstr(debye_error_get_message(error), ==, "a.gro: line 3");
  debye_error_name_output("o.h5", &error);
  g_assert_cmpstr(error->message, ==, "o.h5: Reference: a.gro: line 3");
}

static void
test_true_minus(void)
{
  static const char *const sentences[][2] = {
      {"-2 e", "−2 e"},
      {"from (-5, -10, 1.5) Å: -1e-05 kT", "from (−5, −10, 1.5) Å: −1e-05 kT"},
      {"frames 3-4, --padding, NH3 - 2, x-3", "frames 3-4, --padding, NH3 - 2, x-3"},
      {"“resid -5 to -3”: -3 e", "“resid -5 to -3”: −3 e"},
      {"„resid -5“: -3 e", "„resid -5“: −3 e"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(sentences); i++) {
    g_autofree char *text = debye_true_minus_text(sentences[i][0]);
    g_assert_cmpstr(text, ==, sentences[i][1]);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/message/words", test_words);
  g_test_add_func("/message/formats", test_formats);
  g_test_add_func("/message/plain", test_plain);
  g_test_add_func("/message/size", test_size);
  g_test_add_func("/message/damaged", test_damaged);
  g_test_add_func("/message/error", test_error);
  g_test_add_func("/message/file-error", test_file_error);
  g_test_add_func("/message/true-minus", test_true_minus);
  return g_test_run();
}
