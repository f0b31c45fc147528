/* SPDX-License-Identifier: MIT */
/* Biological assemblies of PDB files, from REMARK 350; called by prepare_job.c. */
#pragma once

#include "data/files/input.h"
#include "data/molecule/assembly.h"

/* BIOMOLECULE `number` of the file. An error says which there are. */
DebyeAssembly *debye_pdb_assembly_read(DebyeInput *input, gint64 number, GError **error);
