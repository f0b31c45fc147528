/* SPDX-License-Identifier: MIT */
/* Residues without a form that are bonded to others: sugars to asparagine and to each other, modified residues within a
 * chain. Called by prepare_links.c, ligand_units.c, add_hydrogens.c and borrowed_charges.c. */
#pragma once

#include "data/molecule/ligand.h"
#include "prepared_system.h"

/* Fills the system's links, by distance. What goes on as a chain does (C to N, O3' to P) is the previous or next residue of the
 * one that it is bonded to; so a modified residue ends no chain. */
gboolean debye_linked_units_find(DebyePreparedSystem *system, GError **error);

/* The link of a unit without a form that takes the place of no hydrogen: at carbon, at an ammonium group, at a second
 * residue; NULL: each can be kept. */
const DebyePreparedLink *debye_linked_units_find_refused(const DebyePreparedSystem *system, guint32 unit);

/* Removes from the atoms of a form the hydrogen in whose place another residue is bonded. `removed`: NULL, or a list of
 * DebyePreparedHydrogen that those are added to. */
void debye_linked_units_strip(const DebyePreparedSystem *system, const DebyePreparedUnit *unit,
                              DebyeFormAtom *atoms, guint n_atoms, GArray *removed);

/* Adds the heavy atoms of other residues up to three bonds away behind the unit's own, which bond orders and charges depend
 * on. Call it before bonds are found. */
void debye_linked_units_surround(const DebyePreparedSystem *system, guint32 unit, DebyeLigand *ligand);

/* What flowed over the bonds to others is put back at the unit's atoms that have them: its charge is `total` again. */
void debye_linked_units_balance(const DebyePreparedSystem *system, guint32 unit, DebyeLigand *ligand,
                                double total);
