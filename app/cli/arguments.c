/* SPDX-License-Identifier: MIT */
/* What a command's line gave: its request, options and files; called by arguments_words.c and all
 * commands. */
#include "arguments_private.h"

#include <glib/gstdio.h>
#include <string.h>

#include "app/analysis/driver/memory_size.h"
#include "arguments.h"
#include "data/files/error.h"
#include "data/molecule/altloc.h"
#include "data/selection/selection.h"
#include "data/settings/setting_file.h"
#include "data/trajectory/cell_choice.h"
#include "data/trajectory/length_unit.h"
#include "plot_output.h"
#include "render/look/plot_look.h"

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
  g_free(arguments->preset);
  g_free(arguments);
}

void
debye_arguments_append_string(GPtrArray *strings, const char *text)
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

DebyeArguments *
debye_arguments_new(const DebyeCommand *command)
{
  DebyeArguments *arguments = g_new0(DebyeArguments, 1);
  const DebyeSettingTable *table = debye_command_get_table(command);
  arguments->command = command;
  arguments->options = debye_options_of(command);
  arguments->request = table != NULL ? debye_request_new(table) : NULL;
  arguments->further = command->further != NULL ? debye_request_new(command->further) : NULL;
  arguments->plot = command->plot != NULL ? debye_request_new(command->plot) : NULL;
  arguments->common = debye_request_new(&debye_common_settings);
  arguments->lists =
      g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
  arguments->files = new_strings();
  arguments->warnings = new_strings();
  return arguments;
}

/* --- Finding an option --- */

gboolean
debye_arguments_set_usage_error(const DebyeArguments *arguments, GError **error, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  g_autofree char *text = g_strdup_vprintf(format, list);
  va_end(list);
  g_autofree char *valid = g_utf8_make_valid(text, -1);
  return debye_usage_refuse(error, "%s: %s (see debye-cli %s --help)", arguments->command->name, valid,
                            arguments->command->name);
}

const DebyeOption *
debye_arguments_find_option(const DebyeArguments *arguments, const char *name)
{
  for (guint i = 0; i < arguments->options->len; i++) {
    const DebyeOption *option = g_ptr_array_index(arguments->options, i);
    if (strcmp(option->name, name) == 0)
      return option;
  }
  /* Commands whose plots it sizes have another name for it today. */
  const DebyeOption *size =
      strcmp(name, "plot-size") == 0 ? debye_arguments_find_option(arguments, "size") : NULL;
  return size != NULL && size->table == arguments->command->plot ? size : NULL;
}

char *
debye_arguments_modernise(const char *name, const char *given, const char *value)
{
  const gsize length = strlen(value);
  const gboolean is_old = strcmp(given, "plot-size") == 0 && strcmp(name, given) != 0;
  const gboolean has_unit = length == 0 || !g_ascii_isdigit(value[length - 1]);
  return g_strconcat(value, is_old && !has_unit ? "mm" : "", NULL);
}

/* --- Setting values --- */

DebyeRequest *
debye_arguments_request_of(const DebyeArguments *arguments, const DebyeOption *option)
{
  if (option->table == debye_command_get_table(arguments->command))
    return arguments->request;
  if (option->table == arguments->command->plot)
    return arguments->plot;
  return option->table == arguments->command->further ? arguments->further : arguments->common;
}

static gboolean
is_selection(const char *text, GError **error)
{
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, error);
  return selection != NULL;
}

/* Views have larger sizes, and the benchmark's are none of pictures. */
static gboolean
is_size_of_plot(const DebyeOption *option)
{
  const char *key = option->setting->key;
  return strcmp(key, "plot-size") == 0 ||
         (strcmp(key, "size") == 0 && debye_setting_table_find(option->table, "line-width") != NULL);
}

/* What the settings table can't know: grammars of their own. A mistake there is one of usage, found before a
 * file is opened. */
static gboolean
check_grammar(const DebyeOption *option, const char *value, GError **error)
{
  guint64 bytes;
  double width, height;
  double angstrom;
  DebyeCellChoice cell;
  if (strcmp(option->setting->key, "memory") == 0)
    return debye_memory_size_parse(value, &bytes, error);
  if (is_size_of_plot(option))
    return debye_plot_size_parse(value, 300.0, &width, &height, error);
  if (strcmp(option->setting->key, "altloc") == 0)
    return debye_altloc_check(value, error);
  if (strcmp(option->setting->key, "cell") == 0)
    return debye_cell_choice_parse(value, &cell, error);
  if (strcmp(option->setting->key, "length-unit") == 0)
    return debye_length_unit_parse(value, &angstrom, error);
  if (option->setting->kind == DEBYE_SETTING_TEXT &&
      !debye_plot_look_check(option->setting->key, value, error))
    return FALSE;
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
  DebyeRequest *request = debye_arguments_request_of(arguments, option);
  const char *key = option->setting->key;
  if (!option->setting->repeated || !debye_request_is_set(request, key))
    return g_strdup(value);
  return g_strconcat(debye_request_get(request, key), "\n", value, NULL);
}

