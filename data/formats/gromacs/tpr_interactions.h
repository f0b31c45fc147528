/* SPDX-License-Identifier: MIT */
/* The kinds of interactions in GROMACS' run input files. Only which atoms they bond is of use here; the rest
 * must be known to be passed over. */
#pragma once

#include "data/molecule/topology.h"
#include "tpr_cursor.h"

G_BEGIN_DECLS

/* Passes over the force field's parameters. */
void debye_tpr_skip_parameters(DebyeTprCursor *cursor);
/* Reads the lists of interactions among n_atoms atoms and adds the bonds to `bonds` (DebyeBond): chemical
 * bonds and constraints, the two of a rigid water, and for a virtual site or shell the one to the atom that
 * carries it, so that a molecule is one piece. */
void debye_tpr_read_bonds(DebyeTprCursor *cursor, gsize n_atoms, GArray *bonds);

G_END_DECLS
