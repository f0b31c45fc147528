/* SPDX-License-Identifier: MIT */
/* One texture with all the texts that are on the screen, each drawn once by pango and cairo at the very size
 * in pixels: crisp at any scale. */
#pragma once

#include "render/plot/plot_drawing.h"

typedef struct _DebyePlotAtlas DebyePlotAtlas;

/* Pixels of the texture, and where the anchor (the left end of the baseline) is in them. */
typedef struct {
  int x, y, width, height;
  int origin_x, origin_y;
} DebyePlotAtlasEntry;

DebyePlotAtlas *debye_plot_atlas_new(void);
void debye_plot_atlas_free(DebyePlotAtlas *atlas, gboolean context_lost);
/* Binds the texture and finds or draws the text of an item. NULL where it is larger than the texture. An
 * entry is good until the next call: a full texture begins anew. */
const DebyePlotAtlasEntry *debye_plot_atlas_find(DebyePlotAtlas *atlas, const DebyeDrawItem *item,
                                                 double pixels_per_point, int unit);
