/* SPDX-License-Identifier: MIT */
/* What the residues of a topology are: by their names, and where no name is known, by the chain they stand in. The PDB
 * has a thousand names of modified amino acids and nucleotides. */
#pragma once

#include "topology.h"

G_BEGIN_DECLS

/* One DebyeResidueClass per residue. A residue of an unknown name that has the backbone's atoms is of the class of the
 * residue before or behind it in the chain, if their numbers follow one another. */
guint8 *debye_chain_residues_classify(DebyeTopology *topology);

G_END_DECLS
