/* SPDX-License-Identifier: MIT */
/* What capture.c asks of a scene beyond its public face: a rectangle of a larger picture. */
#pragma once

#include "scene.h"

typedef struct {
  int left, bottom, width, height; /* pixels, in GL's direction */
} DebyeTile;

/* Whether the GL that is current is a software one. */
gboolean debye_scene_is_software(DebyeScene *self);
/* Before the first tile of a picture of width × height. FALSE where this GL can't. */
gboolean debye_scene_begin_tiles(DebyeScene *self, int width, int height, double scale);
/* Draws the tile of a picture of width × height into the framebuffer that is bound, with all its samples. */
gboolean debye_scene_draw_tile(DebyeScene *self, int width, int height, double scale, const DebyeTile *tile,
                               int samples, GError **error);
