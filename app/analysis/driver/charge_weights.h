/* SPDX-License-Identifier: MIT */
/* The charges that an analysis counted with, as the table “weights” of its result: a row for each charge that
 * atoms of a name have in residues of a name. */
#pragma once

#include "charge_choice.h"

/* Of `atoms` (guint32). Where nearly every atom has a charge of its own, which a table would only repeat, a
 * note says so instead. */
void debye_charge_weights_add(const DebyeChargeChoice *choice, const GArray *atoms, DebyeResult *result);
