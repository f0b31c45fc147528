/* SPDX-License-Identifier: MIT */
/* The settings of a request that belongs to no form, one a row: how the files of a window are read, how coordinates are
 * exported.
 *
 * Signal: "chosen". */
#pragma once

#include <adwaita.h>

#include "data/molecule/frame.h"
#include "data/molecule/topology.h"
#include "data/settings/request.h"

#define DEBYE_TYPE_SETTINGS_DIALOG (debye_settings_dialog_get_type())
G_DECLARE_FINAL_TYPE(DebyeSettingsDialog, debye_settings_dialog, DEBYE, SETTINGS_DIALOG, AdwWindow)

/* Its rows are the settings of `request`, which they change, but for those whose keys `left_out` (NULL-terminated, or NULL)
 * has. The title is that of the table; `hint`: a sentence above the rows, or NULL; `answer`: the button's label. */
GtkWidget *debye_settings_dialog_new(GtkWindow *parent, DebyeRequest *request, const char *const *left_out,
                                     const char *hint, const char *answer);
/* Of the atoms that selections choose from. */
void debye_settings_dialog_set_system(DebyeSettingsDialog *self, DebyeTopology *topology, DebyeFrame *frame);
DebyeRequest *debye_settings_dialog_get_request(DebyeSettingsDialog *self);
