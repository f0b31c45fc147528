/* SPDX-License-Identifier: MIT */
/* Saves a session again and again until it is killed, for test_killed.py (only the window saves any):
 *
 *   save_sessions PATH
 *
 * The sessions differ in their number, and so in length. */
#include <stdio.h>

#include "app/document/session.h"

/* Long enough that writing takes a moment. */
#define WORDS 20000

static GVariant *
make_values(guint number)
{
  g_autoptr(GString) text = g_string_new(NULL);
  for (guint i = 0; i < WORDS + number; i++)
    g_string_append_printf(text, "%u ", number);
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  g_variant_dict_insert(&dict, "notes", "s", text->str);
  return g_variant_ref_sink(g_variant_dict_end(&dict));
}

int
main(int argc, char **argv)
{
  if (argc != 2) {
    fprintf(stderr, "usage: save_sessions PATH\n");
    return 2;
  }
  for (guint number = 1;; number++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(GVariant) values = make_values(number);
    g_autoptr(DebyeSession) session = debye_session_new(values, (const char *const[]){NULL});
    if (!debye_session_save(session, argv[1], NULL, NULL, &error)) {
      fprintf(stderr, "%s\n", error->message);
      return 1;
    }
  }
}