/* A name of a preset is no style of a picture, which options of that name have among their choices. */
static gboolean
is_preset(const DebyeOption *option, const char *value)
{
  const DebyeChoice *choice = option->setting->choices;
  while (choice != NULL && choice->value != NULL && strcmp(choice->value, value) != 0)
    choice++;
  return strcmp(option->name, "preset") == 0 && (choice == NULL || choice->value == NULL);
}

gboolean
debye_arguments_set_value(DebyeArguments *arguments, const DebyeOption *option, const char *value,
                          GError **error)
{
  g_autoptr(GError) problem = NULL;
  if (is_preset(option, value)) {
    g_free(arguments->preset);
    arguments->preset = g_strdup(value);
    return TRUE;
  }
  /* Names of files are bytes, kept in the list: the request, which is text, holds what can be shown. */
  g_autofree char *text =
      debye_option_takes_file(option) ? g_utf8_make_valid(value, -1) : add_line(arguments, option, value);
  if (!check_grammar(option, value, &problem))
    return debye_usage_refuse(error, "%s: --%s: %s", arguments->command->name, option->name,
                              problem->message);
  if (!debye_request_set(debye_arguments_request_of(arguments, option), option->setting->key, text,
                         &problem)) {
    debye_arguments_set_usage_error(arguments, error, "--%s: %s", option->name,
                                    debye_error_get_text(problem)); /* the option stands for the label */
    return FALSE;
  }
  if (!option->repeatable && !debye_option_takes_file(option))
    return TRUE;
  GPtrArray *list = g_hash_table_lookup(arguments->lists, option->name);
  if (list == NULL) {
    list = new_strings();
    g_hash_table_insert(arguments->lists, g_strdup(option->name), list);
  }
  debye_arguments_append_string(list, value);
  return TRUE;
}

gboolean
debye_arguments_is_given(const DebyeArguments *arguments, const DebyeOption *option)
{
  return debye_request_is_set(debye_arguments_request_of(arguments, option), option->setting->key);
}

const char *
debye_arguments_get_value(const DebyeArguments *arguments, const DebyeOption *option)
{
  return debye_request_get(debye_arguments_request_of(arguments, option), option->setting->key);
}

/* --- The whole --- */

gboolean
debye_arguments_wants_help(DebyeArguments *arguments)
{
  return debye_arguments_get_options(arguments).help;
}

static gboolean
is_same_file(const char *a, const char *b)
{
  GStatBuf one, other;
  return g_stat(a, &one) == 0 && g_stat(b, &other) == 0 && S_ISREG(one.st_mode) &&
         one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

gboolean
debye_arguments_check_read(DebyeArguments *arguments, const char *file, GError **error)
{
  for (const char *const *output = debye_arguments_get_list(arguments, "output"); *output != NULL; output++)
    if (is_same_file(*output, file))
      return debye_arguments_set_usage_error(
          arguments, error, "--output: expected another file than those that are read, found “%s”", *output);
  return TRUE;
}

/* Those that an option's values name. */
static gboolean
check_read_by_value(DebyeArguments *arguments, const DebyeOption *option, GError **error)
{
  if (!debye_arguments_is_given(arguments, option))
    return TRUE;
  g_auto(GStrv) files =
      debye_setting_list_files(option->setting, debye_arguments_get_value(arguments, option));
  for (char **file = files; file != NULL && *file != NULL; file++)
    if (!debye_arguments_check_read(arguments, *file, error))
      return FALSE;
  return TRUE;
}

/* Those that options name; what --continue names is written by intent. */
static gboolean
check_read_by_options(DebyeArguments *arguments, GError **error)
{
  g_autoptr(GPtrArray) options = debye_options_of(arguments->command);
  for (guint i = 0; i < options->len; i++) {
    const DebyeOption *option = options->pdata[i];
    const char *file = debye_arguments_get_path(arguments, option->name);
    if (file != NULL && strcmp(option->name, "output") != 0 &&
        !debye_arguments_check_read(arguments, file, error))
      return FALSE;
    if (!check_read_by_value(arguments, option, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
debye_arguments_check_files(DebyeArguments *arguments, GError **error)
{
  const DebyeCommand *command = arguments->command;
  guint n_files = debye_arguments_get_n_files(arguments);
  if (n_files < command->least_operands)
    return debye_arguments_set_usage_error(arguments, error, "expected %s, found none", command->operands);
  if (n_files > command->max_operands) {
    const char *first = g_ptr_array_index(arguments->files, command->max_operands);
    return debye_arguments_set_usage_error(arguments, error, "“%s” is one operand too many", first);
  }
  for (const char *const *file = debye_arguments_get_files(arguments); *file != NULL; file++)
    if (!debye_arguments_check_read(arguments, *file, error))
      return FALSE;
  return check_read_by_options(arguments, error);
}

gboolean
debye_arguments_makes_pictures(DebyeArguments *arguments)
{
  return debye_arguments_find_option(arguments, "provenance") != NULL;
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

DebyeStages *
debye_arguments_get_stages(DebyeArguments *arguments)
{
  return &arguments->stages;
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

DebyeCommonOptions
debye_arguments_get_options(DebyeArguments *arguments)
{
  return debye_common_options_of(arguments->common);
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
  debye_arguments_append_string(arguments->warnings, warning);
}

const char *const *
debye_arguments_get_held_warnings(DebyeArguments *arguments)
{
  return (const char *const *)arguments->warnings->pdata;
}
