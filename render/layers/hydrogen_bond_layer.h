/* SPDX-License-Identifier: MIT */
/* Hydrogen bonds of chosen atoms as dashes, frame by frame. */
#pragma once

#include "molecule_mesh_layer.h"

#define DEBYE_TYPE_HYDROGEN_BOND_LAYER (debye_hydrogen_bond_layer_get_type())
extern const DebyeLayerKind debye_hydrogen_bond_layer_kind;
G_DECLARE_FINAL_TYPE(DebyeHydrogenBondLayer, debye_hydrogen_bond_layer, DEBYE, HYDROGEN_BOND_LAYER,
                     DebyeMoleculeMeshLayer)

/* "distance" is the largest distance of donor and acceptor, Å, "angle" the largest angle at the donor,
 * degrees: see data/molecule/hydrogen_bonds.h. `topology` with its bonds. */
DebyeHydrogenBondLayer *debye_hydrogen_bond_layer_new(DebyeTopology *topology);
