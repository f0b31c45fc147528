/* SPDX-License-Identifier: MIT */
/* Makes a bare structure ready for sums over charges: hydrogens, protonation states, charges and radii, with a report of
 * what was done to each residue. What can't be done is an error, never a charge of zero. Called by the command prepare. */
#pragma once

#include "prepared_result.h"

/* `topology` and `frame`: atoms that don't count are left out. Errors are DEBYE_ERROR_MISSING, _VALUE and _MEMORY, and name
 * the residue. */
DebyePrepared *debye_prepare(DebyeTopology *topology, const DebyeFrame *frame,
                             const DebyePrepareSettings *settings, GError **error);
