/* SPDX-License-Identifier: MIT */
/* The values of a map on a plane through it, for the layer of slices. */
#pragma once

#include "data/results/field.h"

/* Stands for "no value here" in what goes to GL: NaN is not dependable in shaders. */
#define DEBYE_NO_VALUE 1e30f

/* Of the largest cut of a box. */
#define DEBYE_SLICE_CORNERS 6

typedef struct {
  gsize n_u, n_v;
  float *values; /* u fastest */
  DebyeVec3 corner, side_u,
      side_v; /* value (i, j) stands at corner + i/(n_u − 1)·side_u + j/(n_v − 1)·side_v */
  /* The map's cut: a convex polygon in parts of the sides, 0 … 1. Values beyond it are those at the map's rim. */
  guint n_corners;
  float corners[DEBYE_SLICE_CORNERS][2];
} DebyeSlicePlane;

/* At a place (0 … 1) along a grid axis, on the grid's own points. */
DebyeSlicePlane *debye_slice_plane_along(DebyeField *field, int axis, double position);
/* Any plane through a point (Å), sampled more finely than the grid. NULL where it doesn't cut the map, or touches it at an
 * edge only. `normal` needs no length of its own, but must have one. */
DebyeSlicePlane *debye_slice_plane_through(DebyeField *field, DebyeVec3 point, DebyeVec3 normal);
/* How far such a plane lies from the origin of space along its normal, Å: for a grid along x, y and z the
 * coordinate itself. The normal points the way the axis goes. */
double debye_slice_plane_distance(const DebyeGrid *grid, int axis, double position);
/* The unit normal of the planes across an axis. */
DebyeVec3 debye_slice_plane_normal(const DebyeGrid *grid, int axis);
/* From where to where the map reaches along a unit normal, Å from the origin of space. */
void debye_slice_plane_reach(const DebyeGrid *grid, DebyeVec3 normal, double *low, double *high);
/* The middle of the map. */
DebyeVec3 debye_slice_plane_middle(const DebyeGrid *grid);
/* The place in space, Å, of one in parts of the sides. */
DebyeVec3 debye_slice_plane_place(const DebyeSlicePlane *plane, double u, double v);
/* Whether a place, in parts of the sides, is in the cut; and how far it is from the cut's rim, Å. */
gboolean debye_slice_plane_contains(const DebyeSlicePlane *plane, double u, double v);
double debye_slice_plane_rim_distance(const DebyeSlicePlane *plane, double u, double v);
/* Where a ray along the unit vector `direction` meets the cut nearer than *depth: the point, the map's value there and how far
 * away it is. FALSE: nowhere. */
gboolean debye_slice_plane_hit(const DebyeSlicePlane *plane, DebyeField *field, DebyeVec3 origin,
                               DebyeVec3 direction, DebyeVec3 *point, double *value, double *depth);
/* "x,y,z:nx,ny,nz", a point in Å and a normal of any length above 0. FALSE: the text is something else. */
gboolean debye_slice_plane_parse(const char *text, DebyeVec3 *point, DebyeVec3 *normal);
char *debye_slice_plane_format(DebyeVec3 point, DebyeVec3 normal);
void debye_slice_plane_free(DebyeSlicePlane *plane);
