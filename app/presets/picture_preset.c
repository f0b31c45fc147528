/* SPDX-License-Identifier: MIT */
/* Implementation of picture_preset.h; called by the window's export of pictures. */
#include "picture_preset.h"

#include <string.h>

#include "data/files/error.h"
#include "presets.h"
#include "render/scene/look_settings.h"

#define GROUP "preset" /* of the lines before the first group */

static GKeyFile *
read_preset(const char *name, GError **error)
{
  g_autoptr(GKeyFile) file = g_key_file_new();
  g_autofree char *lines = debye_presets_read(name, error);
  g_autofree char *text = lines != NULL ? g_strconcat("[" GROUP "]\n", lines, NULL) : NULL;
  if (text == NULL)
    return NULL;
  if (!g_key_file_load_from_data(file, text, strlen(text), G_KEY_FILE_NONE, error)) {
    g_prefix_error(error, "%s: ", name);
    return NULL;
  }
  return g_steal_pointer(&file);
}

/* 0 where the preset leaves it open. */
static gboolean
read_number(GKeyFile *file, const char *key, double minimum, double maximum, double *number, GError **error)
{
  g_autofree char *text = g_key_file_get_string(file, GROUP, key, NULL);
  char *end = NULL;
  *number = text != NULL ? g_ascii_strtod(text, &end) : 0.0;
  if (text == NULL || (end != text && *end == '\0' && *number >= minimum && *number <= maximum))
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_VALUE, "%s: expected a number from %g to %g, found “%s”", key,
                         minimum, maximum, text);
}

gboolean
debye_presets_apply_to_picture(const char *name, DebyePictureSize *size, gboolean *transparent,
                               GError **error)
{
  DebyePictureSize read = *size;
  g_autoptr(GKeyFile) file = read_preset(name, error);
  if (file == NULL)
    return FALSE;
  g_autofree char *text = g_key_file_get_string(file, GROUP, "size", NULL);
  if (!read_number(file, "dpi", DEBYE_PICTURE_MIN_DPI, DEBYE_PICTURE_MAX_DPI, &read.dpi, error) ||
      !read_number(file, "text-size", DEBYE_PICTURE_MIN_TEXT, DEBYE_PICTURE_MAX_TEXT, &read.text_size,
                   error) ||
      (text != NULL && !debye_picture_size_parse(&read, text, error))) {
    g_prefix_error(error, "%s: ", name);
    return FALSE;
  }
  *size = read;
  *transparent = g_key_file_get_boolean(file, GROUP, "transparent", NULL);
  return TRUE;
}

static gboolean
set_look(GKeyFile *file, DebyeScene *scene, GError **error)
{
  gsize n_settings;
  const DebyeLookSetting *settings = debye_look_settings(&n_settings);
  for (gsize i = 0; i < n_settings; i++) {
    g_autofree char *text = g_key_file_get_string(file, GROUP, settings[i].option.key, NULL);
    if (text != NULL && !debye_look_setting_set(&settings[i], scene, text, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
debye_presets_apply_to_scene(const char *name, const DebyePictureSize *size, DebyeScene *scene,
                             GError **error)
{
  g_autoptr(GKeyFile) file = name != NULL ? read_preset(name, error) : NULL;
  if (name != NULL && file == NULL)
    return FALSE;
  g_autofree char *style = file != NULL ? g_key_file_get_string(file, GROUP, "preset", NULL) : NULL;
  if (style != NULL)
    debye_look_settings_change_paper(scene, style, TRUE);
  debye_picture_size_set_words(size, debye_scene_get_look(scene));
  if (file == NULL || set_look(file, scene, error))
    return TRUE;
  g_prefix_error(error, "%s: ", name);
  return FALSE;
}
