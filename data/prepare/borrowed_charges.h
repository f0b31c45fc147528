/* SPDX-License-Identifier: MIT */
/* Charges of residues that have another's: selenomethionine methionine's; and of those that another residue is bonded to in
 * place of a hydrogen. Called by prepare.c. */
#pragma once

#include "prepared_system.h"

/* Sets charges and radii of each such unit, with a warning for those that borrow. Its form is one that the lender's table has
 * (prepare_states.c). The charge of a hydrogen that another residue replaced goes to the atom that carried it. */
void debye_borrowed_charges_set(DebyePreparedSystem *system, DebyeChargeTable table);
