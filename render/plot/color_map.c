/* SPDX-License-Identifier: MIT */
/* The colour maps as evenly spaced stops. Diverging: ColorBrewer (Brewer, Harrower; RdBu, PiYG, PRGn, BrBG).
 * Sequential: samples of matplotlib's viridis, inferno and cividis, which are even in CAM02-UCS lightness. */
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
    {"RdBu", TRUE, red_white_blue, G_N_ELEMENTS(red_white_blue)},
    {"PiYG", TRUE, pink_white_green, G_N_ELEMENTS(pink_white_green)},
    {"PRGn", TRUE, purple_white_green, G_N_ELEMENTS(purple_white_green)},
    {"BrBG", TRUE, brown_white_teal, G_N_ELEMENTS(brown_white_teal)},
    {"viridis", FALSE, viridis, G_N_ELEMENTS(viridis)},
    {"inferno", FALSE, inferno, G_N_ELEMENTS(inferno)},
    {"cividis", FALSE, cividis, G_N_ELEMENTS(cividis)},
    {"grey", FALSE, gray, G_N_ELEMENTS(gray)},
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
    if (g_strcmp0(maps[i].name, name) == 0)
      return &maps[i];
  return NULL;
}

/* --- Own colours --- */

#define MAX_OWN 256

/* FALSE: it is no row of colours. */
static gboolean
read_stops(const char *text, GArray *stops)
{
  g_auto(GStrv) words = g_strsplit_set(text, " ,;\t", -1);
  for (guint i = 0; words[i] != NULL; i++) {
    const char *digits = *words[i] == '#' ? words[i] + 1 : words[i];
    if (*words[i] == '\0')
      continue;
    if (strspn(digits, "0123456789abcdefABCDEF") != 6 || digits[6] != '\0' || stops->len == MAX_OWN)
      return FALSE;
    guint32 color = (guint32)g_ascii_strtoull(digits, NULL, 16);
    g_array_append_val(stops, color);
  }
  return stops->len >= 2;
}

const DebyeColorMap *
debye_color_map_from_text(const char *text)
{
  static GMutex mutex;
  static GHashTable *known; /* text to map */
  g_autoptr(GArray) stops = g_array_new(FALSE, FALSE, sizeof(guint32));
  if (text == NULL || !read_stops(text, stops))
    return NULL;
  g_autoptr(GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new(&mutex);
  if (known == NULL)
    known = g_hash_table_new(g_str_hash, g_str_equal);
  DebyeColorMap *map = g_hash_table_lookup(known, text);
  if (map == NULL) {
    map = g_new(DebyeColorMap, 1);
    const gsize n_stops = stops->len;
    *map = (DebyeColorMap){.name = g_strdup(text),
                           .diverging = n_stops % 2 == 1,
                           .stops = (const guint32 *)(gpointer)g_array_free(g_steal_pointer(&stops), FALSE),
                           .n_stops = n_stops};
    g_hash_table_insert(known, (gpointer)map->name, map);
  }
  return map;
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
