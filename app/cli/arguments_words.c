/* SPDX-License-Identifier: MIT */
/* Splits a command line into long options, short options and files, and reads the files of settings that it names; called by
 * main_cli.c and commands that run others. */
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

/* The beginning of one option's name alone stands for it, as everywhere in GNU; "no-" before it for its
 * opposite. *n_found: how many begin so. */
static const DebyeOption *
find_by_beginning(const DebyeArguments *arguments, const char *beginning, guint *n_found, gboolean *is_off)
{
  const DebyeOption *found = NULL;
  *n_found = 0;
  for (guint i = 0; i < arguments->options->len; i++) {
    const DebyeOption *option = g_ptr_array_index(arguments->options, i);
    const gboolean is_opposite = debye_option_is_flag(option) && g_str_has_prefix(beginning, "no-") &&
                                 beginning[3] != '\0' && g_str_has_prefix(option->name, beginning + 3);
    if (!is_opposite && !g_str_has_prefix(option->name, beginning))
      continue;
    *is_off = is_opposite;
    found = option;
    ++*n_found;
  }
  return *n_found == 1 ? found : NULL;
}

static void
set_ambiguous_error(const DebyeArguments *arguments, const char *beginning, GError **error)
{
  g_autoptr(GString) names = g_string_new(NULL);
  const gboolean is_off = g_str_has_prefix(beginning, "no-");
  for (guint i = 0; i < arguments->options->len; i++) {
    const DebyeOption *option = g_ptr_array_index(arguments->options, i);
    if (g_str_has_prefix(option->name, beginning))
      g_string_append_printf(names, "%s--%s", names->len > 0 ? ", " : "", option->name);
    else if (is_off && debye_option_is_flag(option) && g_str_has_prefix(option->name, beginning + 3))
      g_string_append_printf(names, "%s--no-%s", names->len > 0 ? ", " : "", option->name);
  }
  debye_arguments_set_usage_error(arguments, error, "--%s begins several options: %s", beginning, names->str);
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

/* The option of a long word, its whole name before its beginning. *is_off: it is a flag's opposite. NULL with
 * an error. */
static const DebyeOption *
find_long(const DebyeArguments *arguments, const char *name, gboolean *is_off, GError **error)
{
  guint n_found;
  const DebyeOption *option = debye_arguments_find_option(arguments, name);
  *is_off = FALSE;
  if (option == NULL && g_str_has_prefix(name, "no-")) {
    option = debye_arguments_find_option(arguments, name + 3);
    *is_off = option != NULL && debye_option_is_flag(option);
    option = *is_off ? option : NULL;
  }
  if (option == NULL && *name != '\0') {
    option = find_by_beginning(arguments, name, &n_found, is_off);
    if (option == NULL && n_found > 1) {
      set_ambiguous_error(arguments, name, error);
      return NULL;
    }
  }
  if (option == NULL)
    set_unknown_error(arguments, name, error);
  return option;
}

/* "--name", "--name=value" or "--no-name"; takes the next word where a value is still missing. */
static gboolean
parse_long(DebyeArguments *arguments, const char *word, const char *const **next, GError **error)
{
  const char *equals = strchr(word, '=');
  g_autofree char *name = equals != NULL ? g_strndup(word, (gsize)(equals - word)) : g_strdup(word);
  const char *value = equals != NULL ? equals + 1 : NULL;
  gboolean is_off;
  const DebyeOption *option = find_long(arguments, name, &is_off, error);
  if (option == NULL)
    return FALSE;
  if (is_off && value == NULL)
    return debye_arguments_set_value(arguments, option, "false", error);
  if (is_off) {
    set_unknown_error(arguments, name, error);
    return FALSE;
  }
  if (value == NULL)
    value = debye_option_is_flag(option) ? "true" : option->setting->alone;
  g_autofree char *pair = NULL;
  if (value == NULL && option->setting->kind == DEBYE_SETTING_SELECTION_PAIR)
    value = pair = take_pair(next);
  else if (value == NULL && **next != NULL)
    value = *(*next)++;
  if (value == NULL)
    return debye_arguments_set_usage_error(arguments, error, "--%s needs a value: %s", name,
                                           debye_option_get_placeholder(option));
  g_autofree char *own = debye_arguments_modernise(option->name, name, value);
  return debye_arguments_set_value(arguments, option, own, error);
}

/* Letters after one dash: flags together, the last may have a value, right behind it or as the next word. */
static gboolean
parse_letters(DebyeArguments *arguments, const char *letters, const char *const **next, GError **error)
{
  for (; *letters != '\0'; letters++) {
    const DebyeOption *option = find_by_letter(arguments, *letters);
    if (option == NULL)
      return debye_arguments_set_usage_error(arguments, error, "there is no option -%c", *letters);
    if (debye_option_is_flag(option)) {
      if (!debye_arguments_set_value(arguments, option, "true", error))
        return FALSE;
      continue;
    }
    const char *value = letters[1] != '\0' ? letters + 1 : **next != NULL ? *(*next)++ : NULL;
    if (value == NULL)
      return debye_arguments_set_usage_error(arguments, error, "-%c needs a value: %s", *letters,
                                             debye_option_get_placeholder(option));
    return debye_arguments_set_value(arguments, option, value, error);
  }
  return TRUE;
}

static gboolean
parse_words(DebyeArguments *arguments, const char *const *words, GError **error)
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

/* --- All of it, with the files of settings that it names --- */

DebyeArguments *
debye_arguments_parse(const DebyeCommand *command, const char *const *words, GError **error)
{
  g_autoptr(DebyeArguments) arguments = debye_arguments_new(command);
  debye_stages_begin_with_process(&arguments->stages);
  if (!parse_words(arguments, words, error))
    return NULL;
  if (debye_arguments_wants_help(arguments))
    return g_steal_pointer(&arguments);
  const char *config = debye_arguments_get_path(arguments, "config");
  if (config != NULL && !debye_arguments_load(arguments, config, command->name, error))
    return NULL;
  const char *scene = debye_arguments_get_path(arguments, "scene");
  if (scene != NULL && !debye_arguments_load(arguments, scene, "scene", error))
    return NULL;
  if (arguments->preset != NULL && !debye_arguments_load_preset(arguments, error))
    return NULL;
  return g_steal_pointer(&arguments);
}

/* --- The line once more --- */

static void
append_option(GString *line, const DebyeOption *option, const char *value)
{
  gboolean is_on = TRUE;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  if (debye_option_is_flag(option) && debye_setting_parse_boolean(value, &is_on)) {
    g_string_append_printf(line, " --%s%s", is_on ? "" : "no-", option->name);
    return;
  }
  g_string_append_printf(line, " --%s", option->name);
  if (option->setting->kind == DEBYE_SETTING_SELECTION_PAIR &&
      debye_setting_split_pair(value, &first, &second)) {
    g_string_append_c(line, ' ');
    debye_command_append_word(line, first);
    value = second;
  }
  g_string_append_c(line, *value == '-' || option->setting->alone != NULL ? '=' : ' ');
  debye_command_append_word(line, value);
}

static void
append_given(GString *line, DebyeArguments *arguments, const DebyeOption *option)
{
  const char *const *list = debye_arguments_get_list(arguments, option->name);
  const char *value = debye_request_get(debye_arguments_request_of(arguments, option), option->setting->key);
  if (!debye_arguments_is_given(arguments, option) ||
      (!option->setting->unset_differs && g_strcmp0(value, option->setting->initial) == 0))
    return;
  if (*list == NULL || !option->repeatable)
    append_option(line, option, *list != NULL ? list[g_strv_length((char **)list) - 1] : value);
  else
    for (; *list != NULL; list++)
      append_option(line, option, *list);
}

char *
debye_arguments_to_command(DebyeArguments *arguments, const char *const *without, const char *const *instead)
{
  GString *line = g_string_new("debye-cli ");
  g_string_append(line, arguments->command->name);
  for (guint i = 0; i < arguments->options->len; i++) {
    const DebyeOption *option = arguments->options->pdata[i];
    if (!g_strv_contains(without, option->name))
      append_given(line, arguments, option);
  }
  for (; instead != NULL && *instead != NULL; instead++) {
    g_string_append_c(line, ' ');
    debye_command_append_word(line, *instead);
  }
  gboolean has_dash = FALSE;
  for (const char *const *file = debye_arguments_get_files(arguments); *file != NULL; file++)
    has_dash |= **file == '-';
  g_string_append(line, has_dash ? " --" : "");
  for (const char *const *file = debye_arguments_get_files(arguments); *file != NULL; file++) {
    g_string_append_c(line, ' ');
    debye_command_append_word(line, *file);
  }
  return g_string_free(line, FALSE);
}
