/* SPDX-License-Identifier: MIT */
/* What GL has of a slice: the plane's values and the colours, as textures. Everything here runs with the
 * context current. */
#pragma once

#include "render/plot/color_map.h"
#include "layer.h"
#include "render/mesh/slice_plane.h"

typedef struct _DebyeSliceGl DebyeSliceGl;

DebyeSliceGl *debye_slice_gl_new(void);
/* context_lost: GL objects are forgotten, no context is needed. NULL is nothing. */
void debye_slice_gl_free(DebyeSliceGl *gl, gboolean context_lost);
void debye_slice_gl_set_plane(DebyeSliceGl *gl, const DebyeSlicePlane *plane);
void debye_slice_gl_set_colors(DebyeSliceGl *gl, const DebyeColorMap *map);

typedef struct {
  double minimum, maximum; /* limits of the colours */
  double opacity;
  double contour_step; /* 0: no contours */
} DebyeSliceShades;

void debye_slice_gl_draw(DebyeSliceGl *gl, const DebyeDrawContext *context, const DebyeSlicePlane *plane,
                         const DebyeSliceShades *shades);
