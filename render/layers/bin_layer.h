/* SPDX-License-Identifier: MIT */
/* The bins that a sum up to a cutoff sorts atoms into: cubes on a lattice that begins at the lowest
 * coordinate, drawn where they hold atoms. A bin on a device has room for so many atoms; those beyond, which
 * are left to the processor, are marked.
 *
 * With an atom chosen only its bin and those are shown that the grid points of that bin have to look at: the cube
 * of bins within reach of the cutoff, or the sphere's list of them.
 *
 * Properties: "capacity" double (atoms), "edge", "cutoff", "spacing" double (Å), "atom" int (−1: all bins), "list"
 * int (0: cube, 1: sphere); to be read "n-overflow", "n-brought" (in the bins that are shown), "n-within" (of these
 * within the cutoff of the chosen bin's points) uint. */
#pragma once

#include "molecule_mesh_layer.h"

G_BEGIN_DECLS

#define DEBYE_MAX_BIN_CAPACITY 32

#define DEBYE_TYPE_BIN_LAYER (debye_bin_layer_get_type())
extern const DebyeLayerKind debye_bin_layer_kind;
G_DECLARE_FINAL_TYPE(DebyeBinLayer, debye_bin_layer, DEBYE, BIN_LAYER, DebyeMoleculeMeshLayer)

DebyeBinLayer *debye_bin_layer_new(DebyeTopology *topology);

G_END_DECLS
