/* SPDX-License-Identifier: MIT */
/* Pairs the atoms of a ligand's file with those of a residue. Called by ligand_units.c. */
#pragma once

#include "data/molecule/ligand.h"

/* For each atom of `residue` the heavy atom of `file` that it is, or DEBYE_LIGAND_NONE (its hydrogens): by names where both
 * have the same with the same bonds, else by elements and bonds. Of several ways the one in which atoms lie nearest and
 * bonds have the most similar lengths, so that equivalent atoms (both oxygens of an acid) get their own protons. NULL:
 * they are not the same molecule. Free with g_free. */
#define DEBYE_LIGAND_NONE G_MAXUINT32
guint32 *debye_ligand_match(const DebyeLigand *residue, const DebyeLigand *file);
