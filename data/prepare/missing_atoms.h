/* SPDX-License-Identifier: MIT */
/* Heavy atoms of side chains that a file lacks, built from an ideal residue on those that it has; used by add_hydrogens.c. */
#pragma once

#include "prepared_system.h"

/* Adds each atom that a neighbour, that one's neighbour and a third atom hold: bond, angle and torsion of the ideal residue.
 * Where the torsion is free, of three rotamers the one that is farthest from all other heavy atoms. Notes what was added, and
 * as a warning what came near another atom. What the backbone lacks stays missing. */
void debye_missing_atoms_add(DebyePreparedSystem *system, guint32 unit);
