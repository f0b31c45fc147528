/* SPDX-License-Identifier: MIT */
/* What layers that draw a mesh share: the mesh, its GL objects, picking, and colours that come from a map
 * (the potential on a molecule's surface). */
#pragma once

#include "render/plot/color_map.h"
#include "data/results/field.h"
#include "layer.h"
#include "render/mesh/mesh.h"

/* Properties: "color-field" DebyeField (NULL: the layer's own colours), "minimum" and "maximum" double (of
 * the map's colours). Until limits are set they follow what the map has on the mesh: symmetric at the 98th
 * percentile for a map with both signs. */
#define DEBYE_TYPE_MESH_LAYER (debye_mesh_layer_get_type())
G_DECLARE_DERIVABLE_TYPE(DebyeMeshLayer, debye_mesh_layer, DEBYE, MESH_LAYER, DebyeLayer)

struct _DebyeMeshLayerClass {
  DebyeLayerClass parent_class;
  /* Makes the mesh again, with the values of another colour field. */
  void (*remesh)(DebyeMeshLayer *self);
  /* Where the mesh will be, while it is being made; FALSE: nowhere. Left out: nowhere. */
  gboolean (*bound_unmade)(DebyeMeshLayer *self, DebyeVec3 *low, DebyeVec3 *high);
  /* The colour where neither vertices nor a map have one. Left out: grey. */
  void (*get_paint)(DebyeMeshLayer *self, float rgb[3]);
  /* Whether values other than a map's are shown by colours; and after another colour map was chosen. Left out: none. */
  gboolean (*has_scale)(DebyeMeshLayer *self);
  void (*color_map_changed)(DebyeMeshLayer *self);
};

/* Takes the mesh; colours of its vertices are gone. */
void debye_mesh_layer_take_mesh(DebyeMeshLayer *self, DebyeMesh *mesh);
const DebyeMesh *debye_mesh_layer_get_mesh(DebyeMeshLayer *self); /* NULL: none yet */
/* Takes four bytes a vertex; NULL: none. */
void debye_mesh_layer_take_colors(DebyeMeshLayer *self, guint8 *colors);

/* Of triangles that are made from now on, Å; 0: as their grid has them. */
double debye_mesh_layer_get_longest_edge(DebyeMeshLayer *self);

/* How far outside the mesh, along its normals, the map that colours it is sampled, Å; 0: on it. */
void debye_mesh_layer_set_sample_distance(DebyeMeshLayer *self, double distance);
double debye_mesh_layer_get_sample_distance(DebyeMeshLayer *self);

void debye_mesh_layer_set_color_field(DebyeMeshLayer *self, DebyeField *field);
DebyeField *debye_mesh_layer_get_color_field(DebyeMeshLayer *self);
/* The colours of its values: the chosen ones, or what the values ask for. */
const DebyeColorMap *debye_mesh_layer_get_color_map(DebyeMeshLayer *self);
/* The property "color-map"; NULL: the one that suits the values. */
const DebyeColorMap *debye_mesh_layer_get_chosen_map(DebyeMeshLayer *self);
