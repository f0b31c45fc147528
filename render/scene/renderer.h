/* SPDX-License-Identifier: MIT */
/* The passes that make a picture of some layers in the current GL context, and the GL objects they need. */
#pragma once

#include "look.h"
#include "render/layers/layer.h"

/* A rectangle of a picture, seen from a camera. */
typedef struct {
  const DebyeCamera *camera;
  const DebyeLook *look;
  DebyeVec3 low, high; /* what there is to see */
  int width, height;   /* of the whole picture, pixels */
  int left, bottom;    /* of the rectangle in it */
  int tile_width, tile_height;
  double scale;           /* pixels a logical pixel */
  double least_font_size; /* of words in it, logical pixels; the look's own where that is larger */
  gboolean thorough;      /* a picture to keep: every layer of transparency, however long it takes */
  int n_samples;          /* shifted pictures that debye_renderer_draw() takes the mean of */
} DebyePicture;

typedef struct _DebyeRenderer DebyeRenderer;

DebyeRenderer *debye_renderer_new(void);
void debye_renderer_free(DebyeRenderer *renderer, gboolean context_lost);
DebyePrograms *debye_renderer_get_programs(DebyeRenderer *renderer);

/* A picture to keep, with all its samples, into the framebuffer `target`. FALSE where this GL can't. */
gboolean debye_renderer_draw(DebyeRenderer *renderer, GListModel *layers, const DebyePicture *picture,
                             GLuint target, GError **error);

/* For a view, three steps to a picture: a sketch at once, as fine as the time that the last ones took allows
 * (see pace.h); then, piece by piece, each of some 12 ms, samples of the still picture; each is shown when it
 * is whole. Sketches, debye_renderer_draw() and other sizes spoil a sample that is not. */
gboolean debye_renderer_sketch(DebyeRenderer *renderer, GListModel *layers, const DebyePicture *picture,
                               GError **error);
/* The sample in the making, if any, is given up. */
void debye_renderer_begin(DebyeRenderer *renderer);
/* The next piece of the sample `number`, which 0 begins anew; *whole: it was the last one. */
gboolean debye_renderer_refine(DebyeRenderer *renderer, GListModel *layers, const DebyePicture *picture,
                               int number, gboolean *whole, GError **error);
/* Puts the mean of the samples, or with none the sketch, into the framebuffer `target`. */
void debye_renderer_show(DebyeRenderer *renderer, const DebyePicture *picture, GLuint target, int n_samples);

/* Before the first tile of a picture: where occlusion sees what stands beyond a tile's edges, so that tiles
 * fit together. FALSE where this GL can't. */
gboolean debye_renderer_draw_overview(DebyeRenderer *renderer, GListModel *layers,
                                      const DebyePicture *picture);

/* Puts a premultiplied picture (a cairo surface's bytes) at (left, top) of the target; texture 0 makes one. */
void debye_renderer_draw_piece(DebyeRenderer *renderer, GLuint texture, const DebyePicture *picture,
                               double left, double top, double width, double height);
