/* SPDX-License-Identifier: MIT */
/* Reading a command line, see arguments.h. */
#include "arguments.h"

#include <string.h>

#include "analysis/memory_size.h"
#include "command.h"
#include "data/selection.h"
#include "plot_output.h"

struct _DebyeArguments {
  const DebyeCommand *command;
  GPtrArray *options; /* DebyeOption */
  DebyeRequest *request, *further, *plot, *common;
  GHashTable
      *lists; /* name → GPtrArray of char *, NULL-terminated: values of repeatable options and of files */
  GPtrArray *files;    /* char *, NULL-terminated */
  GPtrArray *warnings; /* the same: held */
};

G_DEFINE_QUARK(debye - usage - error - quark, debye_usage_error)

void
debye_arguments_free(DebyeArguments *arguments)
{
  if (arguments == NULL)
    return;
  g_ptr_array_unref(arguments->options);
  g_clear_object(&arguments->request);
  g_clear_object(&arguments->further);
  g_clear_object(&arguments->plot);
  g_clear_object(&arguments->common);
  g_hash_table_unref(arguments->lists);
  g_ptr_array_unref(arguments->files);
  g_ptr_array_unref(arguments->warnings);
  g_free(arguments);
}

static void
free_list(gpointer list)
{
  g_ptr_array_unref(list);
}

static void
append_string(GPtrArray *strings, const char *text)
{
  g_ptr_array_insert(strings, (int)strings->len - 1, g_strdup(text));
}

static GPtrArray *
new_strings(void)
{
  GPtrArray *strings = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(strings, NULL);
  return strings;
}

static DebyeArguments *
arguments_new(const DebyeCommand *command)
{
  DebyeArguments *arguments = g_new0(DebyeArguments, 1);
  arguments->command = command;
  arguments->options = debye_options_of(command);
  arguments->request = command->table != NULL ? debye_request_new(command->table) : NULL;
  arguments->further = command->further != NULL ? debye_request_new(command->further) : NULL;
  arguments->plot = command->plot != NULL ? debye_request_new(command->plot) : NULL;
  arguments->common = debye_request_new(&debye_common_settings);
  arguments->lists = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_list);
  arguments->files = new_strings();
  arguments->warnings = new_strings();
  return arguments;
}

/* --- Finding an option --- */

static void set_usage_error(const DebyeArguments *arguments, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static void
set_usage_error(const DebyeArguments *arguments, GError **error, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  g_autofree char *text = g_strdup_vprintf(format, list);
  va_end(list);
  g_autofree char *valid = g_utf8_make_valid(text, -1);
  g_set_error(error, DEBYE_USAGE_ERROR, 0, "%s: %s (see debye-cli %s --help)", arguments->command->name,
              valid, arguments->command->name);
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

static const DebyeOption *
find_by_name(const DebyeArguments *arguments, const char *name)
{
  for (guint i = 0; i < arguments->options->len; i++) {
    const DebyeOption *option = g_ptr_array_index(arguments->options, i);
    if (strcmp(option->name, name) == 0)
      return option;
  }
  return NULL;
}

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
    set_usage_error(arguments, error, "there is no option --%s; did you mean --%s?", name, nearest);
  else
    set_usage_error(arguments, error, "there is no option --%s", name);
}

/* --- Setting values --- */

static DebyeRequest *
request_of(const DebyeArguments *arguments, const DebyeOption *option)
{
  if (option->table == arguments->command->table)
    return arguments->request;
  if (option->table == arguments->command->plot)
    return arguments->plot;
  return option->table == arguments->command->further ? arguments->further : arguments->common;
}

static gboolean
takes_file(const DebyeOption *option)
{
  return g_strcmp0(debye_option_get_placeholder(option), "FILE") == 0;
}

static gboolean
is_selection(const char *text, GError **error)
{
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, error);
  return selection != NULL;
}

/* What the settings table can't know: grammars of their own. A mistake there is one of usage, found before a
 * file is opened. */
static gboolean
check_grammar(const DebyeOption *option, const char *value, GError **error)
{
  guint64 bytes;
  double width, height;
  if (strcmp(option->setting->key, "memory") == 0)
    return debye_memory_size_parse(value, &bytes, error);
  if (strcmp(option->setting->key, "plot-size") == 0)
    return debye_plot_size_parse(value, &width, &height, error);
  if (option->setting->kind == DEBYE_SETTING_SELECTION)
    return *value == '\0' || is_selection(value, error);
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  /* What is no pair the table refuses. */
  if (option->setting->kind != DEBYE_SETTING_SELECTION_PAIR ||
      !debye_setting_split_pair(value, &first, &second))
    return TRUE;
  return is_selection(first, error) && is_selection(second, error);
}

