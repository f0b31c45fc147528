/* SPDX-License-Identifier: MIT */
/* A plane through a map, coloured, with its colour bar. */
#pragma once

#include "data/results/field.h"
#include "layer.h"
#include "render/plot/color_map.h"

#define DEBYE_TYPE_SLICE_LAYER (debye_slice_layer_get_type())
extern const DebyeLayerKind debye_slice_layer_kind;
G_DECLARE_FINAL_TYPE(DebyeSliceLayer, debye_slice_layer, DEBYE, SLICE_LAYER, DebyeLayer)

/* Lines at multiples of a step, with their numbers: the values of "contours". */
typedef enum {
  DEBYE_CONTOURS_OFF,
  DEBYE_CONTOURS_ROUND, /* of 1, 2 or 5 times a power of ten that gives about eight */
  DEBYE_CONTOURS_STEP,  /* of "contour-step" */
} DebyeContours;

/* The value of "axis" for a plane through a point across a normal. */
#define DEBYE_SLICE_ANY_PLANE 3

/* Properties: "axis" int 0…3 (along a grid axis, or any plane), "plane" string ("x,y,z:nx,ny,nz", a point in Å and a
 * normal; "" until one is set or chosen, which begins with the plane that is shown), "position" double 0…1 along the
 * axis or, of any plane, from where the map begins to where it ends along the normal,
 * "distance" double Å (the same place, along the plane's normal, from the origin of space), "minimum" and
 * "maximum" double (limits of the colours), "contours" int (DebyeContours), "contour-step" double in the map's unit;
 * "is-any-plane" and "has-contour-step" boolean, to be read, say which of them count. Starts in the middle;
 * until limits are set they follow the map: symmetric at its 98th percentile for a diverging colour map.
 * Points without a value are left out. */
DebyeSliceLayer *debye_slice_layer_new(DebyeField *field);
void debye_slice_layer_set_axis(DebyeSliceLayer *self, int axis);
void debye_slice_layer_set_position(DebyeSliceLayer *self, double position);
/* The middle of the map along that axis; where the map is next to nothing there (an orbital's
 * nodal plane), the plane of the grid where it is strongest. */
void debye_slice_layer_begin_along(DebyeSliceLayer *self, int axis);
/* Moves a plane along an axis of the grid to where the map is strongest, if there is next to nothing where it is. */
void debye_slice_layer_leave_empty(DebyeSliceLayer *self);
/* Any plane; FALSE, and nothing changes, where `text` isn't "x,y,z:nx,ny,nz" with a normal that has a length. */
gboolean debye_slice_layer_set_plane(DebyeSliceLayer *self, const char *text);
/* Whether the plane cuts the map. */
gboolean debye_slice_layer_is_cut(DebyeSliceLayer *self);
void debye_slice_layer_set_contours(DebyeSliceLayer *self, DebyeContours contours, double step);
/* Between the contours, as drawn; 0: there are none. */
double debye_slice_layer_get_contour_step(DebyeSliceLayer *self);
/* Å; kept within the map. */
void debye_slice_layer_set_distance(DebyeSliceLayer *self, double distance);
double debye_slice_layer_get_distance(DebyeSliceLayer *self);
/* From where to where the map reaches along the normal. */
void debye_slice_layer_get_reach(DebyeSliceLayer *self, double *low, double *high);
/* Those that values are drawn in: the chosen ones, or what the values ask for. */
const DebyeColorMap *debye_slice_layer_get_color_map(DebyeSliceLayer *self);
/* In the map's unit. */
void debye_slice_layer_get_limits(DebyeSliceLayer *self, double *minimum, double *maximum);
