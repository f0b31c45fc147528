/* SPDX-License-Identifier: MIT */
/* The plot of what was computed: which quantity, which results and measured curves over one another, with the
 * ways to copy, export and enlarge it. Folded while no result has curves.
 *
 * Signals:
 *   "shell-activated" (DebyeResult result, string pair, double from, double to)   atoms at that distance are
 *                                                                        to be shown; NULL: none any more
 *   "export", "add-measured"                                             a button was pressed
 * Properties: "large" boolean: it wants the place of the view, too. */
#pragma once

#include "data/results/result.h"
#include "plot_choices.h"
#include "plot_numbers.h"
#include "plot_view.h"
#include "ui/look/look_panel.h"

#define DEBYE_TYPE_PLOT_PANEL (debye_plot_panel_get_type())
G_DECLARE_FINAL_TYPE(DebyePlotPanel, debye_plot_panel, DEBYE, PLOT_PANEL, GtkBox)

/* `results`: of DebyeResult, newest first. A new one is shown in the place of those that came before, but for
 * those that were chosen by hand. */
void debye_plot_panel_set_results(DebyePlotPanel *self, GListModel *results);
/* Its curves stay beside those of other results, older and newer ones. */
void debye_plot_panel_keep(DebyePlotPanel *self, DebyeResult *result);
/* A result that grows: shown until it is in the list, whose newest then goes on as the same curves. NULL: no
 * more of it comes. */
void debye_plot_panel_set_growing(DebyePlotPanel *self, DebyeResult *result);
/* What can be shown, measured curves among it; they belong to the panel. */
DebyePlotChoices *debye_plot_panel_get_choices(DebyePlotPanel *self);

/* The newest result that is shown; NULL: none. */
DebyeResult *debye_plot_panel_get_result(DebyePlotPanel *self);
/* All that are, newest first. (element-type DebyeResult) */
GPtrArray *debye_plot_panel_list_results(DebyePlotPanel *self);
DebyePlotView *debye_plot_panel_get_view(DebyePlotPanel *self);
/* How it looks, by hand; it belongs to the panel. */
DebyeResultLook *debye_plot_panel_get_look(DebyePlotPanel *self);
DebyeLookPanel *debye_plot_panel_get_look_panel(DebyePlotPanel *self);
DebyePlotNumbers *debye_plot_panel_get_numbers(DebyePlotPanel *self);
/* The result's table of residues, where that is what the plot's numbers are; NULL: they are its curves'. */
DebyeTable *debye_plot_panel_find_table(DebyePlotPanel *self);
/* What is plotted; NULL: nothing. */
const DebyeQuantity *debye_plot_panel_get_quantity(DebyePlotPanel *self);
/* By its name in files: "g", "coordination". */
void debye_plot_panel_set_quantity(DebyePlotPanel *self, const char *name);
/* What is said under the plot about the atoms shown in 3-D, and the range that is tinted; NULL: nothing. */
void debye_plot_panel_set_shell(DebyePlotPanel *self, const char *text, double from, double to);
