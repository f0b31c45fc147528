/* SPDX-License-Identifier: MIT */
/* Charges of residues that have another's: selenomethionine methionine's. Called by prepare.c. */
#pragma once

#include "prepared_system.h"

G_BEGIN_DECLS

/* Sets charges and radii of each such unit, with a warning. Its form is one that the lender's table has (prepare_states.c). */
void debye_borrowed_charges_set(DebyePreparedSystem *system, DebyeChargeTable table);

G_END_DECLS
