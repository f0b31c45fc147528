/* SPDX-License-Identifier: MIT */
/* Curves along the residues of a molecule in a solvent; used by map_residues.c. */
#pragma once

#include "data/results/result.h"

/* Of DEBYE_TABLE_OF_RESIDUES: potential of the surroundings and reaction field energy over the residues' numbers, a curve for
 * each chain or segment. */
void debye_map_residue_curves_add(DebyeTable *table, DebyeResult *result);
