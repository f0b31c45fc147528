/* SPDX-License-Identifier: MIT */
/* A molecule's atoms and bonds in GL. Positions lie in a texture of three layers (x, y, z as the frame has
 * them), which a new frame fills without conversion; spheres, cylinders and lines look their atoms up there. */
#pragma once

#include "atom_order.h"
#include "data/molecule/topology.h"
#include "layer.h"

typedef struct _DebyeMoleculeGl DebyeMoleculeGl;

/* How big things are, in Å; radius 0: not drawn. */
typedef struct {
  float sphere_scale, sphere_offset; /* radius = scale · van der Waals + offset */
  float bond_radius;
  float line_width; /* logical pixels */
  float longest_bond;
  const float *bond_boxes; /* see debye_bond_boxes_new(); NULL: all bonds are drawn */
  float opacity;
} DebyeMoleculeShape;

DebyeMoleculeGl *debye_molecule_gl_new(void);
void debye_molecule_gl_free(DebyeMoleculeGl *gl, gboolean context_lost);

void debye_molecule_gl_set_positions(DebyeMoleculeGl *gl, const DebyeFrame *frame);
void debye_molecule_gl_set_styles(DebyeMoleculeGl *gl, const guint8 *styles, gsize n_atoms);
void debye_molecule_gl_set_atoms(DebyeMoleculeGl *gl, const guint32 *atoms, gsize n_atoms);
void debye_molecule_gl_set_bonds(DebyeMoleculeGl *gl, const DebyeBond *bonds, gsize n_bonds);

void debye_molecule_gl_draw(DebyeMoleculeGl *gl, const DebyeDrawContext *context, const DebyeAtomOrder *order,
                            const DebyeMoleculeShape *shape);
