/* SPDX-License-Identifier: MIT */
/* Implementation of color_map_choice.h, for the layers of atoms, surfaces and slices. */
#include "color_map_choice.h"

#include "data/files/error.h"

GParamSpec *
debye_color_map_choice_spec(void)
{
  return g_param_spec_string("color-map", NULL, NULL, "",
                             G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
}

GParamSpec *
debye_color_map_choice_scale_spec(void)
{
  return g_param_spec_boolean("has-color-scale", NULL, NULL, FALSE,
                              G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
}

gboolean
debye_color_map_choice_set(const DebyeColorMap **chosen, const GValue *value)
{
  const char *text = g_value_get_string(value);
  const DebyeColorMap *map = text && *text ? debye_color_map_parse(text) : NULL;
  if (map == *chosen || (!map && text && *text))
    return FALSE;
  *chosen = map;
  return TRUE;
}

void
debye_color_map_choice_get(const DebyeColorMap *chosen, GValue *value)
{
  g_value_take_string(value, chosen ? debye_color_map_to_text(chosen) : g_strdup(""));
}

static void
set_unknown(const char *name, GError **error)
{
  g_autoptr(GString) names = g_string_new(NULL);
  for (const DebyeColorMap *const *map = debye_color_map_list(); *map; map++)
    g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", (*map)->label);
  debye_error_set(error, DEBYE_ERROR_SETTING, "expected %s, or a file of rows r g b, found “%s”", names->str,
                  name);
}

gboolean
debye_color_map_choice_parse(DebyeLayer *layer, const char *text, GError **error)
{
  const DebyeColorMap *map = debye_color_map_find(text);
  if (!map && !g_file_test(text, G_FILE_TEST_EXISTS)) {
    set_unknown(text, error);
    return FALSE;
  }
  if (!map && (map = debye_color_map_load(text, error)) == NULL)
    return FALSE;
  g_autofree char *whole = debye_color_map_to_text(map);
  g_object_set(layer, "color-map", whole, NULL);
  return TRUE;
}
