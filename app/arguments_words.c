/* SPDX-License-Identifier: MIT */
/* The words of a command line: long options, letters, files. */
#include "arguments_private.h"

#include <string.h>

/* --- Which option --- */

static const DebyeOption *
find_by_letter(const DebyeArguments *arguments, char letter)
{
  for (guint i = 0; i < arguments->options->len; i++) {
    const DebyeOption *option = g_ptr_array_index(arguments->options, i);
    if (option->letter == letter)
      return option;
  }
  return NULL;
}

/* Letters to insert, delete or replace between two words: for "did you mean". */
static guint
edit_distance(const char *a, const char *b)
{
  guint row[64];
  gsize n = MIN(strlen(b), G_N_ELEMENTS(row) - 1);
  for (guint j = 0; j <= n; j++)
    row[j] = j;
  for (guint i = 1; a[i - 1] != '\0'; i++) {
    guint diagonal = row[0];
    row[0] = i;
    for (guint j = 1; j <= n; j++) {
      guint replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = MIN(replaced, MIN(row[j], row[j - 1]) + 1);
    }
  }
  return row[n];
}

static void
set_unknown_error(const DebyeArguments *arguments, const char *name, GError **error)
{
  const char *nearest = NULL;
  guint least = 3;
  for (guint i = 0; i < arguments->options->len; i++) {
    const DebyeOption *option = g_ptr_array_index(arguments->options, i);
    guint distance = edit_distance(name, option->name);
    if (distance < least) {
      least = distance;
      nearest = option->name;
    }
  }
  if (nearest != NULL)
    debye_arguments_set_usage_error(arguments, error, "there is no option --%s; did you mean --%s?", name,
                                    nearest);
  else
    debye_arguments_set_usage_error(arguments, error, "there is no option --%s", name);
}

/* --- Words --- */

/* The next two words as one value. NULL: they aren't there, but options: no selection begins with a dash. */
static char *
take_pair(const char *const **next)
{
  const char *const *words = *next;
  if (words[0] == NULL || words[1] == NULL || words[0][0] == '-' || words[1][0] == '-')
    return NULL;
  *next += 2;
  return g_strconcat(words[0], " | ", words[1], NULL);
}

/* "--name", "--name=value" or "--no-name"; takes the next word where a value is still missing. */
static gboolean
parse_long(DebyeArguments *arguments, const char *word, const char *const **next, GError **error)
{
  const char *equals = strchr(word, '=');
  g_autofree char *name = equals != NULL ? g_strndup(word, (gsize)(equals - word)) : g_strdup(word);
  const char *value = equals != NULL ? equals + 1 : NULL;
  const DebyeOption *option = debye_arguments_find_option(arguments, name);
  if (option == NULL && value == NULL && g_str_has_prefix(name, "no-")) {
    option = debye_arguments_find_option(arguments, name + 3);
    if (option != NULL && debye_option_is_flag(option))
      return debye_arguments_set_value(arguments, option, "false", error);
  }
  if (option == NULL) {
    set_unknown_error(arguments, name, error);
    return FALSE;
  }
  if (value == NULL && debye_option_is_flag(option))
    value = "true";
  g_autofree char *pair = NULL;
  if (value == NULL && option->setting->kind == DEBYE_SETTING_SELECTION_PAIR)
    value = pair = take_pair(next);
  else if (value == NULL && **next != NULL)
    value = *(*next)++;
  if (value == NULL) {
    debye_arguments_set_usage_error(arguments, error, "--%s needs a value: %s", name,
                                    debye_option_get_placeholder(option));
    return FALSE;
  }
  return debye_arguments_set_value(arguments, option, value, error);
}

/* Letters after one dash: flags together, the last may have a value, right behind it or as the next word. */
static gboolean
parse_letters(DebyeArguments *arguments, const char *letters, const char *const **next, GError **error)
{
  for (; *letters != '\0'; letters++) {
    const DebyeOption *option = find_by_letter(arguments, *letters);
    if (option == NULL) {
      debye_arguments_set_usage_error(arguments, error, "there is no option -%c", *letters);
      return FALSE;
    }
    if (debye_option_is_flag(option)) {
      if (!debye_arguments_set_value(arguments, option, "true", error))
        return FALSE;
      continue;
    }
    const char *value = letters[1] != '\0' ? letters + 1 : **next != NULL ? *(*next)++ : NULL;
    if (value == NULL) {
      debye_arguments_set_usage_error(arguments, error, "-%c needs a value: %s", *letters,
                                      debye_option_get_placeholder(option));
      return FALSE;
    }
    return debye_arguments_set_value(arguments, option, value, error);
  }
  return TRUE;
}

gboolean
debye_arguments_parse_words(DebyeArguments *arguments, const char *const *words, GError **error)
{
  gboolean only_files = FALSE;
  while (*words != NULL) {
    const char *word = *words++;
    gboolean ok = TRUE;
    if (only_files || word[0] != '-' || word[1] == '\0')
      debye_arguments_append_string(arguments->files, word);
    else if (strcmp(word, "--") == 0)
      only_files = TRUE;
    else if (word[1] == '-')
      ok = parse_long(arguments, word + 2, &words, error);
    else
      ok = parse_letters(arguments, word + 1, &words, error);
    if (!ok)
      return FALSE;
  }
  return TRUE;
}
