/* SPDX-License-Identifier: MIT */
/* Some atoms of a molecule, or all: which bonds lie between them, where they end, which of them a ray meets. */
#pragma once

#include "data/molecule/frame.h"
#include "data/molecule/topology.h"

typedef struct {
  const guint32 *atoms; /* ascending; NULL: all, 0 … n_atoms − 1 */
  gsize n_atoms;
} DebyeAtomSet;

/* The bonds between two atoms of the set. (element-type DebyeBond) */
GArray *debye_atom_set_find_bonds(const DebyeAtomSet *set, DebyeTopology *topology);
/* The atoms of the set; without bonded ones those that no bond within the set touches. (element-type guint32)
 */
GArray *debye_atom_set_list(const DebyeAtomSet *set, DebyeTopology *topology, gboolean bonded_too);

/* See DebyeLayerClass.extend_supports; `rim`: how far atoms reach beyond their centres, Å. */
void debye_atom_set_extend_supports(const DebyeAtomSet *set, const DebyeFrame *frame, double rim,
                                    const DebyeVec3 *directions, double *supports);

/* Spheres as they are drawn: radius = scale · van der Waals + offset, Å; see debye_molecule_styles(). */
typedef struct {
  const guint8 *styles;
  float scale, offset;
} DebyeAtomSpheres;

/* The index of the first atom along the ray; −1: none nearer than *depth, which it lowers. */
gint64 debye_atom_set_pick(const DebyeAtomSet *set, const DebyeFrame *frame, const DebyeAtomSpheres *spheres,
                           DebyeVec3 origin, DebyeVec3 direction, double *depth);
