/* SPDX-License-Identifier: MIT */
/* Bonds, their orders, and hydrogens of a molecule that a structure has as heavy atoms without more. Called by
 * ligand_units.c. */
#pragma once

#include "data/molecule/ligand.h"

/* Bonds where two atoms are nearer than the sum of their covalent radii and 0.4 Å; orders 1. */
void debye_ligand_find_bonds(DebyeLigand *ligand);

/* Sets orders so that each atom that is flat by its angles, or by its ring's torsions, has one double bond: those that are
 * shortest for their elements, over all of the molecule. Nitro groups, phosphates and what is bonded to S by more than two
 * bonds are recognised by their oxygens, triple bonds by a straight angle. DEBYE_LIGAND_COMPLETE, or an atom that got none. */
#define DEBYE_LIGAND_COMPLETE G_MAXUINT32
guint32 debye_ligand_perceive_orders(DebyeLigand *ligand);
/* Single and double bonds in place of aromatic ones. */
guint32 debye_ligand_localise_orders(DebyeLigand *ligand);

/* As in water at pH 7, beside hydrogens that are atoms of the molecule: carboxylates, phosphates (with two charges at
 * most) and sulfonates; aliphatic amines (of two that two carbons part one), amidines and guanidines. */
void debye_ligand_set_formal_charges(DebyeLigand *ligand);
/* Of a molecule with all its hydrogens: what bonds there are against what an uncharged atom has. */
void debye_ligand_set_formal_charges_by_bonds(DebyeLigand *ligand);
/* What each atom's valence leaves, with its formal charge. */
void debye_ligand_fill_hydrogens(DebyeLigand *ligand);
