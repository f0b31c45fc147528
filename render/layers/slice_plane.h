/* SPDX-License-Identifier: MIT */
/* The values of a map on a plane through it, for the layer of slices. */
#pragma once

#include "data/results/field.h"

G_BEGIN_DECLS

/* Stands for "no value here" in what goes to GL: NaN is not dependable in shaders. */
#define DEBYE_NO_VALUE 1e30f

typedef struct {
  gsize n_u, n_v;
  float *values; /* u fastest */
  DebyeVec3 corner, side_u,
      side_v; /* value (i, j) stands at corner + i/(n_u − 1)·side_u + j/(n_v − 1)·side_v */
} DebyeSlicePlane;

/* At a place (0 … 1) along a grid axis, on the grid's own points. */
DebyeSlicePlane *debye_slice_plane_along(DebyeField *field, int axis, double position);
/* How far such a plane lies from the origin of space along its normal, Å: for a grid along x, y and z the
 * coordinate itself. The normal points the way the axis goes. */
double debye_slice_plane_distance(const DebyeGrid *grid, int axis, double position);
void debye_slice_plane_free(DebyeSlicePlane *plane);

G_END_DECLS
