/* SPDX-License-Identifier: MIT */
/* Implementation of color_map_choice.h. */
#include "color_map_choice.h"

#include <glib/gi18n.h>

#include "data/files/error.h"
#include "layer.h"
#include "render/plot/color_map_file.h"

const DebyeChoice debye_color_map_choices[] = {
    {"auto", N_("Automatic"), NULL},
    {"RdBu", N_("Red–white–blue (RdBu)"), NULL},
    {"PiYG", N_("Pink–white–green (PiYG)"), NULL},
    {"PRGn", N_("Purple–white–green (PRGn)"), NULL},
    {"BrBG", N_("Brown–white–teal (BrBG)"), NULL},
    {"viridis", "Viridis", NULL},
    {"inferno", "Inferno", NULL},
    {"cividis", "Cividis", NULL},
    {"grey", N_("Grey"), NULL},
    {"own", N_("Own colours"), NULL},
    {NULL, NULL, NULL},
};
G_STATIC_ASSERT(G_N_ELEMENTS(debye_color_map_choices) == DEBYE_COLOR_MAP_OWN + 2);

const DebyeColorMap *
debye_color_map_choose(int choice, const char *own, gboolean has_negative)
{
  const DebyeColorMap *map = NULL;
  if (choice == DEBYE_COLOR_MAP_OWN)
    map = debye_color_map_from_text(own);
  else if (choice > DEBYE_COLOR_MAP_AUTOMATIC && choice < DEBYE_COLOR_MAP_OWN)
    map = debye_color_map_find(debye_color_map_choices[choice].value);
  return map != NULL ? map : debye_color_map_find(has_negative ? "RdBu" : "viridis");
}

gboolean
debye_color_map_take(int *choice, char **own_colors, int new_choice, const char *own)
{
  const gboolean is_new = own != NULL && g_strcmp0(own, *own_colors) != 0;
  if (new_choice == *choice && !is_new)
    return FALSE;
  *choice = new_choice;
  if (is_new) {
    g_free(*own_colors);
    *own_colors = g_strdup(own);
  }
  return TRUE;
}

GParamSpec *
debye_color_map_spec(void)
{
  return g_param_spec_int("color-map", NULL, NULL, DEBYE_COLOR_MAP_AUTOMATIC, DEBYE_COLOR_MAP_OWN,
                          DEBYE_COLOR_MAP_AUTOMATIC,
                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
}

GParamSpec *
debye_own_colors_spec(void)
{
  return g_param_spec_string("own-colors", NULL, NULL, "",
                             G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
}

gboolean
debye_color_map_parse_option(DebyeLayer *layer, const char *text, GError **error)
{
  for (int i = 0; i < DEBYE_COLOR_MAP_OWN; i++)
    if (g_str_equal(debye_color_map_choices[i].value, text)) {
      g_object_set(layer, "color-map", i, NULL);
      return TRUE;
    }
  if (!g_file_test(text, G_FILE_TEST_EXISTS)) {
    debye_error_set(
        error, DEBYE_ERROR_SETTING,
        "expected auto, RdBu, PiYG, PRGn, BrBG, viridis, inferno, cividis, grey or a file of colours, "
        "found “%s”",
        text);
    return FALSE;
  }
  g_autofree char *colors = debye_color_map_read(text, error);
  if (colors != NULL)
    g_object_set(layer, "own-colors", colors, "color-map", DEBYE_COLOR_MAP_OWN, NULL);
  return colors != NULL;
}
