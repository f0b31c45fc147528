/* SPDX-License-Identifier: MIT */
/* The numbers beside a plot: those of its curves, and of a plot along residues the result's own table, a row each, which says more
 * than the curves. Part of plot_panel.c.
 *
 * Signal "residue-chosen" (guint): the residue of this atom, counted from 0 in the result's files, is selected. */
#pragma once

#include <gtk/gtk.h>

#include "render/plot/result_plot.h"

G_BEGIN_DECLS

#define DEBYE_TYPE_PLOT_NUMBERS (debye_plot_numbers_get_type())
G_DECLARE_FINAL_TYPE(DebyePlotNumbers, debye_plot_numbers, DEBYE, PLOT_NUMBERS, GtkBox)

/* `plot` NULL: nothing. `newest`: the result whose table counts; NULL: none. */
void debye_plot_numbers_show(DebyePlotNumbers *self, DebyeResultPlot *plot, DebyeResult *newest);
/* The rows selected, or all, as text under a row of headings; to be freed, NULL where there is nothing. */
char *debye_plot_numbers_copy_text(DebyePlotNumbers *self);

/* The table of residues that stands for the plot; NULL: the plot's own numbers do. */
DebyeTable *debye_plot_numbers_find_table(DebyeResultPlot *plot, DebyeResult *newest);

G_END_DECLS
