/* SPDX-License-Identifier: MIT */
/* GROMACS' run input files made by hand: a chain of four carbons in two residues, then rigid waters of four sites,
 * with virtual sites, and a bond from the chain to the first water in files that can have one. */
#pragma once

#include <glib.h>

#define TPR_N_ATOMS 12      /* what the head says; two waters make it true */
#define TPR_C6 2.6173456e-3 /* kJ/mol·nm⁶, of SPC/E water's oxygen, and kJ/mol·nm¹² */
#define TPR_C12 2.634129e-6
#define TPR_FENE_BOND 6 /* the number of a kind of two reals, as Lennard-Jones has */

/* Coordinate `k` of the 3 · TPR_N_ATOMS, in nm. Velocity `k` is 0.25 · k nm/ps. */
double tpr_get_coordinate(int k);

/* A file of that version: 83 (GROMACS 4.6) or 127. To be freed with g_byte_array_unref(). */
GByteArray *tpr_make_file(gint32 version, gboolean is_double, gint32 n_waters);
/* `kind`: of the first parameter set, as that version numbers it. */
GByteArray *tpr_make_file_of(gint32 version, gboolean is_double, gint32 n_waters, int kind);
