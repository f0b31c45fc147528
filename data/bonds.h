/* SPDX-License-Identifier: MIT */
/* Bonds from distances, for structures whose files have none. */
#pragma once

#include "frame.h"
#include "topology.h"

G_BEGIN_DECLS

/* Two atoms are bonded when 0.55·(r_i + r_j) < d < r_i + r_j + 0.4 Å, r the covalent radii, d the shortest
 * image in the frame's cell. Sorted by (i, j), each once. Never NULL. See bonds.c for what is left out and
 * why. */
GArray *debye_guess_bonds(DebyeTopology *topology, const DebyeFrame *frame); /* (element-type DebyeBond) */
/* A topology with bonds for all atoms: those of the file, and from distances those of atoms for which the
 * file has none (a PDB's CONECT lists by definition only what is not a standard residue). `topology` itself
 * (a new reference) where nothing is to be added. */
DebyeTopology *debye_topology_with_guessed_bonds(DebyeTopology *topology, const DebyeFrame *frame);

G_END_DECLS
