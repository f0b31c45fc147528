/* SPDX-License-Identifier: MIT */
/* Hydrogen bonds by geometry: donor and acceptor near one another, and the hydrogen between them (Luzar and
 * Chandler, Nature 379, 55 (1996): 3.5 Å and 30°). */
#pragma once

#include "frame.h"
#include "topology.h"

typedef struct {
  guint32 donor, acceptor;
  guint32 hydrogen; /* G_MAXUINT32 where the file has none */
  DebyeVec3 to;     /* the acceptor's image that is meant, Å */
} DebyeHydrogenBond;

/* Donors are N, O and F that are bonded to a hydrogen, acceptors N, O and F; both among `atoms` (ascending;
 * NULL: all). `distance`: the largest between donor and acceptor, Å; `angle`: the largest at the donor
 * between hydrogen and acceptor, degrees. In a structure without any hydrogen the distance decides alone, for
 * pairs of which one can be a donor (N, or O of water), of different residues. Periodic where the frame has a
 * cell. (element-type DebyeHydrogenBond) */
GArray *debye_hydrogen_bonds_find(DebyeTopology *topology, const DebyeFrame *frame, const guint32 *atoms,
                                  gsize n_atoms, double distance, double angle);
