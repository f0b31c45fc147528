/* SPDX-License-Identifier: MIT */
/* Residues that no table knows, as ligands: bond orders, hydrogens and charges, of a file or estimated. Called by prepare.c
 * after add_hydrogens.c. */
#pragma once

#include "data/molecule/ligand.h"
#include "prepared_system.h"

/* Fills hydrogens, charges and radii (Bondi's) of each such unit with more than one atom. `files` (DebyeLigand) or NULL: of a
 * residue that is the same molecule they give bond orders, formal charges and hydrogens, and charges if those are of all its
 * atoms and sum to a whole number; else charges are estimated (ligand_charges.h). Hydrogens of the structure are kept, and the
 * others added. What is bonded to other residues counts with its surroundings, and its charge is a whole number of its
 * own. An error names the residue, or a file that is of no residue. */
gboolean debye_ligand_units_fill(DebyePreparedSystem *system, GPtrArray *files, GError **error);
/* Whether that is possible for one unit; it is filled then, and `is_estimated` says whether its charges are no file's. The
 * files are complete (ligand_sources.h). */
gboolean debye_ligand_units_can_fill(DebyePreparedSystem *system, guint32 unit, GPtrArray *files,
                                     gboolean *is_estimated);
