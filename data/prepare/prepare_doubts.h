/* SPDX-License-Identifier: MIT */
/* What is in doubt about the positions of the file: atoms that the crystal does not show, and bonds that no molecule has, as of
 * alternate locations that don't belong together. Called by prepare.c, and the count by prepare_survey.c. */
#pragma once

#include "prepared_system.h"

/* Heavy atoms with zero occupancy; 0 where no atom has any. */
gsize debye_prepare_doubts_count(DebyeTopology *topology);
/* Tells them at their residues, and warns of bonds that are too short or too long. Chains are linked. */
void debye_prepare_doubts_note(DebyePreparedSystem *system);
