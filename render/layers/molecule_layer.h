/* SPDX-License-Identifier: MIT */
/* The layer of atoms and bonds, drawn as ray-cast impostors; scenes make it (scene_builder.c). */
#pragma once

#include "data/molecule/frame.h"
#include "data/molecule/topology.h"
#include "layer.h"
#include "molecule_colors.h"

#define DEBYE_TYPE_MOLECULE_LAYER (debye_molecule_layer_get_type())
extern const DebyeLayerKind debye_molecule_layer_kind;
G_DECLARE_FINAL_TYPE(DebyeMoleculeLayer, debye_molecule_layer, DEBYE, MOLECULE_LAYER, DebyeLayer)

typedef enum {
  DEBYE_STYLE_SPHERES, /* van der Waals radii */
  DEBYE_STYLE_BALL_AND_STICK,
  DEBYE_STYLE_STICKS,
  DEBYE_STYLE_LINES,
} DebyeMoleculeStyle;

/* Properties: "style", "coloring" (int), "scale" double (of the radii), "color" as 0xRRGGBB
 * uint (of the uniform colouring), "choice" (atom_choice.h: atoms and selection together, notified only when
 * set so); to be read "frame" (DebyeFrame), "n-shown" uint. `bonds`: those of the topology, or, where it has
 * none, debye_guess_bonds() of the first frame (the caller decides and makes the topology). */
DebyeMoleculeLayer *debye_molecule_layer_new(DebyeTopology *topology);
/* Atoms shown (ascending); NULL: all. The array is copied, the selection stays. */
void debye_molecule_layer_set_atoms(DebyeMoleculeLayer *self, const guint32 *atoms, gsize n_atoms);
void debye_molecule_layer_set_style(DebyeMoleculeLayer *self, DebyeMoleculeStyle style);
void debye_molecule_layer_set_coloring(DebyeMoleculeLayer *self, DebyeMoleculeColoring coloring);
DebyeMoleculeColoring debye_molecule_layer_get_coloring(DebyeMoleculeLayer *self);
