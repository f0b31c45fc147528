/* SPDX-License-Identifier: MIT */
/* Colour maps: sequential ones perceptually even, diverging ones centred; and those of a file. A map never changes and is
 * never freed, so layers, copies and threads share it. */
#pragma once

#include <glib.h>

typedef struct {
  const char
      *name; /* "red-white-blue" (− red, + blue, the field's convention), "viridis" …; of a file its name */
  const char *label; /* what people know it by; of a file its name */
  gboolean diverging;
  const guint32 *stops; /* evenly spaced 0xRRGGBB */
  gsize n_stops;
} DebyeColorMap;

const DebyeColorMap *const *
debye_color_map_list(void); /* NULL-terminated; the first is the default for potentials */
/* By name, in any case, or by what matplotlib and ColorBrewer call it: "RdBu", "PiYG", "grey". NULL: there is none. */
const DebyeColorMap *debye_color_map_find(const char *name);

#define DEBYE_COLOR_MAP_STOPS 256 /* at most, of a map of a file */
/* A map by what describes it whole: a name, or "NAME: RRGGBB RRGGBB …", 2 to DEBYE_COLOR_MAP_STOPS evenly spaced
 * colours. Texts that are equal give the same map. NULL: it is neither. */
const DebyeColorMap *debye_color_map_parse(const char *text);
/* That text. */
char *debye_color_map_to_text(const DebyeColorMap *map);
/* From a text file of rows "r g b" or "position r g b", from 0 to 1 or from 0 to 255, positions rising; “#” begins a
 * comment. NULL with an error that says file, line and remedy. */
const DebyeColorMap *debye_color_map_load(const char *path, GError **error);
void debye_color_map_get(const DebyeColorMap *map, double fraction, float rgb[3]);
