/* SPDX-License-Identifier: MIT */
/* Which element each kind of atoms was taken for, from what that was decided, and an entry to say otherwise.
 *
 * Signal: "chosen" (GStrv: all choices, see data/selection/element_choice.h). */
#pragma once

#include <adwaita.h>

#include "data/molecule/topology.h"

#define DEBYE_TYPE_ELEMENTS_DIALOG (debye_elements_dialog_get_type())
G_DECLARE_FINAL_TYPE(DebyeElementsDialog, debye_elements_dialog, DEBYE, ELEMENTS_DIALOG, AdwWindow)

/* `of_files`: as the files have it; `choices`: made before, NULL-terminated. */
GtkWidget *debye_elements_dialog_new(GtkWindow *parent, DebyeTopology *of_files, const char *const *choices);
