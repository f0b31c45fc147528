/* SPDX-License-Identifier: MIT */
/* Puts hydrogens on the heavy atoms of prepared units, each form's; called by prepare.c after the states are decided. */
#pragma once

#include "hydrogen_site.h"
#include "prepared_system.h"

/* Adds heavy atoms that side chains lack (missing_atoms.h), and the second oxygen of each chain's end. Then checks that
 * every unit has the heavy atoms of its form: an error names the first that lacks some, and which. */
gboolean debye_prepare_complete(DebyePreparedSystem *system, GError **error);

/* The hydrogens of a unit's form, at its place in the chain, by the heavy atom that carries them; without those in whose place
 * another residue is bonded. */
void debye_prepare_list_hydrogens(const DebyePreparedSystem *system, const DebyePreparedUnit *unit,
                                  DebyeFormAtom atoms[DEBYE_FORM_ATOMS], guint *n_atoms);
/* The same with those. */
void debye_prepare_list_all_hydrogens(const DebyePreparedSystem *system, const DebyePreparedUnit *unit,
                                      DebyeFormAtom atoms[DEBYE_FORM_ATOMS], guint *n_atoms);

/* All hydrogens. Those of the file keep their places where name and bond length are right; others get ideal ones. The
 * torsions of hydroxyls are left at 180°, waters at their nearest acceptors. */
gboolean debye_prepare_add_hydrogens(DebyePreparedSystem *system, GError **error);
/* The same for one unit, whose form was changed; the file's hydrogens were taken into account already. */
gboolean debye_prepare_replace_hydrogens(DebyePreparedSystem *system, DebyePreparedUnit *unit,
                                         GError **error);

/* The hydrogens on one heavy atom. FALSE: its bonds leave no direction. */
gboolean debye_prepare_place(const DebyePreparedSystem *system, guint32 heavy, const DebyeFormAtom *form_atom,
                             double torsion, DebyeVec3 positions[DEBYE_SITE_HYDROGENS]);
