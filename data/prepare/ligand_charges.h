/* SPDX-License-Identifier: MIT */
/* Charges of a molecule by partial equalisation of orbital electronegativity (Gasteiger and Marsili, Tetrahedron 36, 3219,
 * 1980). Called by ligand_units.c. */
#pragma once

#include "data/molecule/ligand.h"

/* Sets is_planar and is_linear from bond orders: sp² is what has a double or aromatic bond, and nitrogen or oxygen whose lone
 * pair is conjugated with one. */
void debye_ligand_set_hybridisation(DebyeLigand *ligand);

/* Fills charge and charge_of_hydrogens. With χ = a + b·q + c·q² of each atom's orbital, step k moves ½ᵏ·(χⱼ − χᵢ)/χᵢ⁺ over
 * each bond from i to j, where χᵢ⁺ is the less electronegative one's at q = 1 (hydrogen: 20.02 eV), in 8
 * steps from formal charges, which equivalent atoms share. a, b, c: of H, C, N, O, F, Cl, Br, I and S as
 * published there, of P and of S in aromatic rings as they were derived later (in RDKit). So the sum is
 * the formal charges'. 0, or the element that has no parameters. */
guint8 debye_ligand_estimate_charges(DebyeLigand *ligand);
