/* SPDX-License-Identifier: MIT */
/* Makes debye-cli, linked with this, speak the environment's language as the window does: errors, remarks and notes, for
 * test_german_errors.py. */
#include <libintl.h>
#include <locale.h>

#include "app/installation/installation.h"
#include "data/messages/message.h"

/* The linker sends each call of debye_message_english() here (--wrap). */
char *__wrap_debye_message_english(const char *message);

char *
__wrap_debye_message_english(const char *message)
{
  return debye_message_translate(message);
}

__attribute__((constructor)) static void
choose_language(void)
{
  setlocale(LC_ALL, "");
  bindtextdomain("debye", debye_installation_get_locale_dir());
  bind_textdomain_codeset("debye", "UTF-8");
}
