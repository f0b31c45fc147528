/* SPDX-License-Identifier: MIT */
/* The layer of a molecule's surface: that of chosen atoms, frame by frame. */
#pragma once

#include "molecule_layer.h"
#include "molecule_mesh_layer.h"
#include "render/mesh/sphere_surface.h"

#define DEBYE_TYPE_MOLECULAR_SURFACE_LAYER (debye_molecular_surface_layer_get_type())
extern const DebyeLayerKind debye_molecular_surface_layer_kind;
G_DECLARE_FINAL_TYPE(DebyeMolecularSurfaceLayer, debye_molecular_surface_layer, DEBYE,
                     MOLECULAR_SURFACE_LAYER, DebyeMoleculeMeshLayer)

/* Properties: "kind" int (DebyeMeshSurface), "probe" double (radius of the solvent's ball, Å),
 * "sample-distance" double (of the colours' map, Å outside). "resolution"
 * is the resolution in Å; "coloring" a DebyeMoleculeColoring. */
DebyeMolecularSurfaceLayer *debye_molecular_surface_layer_new(DebyeTopology *topology);
