/* SPDX-License-Identifier: MIT */
/* "Look of the plot": axes, curves, legend, marks and texts of the plot of results, beside it. What is changed is seen at
 * once and can be undone (Ctrl+Z within it). Part of plot_panel.c.
 *
 * Signals: "use-style", "save-style": a file is to be asked for. */
#pragma once

#include <adwaita.h>

#include "render/look/result_look.h"

#define DEBYE_TYPE_LOOK_PANEL (debye_look_panel_get_type())
G_DECLARE_FINAL_TYPE(DebyeLookPanel, debye_look_panel, DEBYE, LOOK_PANEL, GtkBox)

/* Once; the controls are made when the panel is first seen. */
void debye_look_panel_set_look(DebyeLookPanel *self, DebyeResultLook *look, DebyeResultPlot *plot);
/* Of a plot and the panel: beside a large plot, else under it. */
void debye_look_panel_place(GtkPaned *parts, gboolean is_large);
