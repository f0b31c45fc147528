/* SPDX-License-Identifier: MIT */
/* Implementation of setting_file.h: which settings name files, for command lines and the provenance of
 * results. */
#include "setting_file.h"

#include <string.h>

static const struct {
  const char *key, *prefix; /* of a value that names one */
} settings[] = {
    {"subtract", ""},
    {"q-vectors", ""},
    {"measured", ""},
    {"data", ""},
    {"orientation", "vectors:"},
    {"resolution", "file:"},
    {"reference", "file:"},
    {"ion-map", ""},
    {"charge-map", ""},
    {"dielectric-map", ""},
};

const char *
debye_setting_find_file(const char *key, const char *value)
{
  for (gsize i = 0; value != NULL && i < G_N_ELEMENTS(settings); i++) {
    const gsize length = strlen(settings[i].prefix);
    if (strcmp(settings[i].key, key) == 0 && g_str_has_prefix(value, settings[i].prefix) &&
        value[length] != '\0')
      return value + length;
  }
  return NULL;
}

/* What each line of a repeated setting is, or all of another. */
static char **
split_lines(const DebyeSetting *setting, const char *value)
{
  const char *const whole[] = {value != NULL ? value : "", NULL};
  return setting->repeated ? debye_setting_split_values(value) : g_strdupv((char **)whole);
}

char **
debye_setting_list_files(const DebyeSetting *setting, const char *value)
{
  g_auto(GStrv) lines = split_lines(setting, value);
  g_autoptr(GStrvBuilder) files = g_strv_builder_new();
  gsize n = 0;
  for (char **line = lines; *line != NULL; line++) {
    const char *file = debye_setting_find_file(setting->key, *line);
    if (file == NULL)
      continue;
    g_strv_builder_add(files, file);
    n++;
  }
  return n > 0 ? g_strv_builder_end(files) : NULL;
}

char *
debye_setting_rename_files(const DebyeSetting *setting, const char *value,
                           char *(*rename)(const char *file, gpointer data), gpointer data)
{
  g_auto(GStrv) lines = split_lines(setting, value);
  for (char **line = lines; *line != NULL; line++) {
    const char *file = debye_setting_find_file(setting->key, *line);
    if (file == NULL)
      continue;
    g_autofree char *before = g_strndup(*line, (gsize)(file - *line)), *name = rename(file, data);
    char *renamed = g_strconcat(before, name, NULL);
    g_free(*line);
    *line = renamed;
  }
  return g_strjoinv("\n", lines);
}