/* A setting that is repeated keeps what was given before, one value a line. */
static char *
add_line(DebyeArguments *arguments, const DebyeOption *option, const char *value)
{
  DebyeRequest *request = request_of(arguments, option);
  const char *key = option->setting->key;
  if (!option->setting->repeated || !debye_request_is_set(request, key))
    return g_strdup(value);
  return g_strconcat(debye_request_get(request, key), "\n", value, NULL);
}

static gboolean
set_value(DebyeArguments *arguments, const DebyeOption *option, const char *value, GError **error)
{
  g_autoptr(GError) problem = NULL;
  /* Names of files are bytes, kept in the list: the request, which is text, holds what can be shown. */
  g_autofree char *text =
      takes_file(option) ? g_utf8_make_valid(value, -1) : add_line(arguments, option, value);
  if (!check_grammar(option, value, &problem)) {
    g_set_error(error, DEBYE_USAGE_ERROR, 0, "%s: --%s: %s", arguments->command->name, option->name,
                problem->message);
    return FALSE;
  }
  if (!debye_request_set(request_of(arguments, option), option->setting->key, text, &problem)) {
    set_usage_error(arguments, error, "--%s: %s", option->name, problem->message);
    return FALSE;
  }
  if (!option->repeatable && !takes_file(option))
    return TRUE;
  GPtrArray *list = g_hash_table_lookup(arguments->lists, option->name);
  if (list == NULL) {
    list = new_strings();
    g_hash_table_insert(arguments->lists, g_strdup(option->name), list);
  }
  append_string(list, value);
  return TRUE;
}

static gboolean
is_given(const DebyeArguments *arguments, const DebyeOption *option)
{
  return debye_request_is_set(request_of(arguments, option), option->setting->key);
}

/* The next two words as one value. NULL: they aren't there. */
static char *
take_pair(const char *const **next)
{
  const char *const *words = *next;
  if (words[0] == NULL || words[1] == NULL)
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
  const DebyeOption *option = find_by_name(arguments, name);
  if (option == NULL && value == NULL && g_str_has_prefix(name, "no-")) {
    option = find_by_name(arguments, name + 3);
    if (option != NULL && debye_option_is_flag(option))
      return set_value(arguments, option, "false", error);
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
    set_usage_error(arguments, error, "--%s needs a value: %s", name, debye_option_get_placeholder(option));
    return FALSE;
  }
  return set_value(arguments, option, value, error);
}

