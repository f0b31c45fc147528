/* SPDX-License-Identifier: MIT */
/* Which views and plots stand on a figure, in which order, and how the page is; with a look at it. */
#pragma once

#include <adwaita.h>

#include "render/plot/figure.h"

#define DEBYE_TYPE_FIGURE_DIALOG (debye_figure_dialog_get_type())
G_DECLARE_FINAL_TYPE(DebyeFigureDialog, debye_figure_dialog, DEBYE, FIGURE_DIALOG, AdwWindow)

/* Emits "changed" where the figure is another, and "export". */
GtkWidget *debye_figure_dialog_new(GtkWindow *parent);
/* What may be a panel, in the caller's order. */
void debye_figure_dialog_add_panel(DebyeFigureDialog *self, const char *title, const char *subtitle,
                                   gboolean chosen);
/* Numbers of those that are chosen, in their order on the page. (element-type guint) */
GArray *debye_figure_dialog_list_panels(DebyeFigureDialog *self);
void debye_figure_dialog_get_style(DebyeFigureDialog *self, DebyeFigureStyle *style);
void debye_figure_dialog_set_style(DebyeFigureDialog *self, const DebyeFigureStyle *style);
/* What may be chosen: "preset" is emitted with the name, NULL: none. */
void debye_figure_dialog_set_presets(DebyeFigureDialog *self, const char *const *names);
/* Whether something of the preview is still being made. */
void debye_figure_dialog_set_working(DebyeFigureDialog *self, gboolean working);
/* Takes the figure that is shown; NULL: none. */
void debye_figure_dialog_take_preview(DebyeFigureDialog *self, DebyeFigure *figure);
