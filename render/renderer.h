/* SPDX-License-Identifier: MIT */
/* The passes that make a picture of some layers in the current GL context, and the GL objects they need. */
#pragma once

#include "scene.h"

G_BEGIN_DECLS

/* A rectangle of a picture, seen from a camera. */
typedef struct {
  const DebyeCamera *camera;
  const DebyeLook *look;
  DebyeVec3 low, high; /* what there is to see */
  int width, height;   /* of the whole picture, pixels */
  int left, bottom;    /* of the rectangle in it */
  int tile_width, tile_height;
  double scale; /* pixels a logical pixel */
  gboolean moving;
  gboolean thorough;           /* a picture to keep: every layer of transparency, however long it takes */
  int first_sample, n_samples; /* shifted pictures to add; 0 begins anew */
} DebyePicture;

typedef struct _DebyeRenderer DebyeRenderer;

DebyeRenderer *debye_renderer_new(void);
void debye_renderer_free(DebyeRenderer *renderer, gboolean context_lost);
DebyePrograms *debye_renderer_get_programs(DebyeRenderer *renderer);

/* Adds samples to the picture kept and puts it into the framebuffer `target`. */
gboolean debye_renderer_draw(DebyeRenderer *renderer, GListModel *layers, const DebyePicture *picture,
                             GLuint target, GError **error);

/* Before the first tile of a picture: where occlusion sees what stands beyond a tile's edges, so that tiles
 * fit together. FALSE where this GL can't. */
gboolean debye_renderer_draw_overview(DebyeRenderer *renderer, GListModel *layers,
                                      const DebyePicture *picture);

/* Puts a premultiplied picture (a cairo surface's bytes) at (left, top) of the target; texture 0 makes one.
 */
void debye_renderer_draw_piece(DebyeRenderer *renderer, GLuint texture, const DebyePicture *picture,
                               double left, double top, double width, double height);

G_END_DECLS
