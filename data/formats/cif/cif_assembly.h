/* SPDX-License-Identifier: MIT */
/* Biological assemblies of mmCIF files; called by prepare_job.c. */
#pragma once

#include "data/files/input.h"
#include "data/molecule/assembly.h"

/* Assembly `number` of _pdbx_struct_assembly_gen, with the operations of _pdbx_struct_oper_list. An error says which there
 * are, or names an operation that isn't there. */
DebyeAssembly *debye_cif_assembly_read(DebyeInput *input, gint64 number, GError **error);

/* The operations' names in each product of an expression such as "1,2", "(1-60)" or "(X0)(1-5,11)":
 * (element-type GStrv). NULL: it can't be understood, or makes more than DEBYE_ASSEMBLY_OPERATIONS. */
GPtrArray *debye_cif_assembly_parse(const char *expression);
