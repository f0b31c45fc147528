/* SPDX-License-Identifier: MIT */
/* Which alternate locations and which cell count in a window: for the picture, and for analyses whose forms
 * leave it open.
 *
 * Signal: "chosen". */
#pragma once

#include <adwaita.h>

#include "data/settings/request.h"

G_BEGIN_DECLS

#define DEBYE_TYPE_COUNTING_DIALOG (debye_counting_dialog_get_type())
G_DECLARE_FINAL_TYPE(DebyeCountingDialog, debye_counting_dialog, DEBYE, COUNTING_DIALOG, AdwWindow)

/* Its rows are the settings of `request`, “altloc” and “cell”, which they change. `hint`: what the files have. */
GtkWidget *debye_counting_dialog_new(GtkWindow *parent, DebyeRequest *request, const char *hint);
DebyeRequest *debye_counting_dialog_get_request(DebyeCountingDialog *self);

G_END_DECLS
