/* SPDX-License-Identifier: MIT */
/* Shortens and words values of settings; called by result_description.c and result_labels.c. */
#include "setting_text.h"

#include <glib/gi18n.h>

char *
debye_setting_text_shorten(const char *value, glong max_letters)
{
  g_autoptr(GString) line = g_string_new(value);
  g_string_replace(line, "\n", "; ", 0);
  if (g_utf8_strlen(line->str, -1) <= max_letters)
    return g_strdup(line->str);
  g_autofree char *start = g_utf8_substring(line->str, 0, max_letters - 1);
  return g_strconcat(g_strchomp(start), "…", NULL);
}

const char *
debye_setting_text_of_choice(const DebyeSetting *setting, const char *value)
{
  for (const DebyeChoice *choice = setting->choices; choice != NULL && choice->value != NULL; choice++)
    if (g_str_equal(choice->value, value))
      return _(choice->label);
  return value;
}
