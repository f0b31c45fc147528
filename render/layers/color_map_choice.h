/* SPDX-License-Identifier: MIT */
/* The property "color-map" of the layers that show values by colours: a string, "" for the map that suits the values, else
 * what debye_color_map_parse() takes. A session so holds the colours of a file, not its name alone. */
#pragma once

#include "layer.h"
#include "render/plot/color_map.h"

GParamSpec *debye_color_map_choice_spec(void);
/* The boolean "has-color-scale", to be read: whether the map counts. */
GParamSpec *debye_color_map_choice_scale_spec(void);
/* Takes the property's value; what is no map is left. FALSE: *chosen is what it was. */
gboolean debye_color_map_choice_set(const DebyeColorMap **chosen, const GValue *value);
void debye_color_map_choice_get(const DebyeColorMap *chosen, GValue *value);
/* The option of debye-cli: a name, or a file. */
gboolean debye_color_map_choice_parse(DebyeLayer *layer, const char *text, GError **error);

/* The row of a kind's settings; the kind of atoms, the first that has it, describes the option. */
#define DEBYE_COLOR_MAP_SETTING                                                        \
  .property = "color-map", .label = N_("Colour map"), .shown_with = "has-color-scale", \
  .parse = debye_color_map_choice_parse
