/* SPDX-License-Identifier: MIT */
/* The kinds of interactions in GROMACS' run input files. Which atoms they bond and the Lennard-Jones
 * parameters are of use here; the rest must be known to be passed over. */
#pragma once

#include "data/molecule/topology.h"
#include "tpr_cursor.h"

/* Of a type of atoms with itself: E = c12/r¹² − c6/r⁶; kJ/mol·nm⁶ and kJ/mol·nm¹². */
typedef struct {
  double c6, c12;
} DebyeTprCoefficients;

/* Reads the force field's parameters and adds the Lennard-Jones ones of each type to `types`
 * (DebyeTprCoefficients): none where the force field has another potential, such as Buckingham's. */
void debye_tpr_read_parameters(DebyeTprCursor *cursor, GArray *types);
/* Reads the lists of interactions among n_atoms atoms and adds the bonds to `bonds` (DebyeBond): chemical
 * bonds and constraints, the two of a rigid water, and for a virtual site or shell the one to the atom that
 * carries it, so that a molecule is one piece. */
void debye_tpr_read_bonds(DebyeTprCursor *cursor, gsize n_atoms, GArray *bonds);
