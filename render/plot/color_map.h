/* SPDX-License-Identifier: MIT */
/* Colour maps: sequential ones perceptually even, diverging ones centred. */
#pragma once

#include <glib.h>

typedef struct {
  const char
      *name; /* "RdBu" (− red, + blue, the field's convention), "viridis" …; of own colours their text */
  gboolean diverging;
  const guint32 *stops; /* evenly spaced 0xRRGGBB */
  gsize n_stops;
} DebyeColorMap;

const DebyeColorMap *const *
debye_color_map_list(void); /* NULL-terminated; the first is the default for potentials */
const DebyeColorMap *debye_color_map_find(const char *name);
/* Evenly spaced colours from low to high, in hexadecimal with blanks between them: "053061 f7f7f7 67001f", two to 256; with an
 * odd number of them the middle one stands at zero (diverging). The same text gives the same map, which stays; any thread.
 * NULL: the text is something else. */
const DebyeColorMap *debye_color_map_from_text(const char *text);
void debye_color_map_get(const DebyeColorMap *map, double fraction, float rgb[3]);
