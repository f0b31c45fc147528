/* SPDX-License-Identifier: MIT */
/* A plane through a map, coloured, with its colour bar. */
#pragma once

#include "data/results/field.h"
#include "layer.h"

G_BEGIN_DECLS

#define DEBYE_TYPE_SLICE_LAYER (debye_slice_layer_get_type())
extern const DebyeLayerKind debye_slice_layer_kind;
G_DECLARE_FINAL_TYPE(DebyeSliceLayer, debye_slice_layer, DEBYE, SLICE_LAYER, DebyeLayer)

/* Properties: "axis" int 0…2 (along a grid axis), "position" double 0…1 along it,
 * "distance" double Å (the same place, along the plane's normal, from the origin of space), "minimum" and
 * "maximum" double (limits of the colours), "contours" boolean (lines at round values). Starts in the middle;
 * until limits are set they follow the map: symmetric at its 98th percentile for a diverging colour map.
 * Points without a value are left out. */
DebyeSliceLayer *debye_slice_layer_new(DebyeField *field);
void debye_slice_layer_set_axis(DebyeSliceLayer *self, int axis);
void debye_slice_layer_set_position(DebyeSliceLayer *self, double position);
/* Å; kept within the map. */
void debye_slice_layer_set_distance(DebyeSliceLayer *self, double distance);
double debye_slice_layer_get_distance(DebyeSliceLayer *self);
/* From where to where the map reaches along the normal. */
void debye_slice_layer_get_reach(DebyeSliceLayer *self, double *low, double *high);
/* In the map's unit; refused where the upper one is not above the lower one. */
void debye_slice_layer_set_limits(DebyeSliceLayer *self, double minimum, double maximum);
void debye_slice_layer_get_limits(DebyeSliceLayer *self, double *minimum, double *maximum);

G_END_DECLS
