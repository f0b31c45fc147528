/* SPDX-License-Identifier: MIT */
/* The choice of a colour map, for the layers that are coloured by a map: slices, isosurfaces, molecular surfaces. */
#pragma once

#include "layer_kind.h"
#include "render/plot/color_map.h"

G_BEGIN_DECLS

/* Values of the property "color-map" of such layers: the first follows the values, the last is "own-colors". */
extern const DebyeChoice debye_color_map_choices[];
#define DEBYE_COLOR_MAP_AUTOMATIC 0
#define DEBYE_COLOR_MAP_OWN 9

/* What a layer draws with: `choice` as above, `own` the text of own colours, `has_negative` whether there are values
 * below 0. Own colours that are none count as automatic. Never NULL. */
const DebyeColorMap *debye_color_map_choose(int choice, const char *own, gboolean has_negative);

/* Takes a new value into either field; `own` NULL: only the choice. FALSE: nothing is new. */
gboolean debye_color_map_take(int *choice, char **own_colors, int new_choice, const char *own);

/* The two properties, as a class installs them. */
GParamSpec *debye_color_map_spec(void);
GParamSpec *debye_own_colors_spec(void);

/* Takes the option: the word of a choice, or the name of a file of colours. */
gboolean debye_color_map_parse_option(DebyeLayer *layer, const char *text, GError **error);

/* The rows, and the option; arguments are further members of the option, which one kind has to give: see layer_kind.h. */
#define DEBYE_LAYER_COLOR_MAP_ENTRIES(...)                                  \
  {                                                                         \
      .property = "color-map",                                              \
      .label = N_("Colour map"),                                            \
      .choices = debye_color_map_choices,                                   \
      .option = {.key = "color-map", __VA_ARGS__},                          \
      .parse = debye_color_map_parse_option,                                \
  },                                                                        \
  {                                                                         \
    .property = "own-colors", .label = N_("Own colours"),                   \
    .tooltip = N_("From low to high, in hexadecimal: 053061 f7f7f7 67001f") \
  }

G_END_DECLS
