/* SPDX-License-Identifier: MIT */
/* Reads a file of settings for what the command line leaves open; called by arguments.c. */
#include "arguments_private.h"

#include <string.h>

#include "app/presets/presets.h"
#include "arguments.h"
#include "data/settings/setting_file.h"
#include "figure_settings.h"
#include "plot_output.h"
#include "render/look/plot_look.h"
#include "app/cli/render/render_settings.h"

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
    debye_arguments_append_string(arguments->files, joined);
  }
  return TRUE;
}

/* Where in a value the name of a file begins that is read, by the command or by its analysis; NULL: in none. */
static const char *
find_file(const DebyeOption *option, const char *value)
{
  if (option->table == &debye_common_settings)
    return NULL;
  if (debye_option_takes_curves(option))
    return value;
  return debye_option_takes_file(option) ? value : debye_setting_find_file(option->setting->key, value);
}

/* Files that a file of settings names are relative to it, where they are there. Takes `value`. */
static char *
resolve_file(const DebyeOption *option, const char *settings_path, char *value)
{
  const char *file = find_file(option, value);
  if (file == NULL || g_path_is_absolute(file))
    return value;
  g_autofree char *folder = g_path_get_dirname(settings_path);
  g_autofree char *beside = g_build_filename(folder, file, NULL), *bare = g_strdup(beside);
  if (debye_option_takes_curves(option))
    debye_figure_split_quantity(bare);
  if (!g_file_test(bare, G_FILE_TEST_EXISTS))
    return value;
  g_autofree char *before = g_strndup(value, (gsize)(file - value));
  g_free(value);
  return g_strconcat(before, beside, NULL);
}

static gboolean
is_figure(const DebyeArguments *arguments)
{
  return debye_command_get_table(arguments->command) == &debye_figure_settings;
}

static gboolean
load_key(DebyeArguments *arguments, GKeyFile *file, const char *path, const char *group, const char *key,
         GError **error)
{
  g_autoptr(GError) problem = NULL;
  if (strcmp(key, "files") == 0)
    return load_files(arguments, file, path, group);
  const DebyeOption *option = debye_arguments_find_option(arguments, key);
  if (option == NULL)
    return debye_usage_refuse(error, "%s: group [%s]: expected settings of “%s”, found “%s”", path, group,
                              arguments->command->name, key);
  if (debye_arguments_is_given(arguments, option))
    return TRUE;
  char *text = g_key_file_get_string(file, group, key, NULL);
  if (text == NULL)
    return debye_usage_refuse(error, "%s: %s: expected UTF-8 text, found other bytes", path, key);
  g_autofree char *value = resolve_file(option, path, text);
  g_auto(GStrv) values = option->repeatable ? g_strsplit(value, ";", -1) : NULL;
  gboolean ok = TRUE;
  if (values == NULL)
    ok = debye_arguments_set_value(arguments, option, value, &problem);
  for (gsize i = 0; ok && values != NULL && values[i] != NULL; i++)
    ok = *g_strstrip(values[i]) == '\0' || debye_arguments_set_value(arguments, option, values[i], &problem);
  if (!ok)
    g_propagate_prefixed_error(error, g_steal_pointer(&problem), "%s: ", path);
  return ok;
}

/* The size of plots under its former name, under which a preset had it beside the "size" of views: now of a command with plots,
 * no word of another one. */
static void
rename_old_size(const DebyeArguments *arguments, GKeyFile *file, const char *group, gboolean is_preset)
{
  const DebyeOption *size = debye_arguments_find_option(arguments, "plot-size");
  g_autofree char *old = g_key_file_get_string(file, group, "plot-size", NULL);
  if (old == NULL || (size == NULL && !is_preset))
    return;
  const char *key = size != NULL ? size->name : "plot-size";
  g_autofree char *value = debye_arguments_modernise(is_preset ? "size" : key, "plot-size", old);
  g_key_file_remove_key(file, group, "plot-size", NULL);
  if (size != NULL)
    g_key_file_set_string(file, group, key, value);
  else if (is_figure(arguments))
    g_key_file_remove_key(file, group, "size", NULL);
}

/* The width of a page that was given before the file holds against a size in it, which would take its place. */
static void
remove_size_beside_width(const DebyeArguments *arguments, GKeyFile *file, const char *group)
{
  const DebyeOption *width = debye_arguments_find_option(arguments, "width");
  if (is_figure(arguments) && debye_arguments_is_given(arguments, width))
    g_key_file_remove_key(file, group, "size", NULL);
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
  rename_old_size(arguments, file, group, FALSE);
  remove_size_beside_width(arguments, file, group);
  g_auto(GStrv) keys = g_key_file_get_keys(file, group, NULL, NULL);
  for (gsize i = 0; keys != NULL && keys[i] != NULL; i++)
    if (!load_key(arguments, file, path, group, keys[i], error))
      return FALSE;
  return TRUE;
}

/* --- Presets --- */

/* Of lines before the first group; a file may have it, too. */
#define PRESET_GROUP "preset"

