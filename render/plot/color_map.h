/* SPDX-License-Identifier: MIT */
/* Colour maps: sequential ones perceptually even, diverging ones centred. */
#pragma once

#include <glib.h>

typedef struct {
  const char *name; /* "red-white-blue" (− red, + blue, the field's convention), "viridis" … */
  gboolean diverging;
  const guint32 *stops; /* evenly spaced 0xRRGGBB */
  gsize n_stops;
} DebyeColorMap;

const DebyeColorMap *const *
debye_color_map_list(void); /* NULL-terminated; the first is the default for potentials */
const DebyeColorMap *debye_color_map_find(const char *name);
void debye_color_map_get(const DebyeColorMap *map, double fraction, float rgb[3]);
