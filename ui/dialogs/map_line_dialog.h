/* SPDX-License-Identifier: MIT */
/* From where to where the values of a map are to be plotted. */
#pragma once

#include <adwaita.h>

#include "data/settings/request.h"

#define DEBYE_TYPE_MAP_LINE_DIALOG (debye_map_line_dialog_get_type())
G_DECLARE_FINAL_TYPE(DebyeMapLineDialog, debye_map_line_dialog, DEBYE, MAP_LINE_DIALOG, AdwWindow)

/* Its rows are the settings "line-from", "line-to" and "points" of `request`, which they change. `hint` says
 * where the points come from that stand there, or how others could come. Emits "plot". */
GtkWidget *debye_map_line_dialog_new(GtkWindow *parent, DebyeRequest *request, const char *hint);
