/* SPDX-License-Identifier: MIT */
/* A crystal from a small-molecule CIF: the atoms of the asymmetric unit and, made from them by the symmetry
 * operations, all atoms of one unit cell. Private to the CIF reader. */
#pragma once

#include "cif_site.h"
#include "data/molecule/topology.h"
#include "data/molecule/frame.h"

typedef struct _DebyeCifCrystal DebyeCifCrystal;

/* Reads the first block with fractional coordinates and makes the cell. */
DebyeCifCrystal *debye_cif_crystal_read(DebyeInput *input, GError **error);
void debye_cif_crystal_free(DebyeCifCrystal *crystal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeCifCrystal, debye_cif_crystal_free)

gsize debye_cif_crystal_get_n_atoms(const DebyeCifCrystal *crystal);
void debye_cif_crystal_add_to(const DebyeCifCrystal *crystal, DebyeTopologyBuilder *builder);
/* Positions and cell; the frame has as many atoms. */
void debye_cif_crystal_fill_frame(const DebyeCifCrystal *crystal, DebyeFrame *frame);
