/* SPDX-License-Identifier: MIT */
/* Which lines of a listing are new against the one before it. */
#include <glib.h>

#include "ui/manual/line_changes.h"

/* `expected`: a letter for each line, "+" where it is new. */
static void
check(const char *before, const char *text, const char *expected, guint n_gone)
{
  g_auto(DebyeLineChanges) changes = {0};
  g_autoptr(GString) found = g_string_new(NULL);
  guint n_new = 0;
  debye_line_changes_init(&changes, before, text);
  for (guint i = 0; i < changes.is_new->len; i++)
    g_string_append_c(found, g_array_index(changes.is_new, gboolean, i) ? '+' : '-');
  for (const char *letter = expected; *letter != '\0'; letter++)
    n_new += *letter == '+';
  g_assert_cmpstr(found->str, ==, expected);
  g_assert_cmpuint(changes.n_new, ==, n_new);
  g_assert_cmpuint(changes.n_gone, ==, n_gone);
}

static void
test_first(void)
{
  check(NULL, "a\nb", "--", 0);
  check(NULL, "", "", 0);
}

static void
test_same(void)
{
  check("a\nb\nc", "a\nb\nc", "---", 0);
}

static void
test_added_and_gone(void)
{
  check("a\nc", "a\nb\nc", "-+-", 0);
  check("a\nb\nc", "a\nc", "--", 1);
  check("a\nb\nc", "a\nx\nc", "-+-", 1);
  check("", "a\nb", "++", 0);
  check("a\nb", "", "", 2);
}

/* What moved is new where it is now. */
static void
test_moved(void)
{
  check("a\nb\nc\nd", "b\nc\nd\na", "---+", 1);
}

/* A loop around a line indents it, and that is all. */
static void
test_indentation(void)
{
  check("a\nb\nc", "a\n  for\n    b\n\nc", "-+---", 0);
  check("a\n\n\nb", "a\nb", "--", 0);
  check("for\n  b", "for {\n  b\n  c\n}", "--+-", 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/line-changes/first", test_first);
  g_test_add_func("/line-changes/same", test_same);
  g_test_add_func("/line-changes/added-and-gone", test_added_and_gone);
  g_test_add_func("/line-changes/moved", test_moved);
  g_test_add_func("/line-changes/indentation", test_indentation);
  return g_test_run();
}
