/* SPDX-License-Identifier: MIT */
/* Chemical components as the Protein Data Bank describes its ligands in mmCIF (the files of its Chemical Component
 * Dictionary): all atoms with their formal charges, and bonds with their orders. Called by ligand_file.c. */
#pragma once

#include "data/files/input.h"
#include "data/molecule/ligand.h"

/* Whether a file that begins so describes components. */
gboolean debye_cif_component_probe(const char *head, gsize n);

/* The first block's component, at the dictionary's ideal places, or else at the model's. Errors name the line: of a block
 * with several components, as entries have, of an order that is none, of a bond between atoms that aren't there. */
DebyeLigand *debye_cif_component_read(DebyeInput *input, GError **error);
