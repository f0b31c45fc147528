/* SPDX-License-Identifier: MIT */
/* The table of a titration's sites beside its plot: pKa as the result has them, charges at any pH, and one site's curve alone.
 * Part of plot_numbers.c. */
#pragma once

#include "render/plot/result_plot.h"

/* The result's table of sites, where the plot is over pH; NULL: something else is plotted. The result keeps it. */
DebyeTable *debye_plot_sites_find_table(DebyeResultPlot *plot, DebyeResult *newest);
/* What is to be seen of it: decimals that count, and charges at `ph`; NAN: the result's own. */
DebyeTable *debye_plot_sites_create_shown(DebyeResult *result, DebyeTable *sites, double ph);
/* In a row: "residue", "chain", "site". */
const char *debye_plot_sites_get_text(DebyeTable *sites, const char *column, guint row);
/* Of all sites' curves only this one stays visible, whichever result it is of; NULL: all are. */
void debye_plot_sites_show_alone(DebyeResultPlot *plot, const char *site);
