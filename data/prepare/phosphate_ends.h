/* SPDX-License-Identifier: MIT */
/* Strands of nucleic acids that begin with a phosphate group, as entries of RNA often do: tables have charges for phosphates
 * between two nucleotides alone. Called by prepare.c. */
#pragma once

#include "prepared_system.h"

/* Adds OP3 where P, OP1 and OP2 begin a strand without it. An error names a residue that has OP3 within a strand. */
gboolean debye_phosphate_ends_complete(DebyePreparedSystem *system, GError **error);

/* Charges within a strand, but for OP1, OP2 and OP3, which share what is left of -2 e and the charge
 * that the residue has where the strand begins without the phosphate: with the strand's other end the
 * sum is a whole number. OP3 has OP1's radius. A warning says so. */
void debye_phosphate_ends_set_charges(DebyePreparedSystem *system, DebyeChargeTable table);
