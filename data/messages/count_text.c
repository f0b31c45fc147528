/* SPDX-License-Identifier: MIT */
/* Implementation of count_text.h; called wherever a sentence of the window has such numbers. */
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

static gboolean
group_match(const GMatchInfo *match, GString *result, gpointer data G_GNUC_UNUSED)
{
  g_autofree char *digits = g_match_info_fetch(match, 0);
  g_autofree char *grouped = debye_count_text(g_ascii_strtoull(digits, NULL, 10));
  g_string_append(result, grouped);
  return FALSE;
}

char *
debye_group_digits(const char *text)
{
  g_autoptr(GRegex) number = g_regex_new("(?<![\\w.,])[1-9]\\d{3,17}(?![\\w.,]\\d|\\w)", 0, 0, NULL);
  return g_regex_replace_eval(number, text, -1, 0, 0, group_match, NULL, NULL);
}

char *
debye_true_minus_text(const char *sentence)
{
  GString *text = g_string_new(NULL);
  const char *closing = NULL;
  for (const char *at = sentence; *at != '\0'; at = g_utf8_next_char(at)) {
    const gboolean begins_word = at == sentence || at[-1] == ' ' || at[-1] == '(';
    if (closing == NULL && *at == '-' && begins_word && g_ascii_isdigit(at[1])) {
      g_string_append(text, "−");
      continue;
    }
    if (closing != NULL)
      closing = g_str_has_prefix(at, closing) ? NULL : closing;
    else if (g_str_has_prefix(at, "“") || g_str_has_prefix(at, "„"))
      closing = g_str_has_prefix(at, "“") ? "”" : "“"; /* English or German */
    g_string_append_len(text, at, g_utf8_next_char(at) - at);
  }
  return g_string_free(text, FALSE);
}
