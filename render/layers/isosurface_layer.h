/* SPDX-License-Identifier: MIT */
/* Isosurfaces of a map, meshed on a thread (the newest level replaces a waiting one). */
#pragma once

#include "data/results/field.h"
#include "mesh_layer.h"

#define DEBYE_TYPE_ISOSURFACE_LAYER (debye_isosurface_layer_get_type())
extern const DebyeLayerKind debye_isosurface_layer_kind;
G_DECLARE_FINAL_TYPE(DebyeIsosurfaceLayer, debye_isosurface_layer, DEBYE, ISOSURFACE_LAYER, DebyeMeshLayer)

/* One level of the map. Properties: "level" double, "color" as 0xRRGGBB uint. Positive levels are blue and
 * negative red unless set, or coloured by another map: see mesh_layer.h. */
DebyeIsosurfaceLayer *debye_isosurface_layer_new(DebyeField *field, double level);
void debye_isosurface_layer_set_level(DebyeIsosurfaceLayer *self, double level);
double debye_isosurface_layer_get_level(DebyeIsosurfaceLayer *self);
