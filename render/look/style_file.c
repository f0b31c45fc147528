/* SPDX-License-Identifier: MIT */
/* Implementation of style_file.h; called by the window's plot panel. */
#include "style_file.h"

#include <string.h>

#include "data/files/error.h"
#include "data/files/replace_file.h"

#define GROUP "plot"
/* A style is some lines; this bounds what a wrong file costs. */
#define MAX_BYTES (1024 * 1024)

static const DebyeSetting settings[] = {
    DEBYE_PLOT_LOOK_ENTRIES,
    DEBYE_PLOT_LOOK_SECOND_ENTRIES,
    {.key = "text-size",
     .label = "Size of text",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1,
     .maximum = 200,
     .unit = "points",
     .help = "size of the largest text of a plot, independent of the width of its lines; default: 9.5"},
};

const DebyeSettingTable debye_style_table = {
    .id = GROUP,
    .title = "Look of the plot",
    .question = "How does a plot look?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};

/* --- Reading --- */

static char *
read_text(const char *path, GError **error)
{
  g_autofree char *name = debye_error_name_file(path);
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GError) problem = NULL;
  g_autoptr(GInputStream) stream = G_INPUT_STREAM(g_file_read(file, NULL, &problem));
  gsize length = 0;
  g_autofree char *text = g_malloc(MAX_BYTES + 1);
  if (stream == NULL || !g_input_stream_read_all(stream, text, MAX_BYTES + 1, &length, NULL, &problem)) {
    g_propagate_prefixed_error(error, g_steal_pointer(&problem), "%s: ", name);
    return NULL;
  }
  if (length > MAX_BYTES) {
    debye_error_set(error, DEBYE_ERROR_VALUE, "%s: expected a style of a plot, found more than %d bytes",
                    name, MAX_BYTES);
    return NULL;
  }
  /* Lines before the first group belong to the plot, so a file needs no group at all. */
  return g_strdup_printf("[" GROUP "]\n%.*s", (int)length, text);
}

static gboolean
load_key(DebyeRequest *style, GKeyFile *file, const char *key, GError **error)
{
  const DebyeSetting *setting = debye_setting_table_find(&debye_style_table, key);
  g_autofree char *value = g_key_file_get_string(file, GROUP, key, error);
  if (value == NULL)
    return FALSE;
  if (setting != NULL && setting->repeated)
    g_strdelimit(value, ";", '\n');
  return debye_request_set(style, key, value, error) && debye_plot_look_check(key, value, error);
}

char **
debye_style_list_curves(DebyeRequest *style)
{
  return debye_setting_split_values(debye_request_get(style, "curve"));
}

DebyeRequest *
debye_style_load(const char *path, GError **error)
{
  g_autoptr(DebyeRequest) style = debye_request_new(&debye_style_table);
  g_autoptr(GKeyFile) file = g_key_file_new();
  g_autoptr(GError) problem = NULL;
  g_autofree char *name = debye_error_name_file(path);
  g_autofree char *text = read_text(path, error);
  if (text == NULL)
    return NULL;
  gboolean is_read = g_key_file_load_from_data(file, text, strlen(text), G_KEY_FILE_NONE, &problem);
  g_auto(GStrv) keys = is_read ? g_key_file_get_keys(file, GROUP, NULL, NULL) : NULL;
  for (gsize i = 0; is_read && keys != NULL && keys[i] != NULL; i++)
    is_read = load_key(style, file, keys[i], &problem);
  if (is_read)
    return g_steal_pointer(&style);
  g_propagate_prefixed_error(error, g_steal_pointer(&problem), "%s: ", name);
  return NULL;
}

/* --- Writing --- */

/* NULL: it can't be written. */
static char *
to_line(const DebyeSetting *setting, const char *value, GError **error)
{
  if (setting->repeated && strchr(value, ';') != NULL) {
    debye_error_set(error, DEBYE_ERROR_VALUE,
                    "--%s: a style can't keep a semicolon, found “%s”. Write a comma in its place.",
                    setting->key, value);
    return NULL;
  }
  return setting->repeated ? g_strdelimit(g_strdup(value), "\n", ';') : g_strdup(value);
}

gboolean
debye_style_save(DebyeRequest *style, const char *path, GError **error)
{
  g_autoptr(GKeyFile) file = g_key_file_new();
  for (gsize i = 0; i < debye_style_table.n_settings; i++) {
    const DebyeSetting *setting = &debye_style_table.settings[i];
    if (!debye_request_is_set(style, setting->key))
      continue;
    g_autofree char *value = to_line(setting, debye_request_get(style, setting->key), error);
    if (value == NULL)
      return FALSE;
    g_key_file_set_string(file, GROUP, setting->key, value);
  }
  g_autofree char *text = g_key_file_to_data(file, NULL, NULL);
  /* Without its group, any command that writes plots reads it. */
  const char *keys = g_str_has_prefix(text, "[" GROUP "]\n") ? text + strlen("[" GROUP "]\n") : text;
  g_autoptr(DebyeReplaceFile) written = debye_replace_file_new(path, error);
  return written != NULL &&
         g_output_stream_printf(debye_replace_file_get_stream(written), NULL, NULL, error,
                                "# Style of a plot, for --config of debye-cli and the window of Debye\n%s",
                                keys) &&
         debye_replace_file_commit(g_steal_pointer(&written), error);
}
