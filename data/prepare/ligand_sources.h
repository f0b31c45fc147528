/* SPDX-License-Identifier: MIT */
/* Files of ligands as what a structure is completed with: made complete themselves, found for a residue, and refused where
 * none is theirs. Called by ligand_units.c. */
#pragma once

#include "data/molecule/ligand.h"

/* Files of DebyeLigand, or NULL: formal charges and hydrogens of each. An error names a file whose aromatic bonds can't
 * be single and double ones, or the atom of one that has only some of its hydrogens. */
gboolean debye_ligand_sources_complete(GPtrArray *files, GError **error);
/* Each was used; else the error says that it is the same molecule as another, or no residue. */
gboolean debye_ligand_sources_check(GPtrArray *files, const gboolean *is_used, GError **error);

/* Of a molecule or residue. */
gboolean debye_ligand_has_hydrogens(const DebyeLigand *ligand);
/* Hydrogens that are atoms of the molecule, of one of its atoms. */
guint debye_ligand_count_hydrogens(const DebyeLigand *ligand, guint32 atom);
/* A carbon whose bonds leave room for hydrogens; DEBYE_LIGAND_COMPLETE: there is none. */
guint32 debye_ligand_find_open_carbon(const DebyeLigand *ligand);
/* The same of aliphatic amines, which nothing in water makes anions. */
guint32 debye_ligand_find_open_amine(const DebyeLigand *ligand);
