/* SPDX-License-Identifier: MIT */
/* Molecules with their bond orders from Mol2 (Tripos), SDF or MOL (V2000, V3000) and
 * mmCIF component files; read by prepare_job.c for ligands. */
#pragma once

#include "data/files/input.h"
#include "data/molecule/ligand.h"

/* The first molecule of the file, whose format its content tells. Errors name the line. */
DebyeLigand *debye_ligand_file_read(const char *path, GError **error);

/* Of two of the formats. */
DebyeLigand *debye_ligand_read_mol2(DebyeInput *input, GError **error);
DebyeLigand *debye_ligand_read_sdf(DebyeInput *input, GError **error);
