/* SPDX-License-Identifier: MIT */
/* What the residues of a topology are: by their names, and where no name is known, by the chain they stand in. The PDB
 * has a thousand names of modified amino acids and nucleotides. */
#pragma once

#include "topology.h"

/* One DebyeResidueClass per residue. Residues of unknown names that have the backbone's atoms and stand between two residues
 * of a polymer are of its class: of one chain, with numbers that follow one another; where a file has no chains, bonded. At
 * the ends of a chain a ligand may have the same atoms (S-adenosylmethionine, ATP), so that names alone count there. */
guint8 *debye_chain_residues_classify(DebyeTopology *topology);
