/* SPDX-License-Identifier: MIT */
/* The colour maps as evenly spaced stops. Diverging: ColorBrewer (Brewer, Harrower; RdBu, PRGn, BrBG).
 * Sequential: samples of matplotlib's viridis, inferno and cividis, which are even in CAM02-UCS lightness. */
#include "color_map.h"

#include <math.h>

static const guint32 red_white_blue[] = {0x67001f, 0xb2182b, 0xd6604d, 0xf4a582, 0xfddbc7, 0xf7f7f7,
                                         0xd1e5f0, 0x92c5de, 0x4393c3, 0x2166ac, 0x053061};
static const guint32 purple_white_green[] = {0x40004b, 0x762a83, 0x9970ab, 0xc2a5cf, 0xe7d4e8, 0xf7f7f7,
                                             0xd9f0d3, 0xa6dba0, 0x5aae61, 0x1b7837, 0x00441b};
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
    {"red-white-blue", TRUE, red_white_blue, G_N_ELEMENTS(red_white_blue)},
    {"purple-white-green", TRUE, purple_white_green, G_N_ELEMENTS(purple_white_green)},
    {"brown-white-teal", TRUE, brown_white_teal, G_N_ELEMENTS(brown_white_teal)},
    {"viridis", FALSE, viridis, G_N_ELEMENTS(viridis)},
    {"inferno", FALSE, inferno, G_N_ELEMENTS(inferno)},
    {"cividis", FALSE, cividis, G_N_ELEMENTS(cividis)},
    {"gray", FALSE, gray, G_N_ELEMENTS(gray)},
};

static const DebyeColorMap *const map_list[] = {&maps[0], &maps[1], &maps[2], &maps[3],
                                                &maps[4], &maps[5], &maps[6], NULL};
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
