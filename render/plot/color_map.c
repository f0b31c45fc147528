/* SPDX-License-Identifier: MIT */
/* The colour maps as evenly spaced stops. Diverging: ColorBrewer 2.0 (Cynthia Brewer, Mark Harrower; RdBu, PRGn, PiYG,
 * BrBG with 11 classes; Apache License 2.0). Sequential: samples of matplotlib's viridis and inferno (Stéfan van der Walt,
 * Nathaniel Smith) and cividis (Nuñez, Anderton, Renslow 2018), all CC0, which are even in CAM02-UCS lightness. */
#include "color_map.h"

#include <math.h>
#include <string.h>

static const guint32 red_white_blue[] = {0x67001f, 0xb2182b, 0xd6604d, 0xf4a582, 0xfddbc7, 0xf7f7f7,
                                         0xd1e5f0, 0x92c5de, 0x4393c3, 0x2166ac, 0x053061};
static const guint32 purple_white_green[] = {0x40004b, 0x762a83, 0x9970ab, 0xc2a5cf, 0xe7d4e8, 0xf7f7f7,
                                             0xd9f0d3, 0xa6dba0, 0x5aae61, 0x1b7837, 0x00441b};
static const guint32 pink_white_green[] = {0x8e0152, 0xc51b7d, 0xde77ae, 0xf1b6da, 0xfde0ef, 0xf7f7f7,
                                           0xe6f5d0, 0xb8e186, 0x7fbc41, 0x4d9221, 0x276419};
static const guint32 brown_white_teal[] = {0x543005, 0x8c510a, 0xbf812d, 0xdfc27d, 0xf6e8c3, 0xf5f5f5,
                                           0xc7eae5, 0x80cdc1, 0x35978f, 0x01665e, 0x003c30};
static const guint32 viridis[] = {0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e,
                                  0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725};
static const guint32 inferno[] = {0x000004, 0x1b0c41, 0x4a0c6b, 0x781c6d, 0xa52c60,
                                  0xcf4446, 0xed6925, 0xfb9b06, 0xf7d13d, 0xfcffa4};
static const guint32 cividis[] = {0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173,
                                  0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838};
static const guint32 gray[] = {0x000000, 0xffffff};

static const DebyeColorMap maps[] = {
    {"red-white-blue", "RdBu", TRUE, red_white_blue, G_N_ELEMENTS(red_white_blue)},
    {"pink-white-green", "PiYG", TRUE, pink_white_green, G_N_ELEMENTS(pink_white_green)},
    {"purple-white-green", "PRGn", TRUE, purple_white_green, G_N_ELEMENTS(purple_white_green)},
    {"brown-white-teal", "BrBG", TRUE, brown_white_teal, G_N_ELEMENTS(brown_white_teal)},
    {"viridis", "viridis", FALSE, viridis, G_N_ELEMENTS(viridis)},
    {"inferno", "inferno", FALSE, inferno, G_N_ELEMENTS(inferno)},
    {"cividis", "cividis", FALSE, cividis, G_N_ELEMENTS(cividis)},
    {"gray", "grey", FALSE, gray, G_N_ELEMENTS(gray)},
};

static const DebyeColorMap *const map_list[] = {&maps[0], &maps[1], &maps[2], &maps[3], &maps[4],
                                                &maps[5], &maps[6], &maps[7], NULL};
G_STATIC_ASSERT(G_N_ELEMENTS(map_list) == G_N_ELEMENTS(maps) + 1);

const DebyeColorMap *const *
debye_color_map_list(void)
{
  return map_list;
}

const DebyeColorMap *
debye_color_map_find(const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS(maps); i++)
    if (name && (g_ascii_strcasecmp(maps[i].name, name) == 0 || g_ascii_strcasecmp(maps[i].label, name) == 0))
      return &maps[i];
  return NULL;
}

void
debye_color_map_get(const DebyeColorMap *map, double fraction, float rgb[3])
{
  double place = CLAMP(fraction, 0.0, 1.0) * (double)(map->n_stops - 1);
  if (isnan(place))
    place = 0.0;
  gsize below = MIN((gsize)place, map->n_stops - 2);
  double weight = place - (double)below;
  for (int channel = 0; channel < 3; channel++) {
    int shift = 16 - 8 * channel;
    double low = (double)((map->stops[below] >> shift) & 0xff);
    double high = (double)((map->stops[below + 1] >> shift) & 0xff);
    rgb[channel] = (float)((low + weight * (high - low)) / 255.0);
  }
}

/* --- By its colours --- */

/* Lighter or darker in the middle than at both ends, as what turns at a value is. */
static gboolean
is_diverging(const guint32 *stops, gsize n_stops)
{
  double light[3];
  for (gsize i = 0; i < 3; i++) {
    const guint32 stop = stops[i * (n_stops - 1) / 2];
    light[i] = 0.3 * (stop >> 16 & 0xff) + 0.6 * (stop >> 8 & 0xff) + 0.1 * (stop & 0xff);
  }
  return light[1] > fmax(light[0], light[2]) + 40.0 || light[1] < fmin(light[0], light[2]) - 40.0;
}

/* One map a text, for ever: few are chosen while a program runs, and whoever holds one may be on another thread. */
static const DebyeColorMap *
intern(const char *text, const char *name, const guint32 *stops, gsize n_stops)
{
  static GHashTable *known;
  static GMutex mutex;
  g_mutex_lock(&mutex);
  if (!known)
    known = g_hash_table_new(g_str_hash, g_str_equal);
  DebyeColorMap *map = g_hash_table_lookup(known, text);
  if (!map) {
    char *own = g_strdup(name);
    map = g_new(DebyeColorMap, 1);
    *map = (DebyeColorMap){.name = own,
                           .label = own,
                           .diverging = is_diverging(stops, n_stops),
                           .stops = g_memdup2(stops, n_stops * sizeof *stops),
                           .n_stops = n_stops};
    g_hash_table_insert(known, g_strdup(text), map);
  }
  g_mutex_unlock(&mutex);
  return map;
}

static char *
to_text(const char *name, const guint32 *stops, gsize n_stops)
{
  GString *text = g_string_new(name);
  g_string_append_c(text, ':');
  for (gsize i = 0; i < n_stops; i++)
    g_string_append_printf(text, " %06x", stops[i]);
  return g_string_free(text, FALSE);
}

char *
debye_color_map_to_text(const DebyeColorMap *map)
{
  return debye_color_map_find(map->name) == map ? g_strdup(map->name)
                                                : to_text(map->name, map->stops, map->n_stops);
}

const DebyeColorMap *
debye_color_map_parse(const char *text)
{
  const char *colon = strrchr(text, ':');
  guint32 stops[DEBYE_COLOR_MAP_STOPS];
  gsize n_stops = 0;
  if (!colon)
    return debye_color_map_find(text);
  g_autofree char *name = g_strndup(text, (gsize)(colon - text));
  g_auto(GStrv) words = g_strsplit(colon + 1, " ", DEBYE_COLOR_MAP_STOPS + 2);
  for (char **word = words; *word; word++) {
    guint64 color;
    if (!**word)
      continue;
    if (n_stops == DEBYE_COLOR_MAP_STOPS || strlen(*word) != 6 ||
        !g_ascii_string_to_unsigned(*word, 16, 0, 0xffffff, &color, NULL))
      return NULL;
    stops[n_stops++] = (guint32)color;
  }
  if (n_stops < 2 || *name == '\0')
    return NULL;
  g_autofree char *canonical = to_text(name, stops, n_stops);
  return intern(canonical, name, stops, n_stops);
}
