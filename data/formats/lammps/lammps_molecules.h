/* SPDX-License-Identifier: MIT */
/* Molecules by bonds, for LAMMPS files that number none. */
#pragma once

#include <glib.h>

/* `bonds`: pairs of places in 0 … n_atoms − 1, 2 · n_bonds of them; a pair with DEBYE_LAMMPS_NO_ATOM is passed over. One
 * number per atom: molecules count from 1 in the order of their first atoms; 0, LAMMPS' own for none, is an atom without
 * bonds. */
gint32 *debye_lammps_molecules_number(gsize n_atoms, const guint32 *bonds, gsize n_bonds);
