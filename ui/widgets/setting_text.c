/* SPDX-License-Identifier: MIT */
/* Shortens and words values of settings; called by result_description.c, result_labels.c, and for problems by setting_row.c and
 * selection_entry.c. */
#include "setting_text.h"

#include <glib/gi18n.h>
#include <string.h>

#include "number_text.h"

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

char *
debye_setting_text_of_problem(const char *problem)
{
  g_autofree char *name = g_strconcat(_("selection"), ": ", NULL);
  return g_str_has_prefix(problem, name) ? debye_sentence_case(problem + strlen(name)) : g_strdup(problem);
}