/* Letters after one dash: flags together, the last may have a value, right behind it or as the next word. */
static gboolean
parse_letters(DebyeArguments *arguments, const char *letters, const char *const **next, GError **error)
{
  for (; *letters != '\0'; letters++) {
    const DebyeOption *option = find_by_letter(arguments, *letters);
    if (option == NULL) {
      set_usage_error(arguments, error, "there is no option -%c", *letters);
      return FALSE;
    }
    if (debye_option_is_flag(option)) {
      if (!set_value(arguments, option, "true", error))
        return FALSE;
      continue;
    }
    const char *value = letters[1] != '\0' ? letters + 1 : **next != NULL ? *(*next)++ : NULL;
    if (value == NULL) {
      set_usage_error(arguments, error, "-%c needs a value: %s", *letters,
                      debye_option_get_placeholder(option));
      return FALSE;
    }
    return set_value(arguments, option, value, error);
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
      append_string(arguments->files, word);
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

/* --- Files of settings --- */

static char *
read_settings(const char *path, const char *group, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr(GError) problem = NULL;
  if (!g_file_get_contents(path, &text, NULL, &problem)) {
    g_propagate_prefixed_error(error, g_steal_pointer(&problem), "%s: ", path);
    return NULL;
  }
  /* Lines before the first group belong to the command, so a short file needs no group at all. */
  return g_strdup_printf("[%s]\n%s", group, text);
}

static gboolean
load_files(DebyeArguments *arguments, GKeyFile *file, const char *path, const char *group)
{
  g_auto(GStrv) files = g_key_file_get_string_list(file, group, "files", NULL, NULL);
  g_autofree char *folder = g_path_get_dirname(path);
  if (debye_arguments_get_n_files(arguments) > 0)
    return TRUE;
  for (gsize i = 0; files != NULL && files[i] != NULL; i++) {
    g_autofree char *joined =
        g_path_is_absolute(files[i]) ? g_strdup(files[i]) : g_build_filename(folder, files[i], NULL);
    append_string(arguments->files, joined);
  }
  return TRUE;
}

/* Files that a file of settings names are relative to it, where they are there. Takes `value`. */
static char *
resolve_file(const DebyeOption *option, const char *settings_path, char *value)
{
  if (!takes_file(option) || option->table == &debye_common_settings)
    return value;
  g_autofree char *folder = g_path_get_dirname(settings_path);
  g_autofree char *beside = g_build_filename(folder, value, NULL);
  if (g_path_is_absolute(value) || !g_file_test(beside, G_FILE_TEST_EXISTS))
    return value;
  g_free(value);
  return g_steal_pointer(&beside);
}

static gboolean
load_key(DebyeArguments *arguments, GKeyFile *file, const char *path, const char *group, const char *key,
         GError **error)
{
  g_autoptr(GError) problem = NULL;
  if (strcmp(key, "files") == 0)
    return load_files(arguments, file, path, group);
  const DebyeOption *option = find_by_name(arguments, key);
  if (option == NULL) {
    g_set_error(error, DEBYE_USAGE_ERROR, 0, "%s: group [%s]: expected settings of “%s”, found “%s”", path,
                group, arguments->command->name, key);
    return FALSE;
  }
  if (is_given(arguments, option))
    return TRUE;
  g_autofree char *value = resolve_file(option, path, g_key_file_get_string(file, group, key, NULL));
  g_auto(GStrv) values = option->repeatable ? g_strsplit(value, ";", -1) : NULL;
  gboolean ok = TRUE;
  if (values == NULL)
    ok = set_value(arguments, option, value, &problem);
  for (gsize i = 0; ok && values != NULL && values[i] != NULL; i++)
    ok = *g_strstrip(values[i]) == '\0' || set_value(arguments, option, values[i], &problem);
  if (!ok)
    g_propagate_prefixed_error(error, g_steal_pointer(&problem), "%s: ", path);
  return ok;
}

gboolean
debye_arguments_load(DebyeArguments *arguments, const char *path, const char *group, GError **error)
{
  g_autoptr(GKeyFile) file = g_key_file_new();
  g_autoptr(GError) problem = NULL;
  g_autofree char *text = read_settings(path, group, error);
  if (text == NULL)
    return FALSE;
  if (!g_key_file_load_from_data(file, text, strlen(text), G_KEY_FILE_NONE, &problem)) {
    g_propagate_prefixed_error(error, g_steal_pointer(&problem), "%s: ", path);
    return FALSE;
  }
  g_auto(GStrv) keys = g_key_file_get_keys(file, group, NULL, NULL);
  for (gsize i = 0; keys != NULL && keys[i] != NULL; i++)
    if (!load_key(arguments, file, path, group, keys[i], error))
      return FALSE;
  return TRUE;
}

/* --- The whole --- */

gboolean
debye_arguments_wants_help(DebyeArguments *arguments)
{
  return debye_request_get_boolean(arguments->common, "help");
}

gboolean
debye_arguments_check_files(DebyeArguments *arguments, GError **error)
{
  const DebyeCommand *command = arguments->command;
  guint n_files = debye_arguments_get_n_files(arguments);
  if (n_files < command->least_operands) {
    set_usage_error(arguments, error, "expected %s, found none", command->operands);
    return FALSE;
  }
  if (n_files > command->most_operands) {
    const char *first = g_ptr_array_index(arguments->files, command->most_operands);
    set_usage_error(arguments, error, "“%s” is one operand too many", first);
    return FALSE;
  }
  return TRUE;
}

DebyeArguments *
debye_arguments_parse(const DebyeCommand *command, const char *const *words, GError **error)
{
  g_autoptr(DebyeArguments) arguments = arguments_new(command);
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
  return g_steal_pointer(&arguments);
}

const DebyeCommand *
debye_arguments_get_command(DebyeArguments *arguments)
{
  return arguments->command;
}

const char *const *
debye_arguments_get_files(DebyeArguments *arguments)
{
  return (const char *const *)arguments->files->pdata;
}

guint
debye_arguments_get_n_files(DebyeArguments *arguments)
{
  return arguments->files->len - 1;
}

DebyeRequest *
debye_arguments_get_request(DebyeArguments *arguments)
{
  return arguments->request;
}

DebyeRequest *
debye_arguments_get_further(DebyeArguments *arguments)
{
  return arguments->further;
}

DebyeRequest *
debye_arguments_get_plot(DebyeArguments *arguments)
{
  return arguments->plot;
}

DebyeRequest *
debye_arguments_get_common(DebyeArguments *arguments)
{
  return arguments->common;
}

const char *const *
debye_arguments_get_list(DebyeArguments *arguments, const char *name)
{
  static const char *const none[] = {NULL};
  GPtrArray *list = g_hash_table_lookup(arguments->lists, name);
  return list != NULL ? (const char *const *)list->pdata : none;
}

const char *
debye_arguments_get_path(DebyeArguments *arguments, const char *name)
{
  GPtrArray *list = g_hash_table_lookup(arguments->lists, name);
  return list != NULL ? g_ptr_array_index(list, list->len - 2) : NULL;
}

void
debye_arguments_hold_warning(DebyeArguments *arguments, const char *warning)
{
  append_string(arguments->warnings, warning);
}

const char *const *
debye_arguments_get_held_warnings(DebyeArguments *arguments)
{
  return (const char *const *)arguments->warnings->pdata;
}
