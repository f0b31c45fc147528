/* SPDX-License-Identifier: MIT */
/* The atoms of a frame sorted into cells of space, so that a view can leave out what it doesn't see and draw
 * the near ones first: depth then hides most of the far ones before they are shaded. */
#pragma once

#include "data/molecule/frame.h"
#include "data/molecule/topology.h"

typedef struct {
  guint32 first, count;  /* in DebyeAtomOrder.atoms */
  float low[3], high[3]; /* of the centres, Å */
} DebyeAtomChunk;

typedef struct {
  guint32 *atoms;
  gsize n_atoms;
  DebyeAtomChunk *chunks;
  gsize n_chunks;
  double spread; /* mean diagonal of the chunks when sorted */
} DebyeAtomOrder;

/* `atoms` NULL: the first n_atoms. */
DebyeAtomOrder *debye_atom_order_new(const DebyeFrame *frame, const guint32 *atoms, gsize n_atoms);
void debye_atom_order_free(DebyeAtomOrder *order);
/* Bounds of the chunks in another frame. FALSE where atoms have moved so far that sorting anew pays. */
gboolean debye_atom_order_update(DebyeAtomOrder *order, const DebyeFrame *frame);

/* Bonds that follow each other, for a view to leave out those that it doesn't see: of each DEBYE_BONDS_A_BOX the low x, y, z and the
 * high x, y, z of the atoms' centres, Å. Bonds as long as `longest` or longer don't count. */
#define DEBYE_BONDS_A_BOX 64
float *debye_bond_boxes_new(const DebyeFrame *frame, const DebyeBond *bonds, gsize n_bonds, float longest);
