/* SPDX-License-Identifier: MIT */
/* The numbers beside a plot: those of its curves, and of a plot along residues, or of sites over
 * pH, the result's own table, a row each, which says more than the curves. A site that is
 * selected has its curve alone in the plot. Part of plot_panel.c.
 *
 * Signals:
 *   "residue-chosen" (guint)            the residue of this atom, counted from 0 in the result's files, is selected,
 *                                       or its point
 *   "site-chosen" (chain, residue)      this site is: "A", "ASP 52"
 * Property "replaces-plot" boolean: there is a table, and it isn't one whose rows show curves. */
#pragma once

#include <gtk/gtk.h>

#include "render/plot/result_plot.h"

#define DEBYE_TYPE_PLOT_NUMBERS (debye_plot_numbers_get_type())
G_DECLARE_FINAL_TYPE(DebyePlotNumbers, debye_plot_numbers, DEBYE, PLOT_NUMBERS, GtkBox)

/* `plot` NULL: nothing. `newest`: the result whose table counts; NULL: none. */
void debye_plot_numbers_show(DebyePlotNumbers *self, DebyeResultPlot *plot, DebyeResult *newest);
/* At which the charges of sites are shown; NAN: at that of their result. */
void debye_plot_numbers_set_ph(DebyePlotNumbers *self, double ph);
/* A point of `plot`, which shows `result`: its residue is chosen. FALSE: it is none. */
gboolean debye_plot_numbers_choose(DebyePlotNumbers *self, DebyeResultPlot *plot, DebyeResult *result,
                                   double x, double y);
/* The rows selected, or all, as text under a row of headings; to be freed, NULL where there is nothing. */
char *debye_plot_numbers_copy_text(DebyePlotNumbers *self);

/* The table of residues that stands for the plot; NULL: the plot's own numbers do. */
DebyeTable *debye_plot_numbers_find_table(DebyeResultPlot *plot, DebyeResult *newest);
