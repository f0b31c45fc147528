/* SPDX-License-Identifier: MIT */
/* Groups the digits of counts; called wherever a sentence of the window has one. */
#include "count_text.h"

#include <glib/gi18n.h>
#include <string.h>

char *
debye_count_text(guint64 count)
{
  g_autofree char *plain = g_strdup_printf("%" G_GUINT64_FORMAT, count);
  /* Translators: between thousands. Where people read a comma as the decimal point, a thin space. */
  const char *separator = C_("thousands", ",");
  GString *text = g_string_new(NULL);
  gsize length = strlen(plain);
  for (gsize i = 0; i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0)
      g_string_append(text, separator);
    g_string_append_c(text, plain[i]);
  }
  return g_string_free(text, FALSE);
}
