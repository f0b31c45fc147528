/* SPDX-License-Identifier: MIT */
/* The bins that a sum up to a cutoff sorts atoms into: cubes on a lattice that begins at the lowest
 * coordinate, drawn where they hold atoms. A bin on a device has room for so many atoms; those beyond, which
 * are left to the processor, are marked.
 *
 * With an atom chosen only its bin and those are shown that the grid points of that bin have to look at: the cube
 * of bins within reach of the cutoff, or the sphere's list of them.
 *
 * Properties: "capacity" double (atoms), "edge", "cutoff", "spacing" double (Å), "atom" int (−1: none's), "bin-x",
 * "bin-y", "bin-z" int (the bin without an atom, counted from the lattice's corner; −1: all bins), "list" int (0: cube, 1:
 * sphere); to be read "n-overflow", "n-brought" (in the bins that are shown), "n-within" (of these
 * within the cutoff of the chosen bin's points) uint. */
#pragma once

#include "molecule_mesh_layer.h"

#define DEBYE_MAX_BIN_CAPACITY 32
#define DEBYE_MIN_BIN_EDGE 0.5 /* Å */

#define DEBYE_TYPE_BIN_LAYER (debye_bin_layer_get_type())
extern const DebyeLayerKind debye_bin_layer_kind;
G_DECLARE_FINAL_TYPE(DebyeBinLayer, debye_bin_layer, DEBYE, BIN_LAYER, DebyeMoleculeMeshLayer)

DebyeBinLayer *debye_bin_layer_new(DebyeTopology *topology);

/* A bin that is looked at: of an atom, or empty. */
typedef struct {
  int atom;   /* the first in it; −1: it is empty */
  int bin[3]; /* counted from the lattice's corner; all −1 with an atom */
} DebyeBinPick;

/* The nearest bin along a ray that holds atoms of the layer; else the one at `pivot`'s distance along it, if the lattice of
 * the atoms reaches there. FALSE: none. In bin_pick.c. */
gboolean debye_bin_layer_pick_bin(DebyeBinLayer *self, DebyeVec3 origin, DebyeVec3 direction, DebyeVec3 pivot,
                                  DebyeBinPick *pick);
