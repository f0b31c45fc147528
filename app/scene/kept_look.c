/* SPDX-License-Identifier: MIT */
/* Writes and reads the look that is kept from one start to the next: a key file of one group, for window_scene.c. */
#include "kept_look.h"

#include <math.h>
#include <string.h>

#include "render/scene/look_settings.h"

#define GROUP "look"

static GKeyFile *
read_kept(const char *kept)
{
  GKeyFile *file = g_key_file_new();
  if (kept != NULL && *kept != '\0')
    g_key_file_load_from_data(file, kept, strlen(kept), G_KEY_FILE_NONE, NULL);
  return file;
}

static char *
write_choice(const DebyeSetting *option, int value)
{
  for (int i = 0; option->choices[i].value != NULL; i++)
    if (value == (option->choice_numbers != NULL ? option->choice_numbers[i] : i))
      return g_strdup(option->choices[i].value);
  return NULL;
}

/* As debye_look_setting_set() reads it. */
static char *
write_value(const DebyeLookSetting *setting, DebyeScene *scene)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  gconstpointer value = debye_look_setting_find(setting, scene);
  const float *color = value;
  switch (setting->option.kind) {
  case DEBYE_SETTING_NUMBER:
    return g_strdup(g_ascii_formatd(digits, sizeof digits, "%.6g", (double)*(const float *)value));
  case DEBYE_SETTING_BOOLEAN:
    return g_strdup(*(const gboolean *)value ? "true" : "false");
  case DEBYE_SETTING_CHOICE:
    return write_choice(&setting->option, *(const int *)value);
  default:
    return g_strdup_printf("#%02lx%02lx%02lx", lroundf(color[0] * 255.0f), lroundf(color[1] * 255.0f),
                           lroundf(color[2] * 255.0f));
  }
}

char *
debye_kept_look_update(const char *kept, DebyeScene *scene, guint32 edited)
{
  gsize n_settings;
  const DebyeLookSetting *settings = debye_look_settings(&n_settings);
  const guint32 own = debye_scene_get_look(scene)->own;
  g_autoptr(GKeyFile) file = read_kept(kept);
  for (gsize i = 0; i < n_settings; i++) {
    if ((edited >> i & 1) == 0 || settings[i].of_camera)
      continue;
    g_autofree char *value = (own >> i & 1) != 0 ? write_value(&settings[i], scene) : NULL;
    if (value != NULL)
      g_key_file_set_string(file, GROUP, settings[i].option.key, value);
    else
      g_key_file_remove_key(file, GROUP, settings[i].option.key, NULL);
  }
  return g_key_file_to_data(file, NULL, NULL);
}

void
debye_kept_look_apply(const char *kept, DebyeScene *scene)
{
  g_autoptr(GKeyFile) file = read_kept(kept);
  g_auto(GStrv) keys = g_key_file_get_keys(file, GROUP, NULL, NULL);
  for (gsize k = 0; keys != NULL && keys[k] != NULL; k++) {
    const DebyeLookSetting *setting = debye_look_setting_find_key(keys[k]);
    g_autofree char *value = g_key_file_get_string(file, GROUP, keys[k], NULL);
    if (setting != NULL && value != NULL)
      debye_look_setting_set(setting, scene, value, NULL);
  }
}
