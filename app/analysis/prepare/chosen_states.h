/* SPDX-License-Identifier: MIT */
/* Protonation states that a person chose, from a CSV file; used by prepare_job.c. */
#pragma once

#include "data/prepare/prepare_states.h"

/* Rows chain, residue, state in the order that the first row names; a residue is a number, perhaps with an insertion code and
 * a name before it ("ASP 52"). Rows without a state are passed over, as those of water and of ends in a report are.
 * (element-type DebyePrepareState) */
typedef struct {
  GArray *states;
  GStringChunk *texts; /* that they refer to */
} DebyeChosenStates;

gboolean debye_chosen_states_read(DebyeChosenStates *self, const char *path, GError **error);
void debye_chosen_states_clear(DebyeChosenStates *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeChosenStates, debye_chosen_states_clear)
