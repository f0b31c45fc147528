/* SPDX-License-Identifier: MIT */
/* Sentences on standard input, with a NUL after each, as the window shows them: translate LOCALE_FOLDER. The
 * language is the environment's. */
#include <glib/gi18n.h>
#include <locale.h>
#include <stdio.h>

#include "app/translation/translation_lists.h"
#include "data/translation/translation.h"

int
main(int argc, char **argv)
{
  char *english = NULL;
  size_t size = 0;
  if (argc != 2)
    return 2;
  setlocale(LC_ALL, "");
  bindtextdomain("debye", argv[1]);
  bind_textdomain_codeset("debye", "UTF-8");
  textdomain("debye");
  debye_translation_add_lists();
  while (getdelim(&english, &size, '\0', stdin) > 0) {
    g_autofree char *translated = debye_translate(english);
    fputs(translated, stdout);
    putchar('\0');
  }
  free(english); /* of getdelim */
  return 0;
}
