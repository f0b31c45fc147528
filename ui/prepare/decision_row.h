/* SPDX-License-Identifier: MIT */
/* One residue in the list of decisions: its name, its state, which can be chosen, and what was done. Made by prepare_panel.c.
 *
 * Signal: "state-chosen" (DebyeDecisionItem, char *state). */
#pragma once

#include <gtk/gtk.h>

#include "decision_item.h"

#define DEBYE_TYPE_DECISION_ROW (debye_decision_row_get_type())
G_DECLARE_FINAL_TYPE(DebyeDecisionRow, debye_decision_row, DEBYE, DECISION_ROW, GtkBox)

GtkWidget *debye_decision_row_new(void);
/* NULL: none. */
void debye_decision_row_set_item(DebyeDecisionRow *self, DebyeDecisionItem *item);
