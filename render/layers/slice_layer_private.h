/* SPDX-License-Identifier: MIT */
/* What slice_layer.c and slice_layer_plane.c share. */
#pragma once

#include "slice_gl.h"
#include "slice_layer.h"
#include "render/mesh/slice_plane.h"

struct _DebyeSliceLayer {
  DebyeLayer parent;
  DebyeField *field;
  int axis;
  double position;         /* along an axis */
  DebyeVec3 point, normal; /* of any plane; the normal is 0 until there is one */
  double minimum, maximum;
  gboolean limits_set;
  int contours; /* DebyeContours */
  double contour_step;
  const DebyeColorMap *map, *chosen_map; /* chosen_map NULL: by the values */
  DebyeSlicePlane *plane;                /* NULL: not sampled */
  gboolean sampled;     /* `plane` is up to date, though it may be NULL where there is no cut */
  GArray *numbers;      /* DebyeLabel: of the contours; NULL: not found yet */
  double numbers_of[3]; /* the limits and the step that they are of */

  DebyeSliceGl *gl;
  gboolean image_changed, colors_changed; /* from what GL has */
};

/* Whether it is any plane, and whether that has been chosen. */
gboolean debye_slice_layer_is_any(const DebyeSliceLayer *self);
gboolean debye_slice_layer_has_normal(const DebyeSliceLayer *self);
/* Sampled anew where it has moved; NULL: it doesn't cut the map. */
const DebyeSlicePlane *debye_slice_layer_get_plane(DebyeSliceLayer *self);
/* After the plane, or its map, has changed. */
void debye_slice_layer_move(DebyeSliceLayer *self);
/* In parts of what there is of the map along the normal. */
double debye_slice_layer_get_position(DebyeSliceLayer *self);