static gboolean
is_of_pictures(const char *key)
{
  return debye_setting_table_find(&debye_plot_settings, key) != NULL ||
         debye_setting_table_find(&debye_bench_plot_settings, key) != NULL ||
         debye_setting_table_find(&debye_figure_settings, key) != NULL ||
         debye_setting_table_find(debye_render_settings_get(), key) != NULL;
}

/* Analyses have settings of the same names: the width of a bin is no page's. */
static gboolean
is_of_picture(const DebyeArguments *arguments, const DebyeOption *option)
{
  return option != NULL &&
         (option->table == arguments->command->plot || option->table == &debye_figure_settings ||
          option->table == debye_render_settings_get());
}

/* What is given comes after, and so holds where both say something. */
static gboolean
put_before(DebyeArguments *arguments, const DebyeOption *option, const char *values, GError **error)
{
  DebyeRequest *request = debye_arguments_request_of(arguments, option);
  const char *key = option->setting->key, *given = debye_request_get(request, key);
  g_autofree char *both = given != NULL ? g_strconcat(values, "\n", given, NULL) : g_strdup(values);
  return debye_plot_look_check(key, values, error) && debye_request_set(request, key, both, error);
}

static gboolean
load_preset_key(DebyeArguments *arguments, GKeyFile *file, const char *group, const char *key, GError **error)
{
  const DebyeOption *option = debye_arguments_find_option(arguments, key);
  g_autofree char *value = g_key_file_get_string(file, group, key, error);
  if (value == NULL)
    return FALSE;
  if (!is_of_pictures(key))
    return debye_usage_refuse(error, "expected settings of pictures and plots, found “%s”", key);
  /* A preset names no other one, but the style of a picture. */
  if (!is_of_picture(arguments, option) || (strcmp(key, "preset") == 0 && option->setting->choices == NULL))
    return TRUE;
  /* Presets have captions below plots, and no words over a movie. */
  if (option->table == debye_render_settings_get() && strcmp(key, "caption") == 0)
    return TRUE;
  /* The size is of one plot or view; a page of several is as wide as the preset says. */
  if (option->table == &debye_figure_settings && strcmp(key, "size") == 0 &&
      g_key_file_has_key(file, group, "width", NULL))
    return TRUE;
  if (option->setting->repeated)
    return put_before(arguments, option, g_strdelimit(value, ";", '\n'), error);
  return debye_arguments_is_given(arguments, option) ||
         debye_arguments_set_value(arguments, option, value, error);
}

/* Lines before the first group, and those that a style keeps in its group. */
static gboolean
load_preset_group(DebyeArguments *arguments, GKeyFile *file, const char *group, GError **error)
{
  rename_old_size(arguments, file, group, TRUE);
  remove_size_beside_width(arguments, file, group);
  g_auto(GStrv) keys = g_key_file_get_keys(file, group, NULL, error);
  if (keys == NULL)
    return FALSE;
  if (strcmp(group, PRESET_GROUP) != 0 && strcmp(group, "plot") != 0)
    return debye_usage_refuse(
        error, "expected lines “key = value” without a group or in the group [plot], found the group [%s]",
        group);
  for (gsize i = 0; keys[i] != NULL; i++)
    if (!load_preset_key(arguments, file, group, keys[i], error))
      return FALSE;
  return TRUE;
}

/* What the option of that name takes by itself, beside presets: ". The option also takes screen"; empty: nothing. */
static char *
list_choices(const DebyeArguments *arguments)
{
  const DebyeOption *option = debye_arguments_find_option(arguments, "preset");
  g_autoptr(GString) words = g_string_new(NULL);
  const DebyeChoice *choice = option != NULL ? option->setting->choices : NULL;
  for (; choice != NULL && choice->value != NULL; choice++)
    g_string_append_printf(words, "%s%s", words->len > 0 ? ", " : ". The option also takes ", choice->value);
  return g_strdup(words->str);
}

gboolean
debye_arguments_load_preset(DebyeArguments *arguments, GError **error)
{
  g_autoptr(GKeyFile) file = g_key_file_new();
  g_autoptr(GError) problem = NULL;
  g_autofree char *name = g_steal_pointer(&arguments->preset);
  g_autofree char *lines = debye_presets_read(name, &problem);
  g_autofree char *text = lines != NULL ? g_strconcat("[" PRESET_GROUP "]\n", lines, NULL) : NULL;
  gboolean is_read =
      text != NULL && g_key_file_load_from_data(file, text, strlen(text), G_KEY_FILE_NONE, &problem);
  g_auto(GStrv) groups = is_read ? g_key_file_get_groups(file, NULL) : NULL;
  for (gsize i = 0; is_read && groups[i] != NULL; i++)
    is_read = load_preset_group(arguments, file, groups[i], &problem);
  if (is_read)
    return TRUE;
  g_autofree char *others = lines == NULL ? list_choices(arguments) : g_strdup("");
  return debye_usage_refuse(error, "%s: --preset %s: %s%s", arguments->command->name, name, problem->message,
                            others);
}
