/* SPDX-License-Identifier: MIT */
/* Bonds from distances, for structures whose files have none. */
#pragma once

#include "bond_sources.h"
#include "frame.h"
#include "topology.h"

/* Two atoms are bonded when 0.55·(r_i + r_j) < d < r_i + r_j + 0.4 Å, r the covalent radii, d the shortest
 * image in the frame's cell. Sorted by (i, j), each once. Never NULL. See bonds.c for what is left out and
 * why. */
GArray *debye_guess_bonds(DebyeTopology *topology, const DebyeFrame *frame); /* (element-type DebyeBond) */
/* A topology with bonds for all atoms: those of the file, and from distances those of atoms for which the
 * file has none (a PDB's CONECT lists by definition only what is not a standard residue); in standard
 * residues whose distances can't be right, those of the residue's template. `topology` itself (a new
 * reference) where nothing is to be added. */
DebyeTopology *debye_topology_with_guessed_bonds(DebyeTopology *topology, const DebyeFrame *frame);
/* The same, found once: of a topology, from the frame that it is first asked for with, which takes the better part
 * of a second for a million atoms; from then on the same object, on any thread. */
DebyeTopology *debye_topology_get_bonded(DebyeTopology *topology, DebyeFrame *frame);
/* The same, saying where the bonds come from. */
DebyeTopology *debye_topology_with_found_bonds(DebyeTopology *topology, const DebyeFrame *frame,
                                               DebyeBondSources *sources);
