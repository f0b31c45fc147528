/* SPDX-License-Identifier: MIT */
/* Proteins and nucleic acids as ribbons, their secondary structure decided anew for each frame. */
#pragma once

#include "data/molecule/backbone.h"
#include "molecule_mesh_layer.h"

#define DEBYE_TYPE_CARTOON_LAYER (debye_cartoon_layer_get_type())
extern const DebyeLayerKind debye_cartoon_layer_kind;
G_DECLARE_FINAL_TYPE(DebyeCartoonLayer, debye_cartoon_layer, DEBYE, CARTOON_LAYER, DebyeMoleculeMeshLayer)

/* Values of "coloring". */
typedef enum {
  DEBYE_CARTOON_BY_STRUCTURE,
  DEBYE_CARTOON_BY_RESIDUE,
  DEBYE_CARTOON_BY_CHAIN,
  DEBYE_CARTOON_BY_SEQUENCE, /* from the first residue of a chain to its last */
  DEBYE_CARTOON_BY_B_FACTOR,
  DEBYE_CARTOON_UNIFORM,
} DebyeCartoonColoring;

/* "scale" is the scale of widths and radii. A residue is shown where its trace atom (CA, C3', P) is chosen. */
DebyeCartoonLayer *debye_cartoon_layer_new(DebyeTopology *topology);
/* The colours of the legend. */
guint32 debye_cartoon_structure_color(guint8 structure, DebyePolymer polymer);
