/* SPDX-License-Identifier: MIT */
/* The values of a map on a plane through it, for the layer of slices. */
#pragma once

#include "data/results/field.h"

G_BEGIN_DECLS

/* Stands for "no value here" in what goes to GL: NaN is not dependable in shaders. */
#define DEBYE_NO_VALUE 1e30f

/* A plane cuts a box in a hexagon at most. */
#define DEBYE_SLICE_MAX_OUTLINE 6

typedef struct {
  gsize n_u, n_v;
  float *values; /* u fastest */
  DebyeVec3 corner, side_u,
      side_v; /* value (i, j) stands at corner + i/(n_u − 1)·side_u + j/(n_v − 1)·side_v */
  /* What of this rectangle lies in the grid: a convex polygon, as shares of side_u and side_v. */
  guint n_outline;
  double outline[DEBYE_SLICE_MAX_OUTLINE][2];
} DebyeSlicePlane;

/* Whether a place, as shares of side_u and side_v, lies in the grid. */
gboolean debye_slice_plane_holds(const DebyeSlicePlane *plane, double u, double v);

/* At a place (0 … 1) along a grid axis, on the grid's own points. */
DebyeSlicePlane *debye_slice_plane_along(DebyeField *field, int axis, double position);
/* How far such a plane lies from the origin of space along its normal, Å: for a grid along x, y and z the
 * coordinate itself. The normal points the way the axis goes. */
double debye_slice_plane_distance(const DebyeGrid *grid, int axis, double position);
/* The plane of points r with normal·r = distance (Å; the normal has length 1), sampled twice as finely as the grid, on the
 * rectangle around its cut with the grid, outside of which the values at the grid's border go on. NULL: it cuts nothing. */
DebyeSlicePlane *debye_slice_plane_through(DebyeField *field, DebyeVec3 normal, double distance);
/* The least and the largest distance of such planes that meet the grid. */
void debye_slice_plane_reach(const DebyeGrid *grid, DebyeVec3 normal, double *low, double *high);
void debye_slice_plane_free(DebyeSlicePlane *plane);

G_END_DECLS
