/* SPDX-License-Identifier: MIT */
/* The list of quantities that a plot offers: grouped by analysis, each symbol with its name in words. Used by
 * plot_panel.c. */
#pragma once

#include <gtk/gtk.h>

#include "render/plot/result_plot.h"

/* What the plot can show, those of one analysis together, in the order of the plot. (element-type DebyeQuantity) */
GPtrArray *debye_quantity_menu_list(DebyeResultPlot *plot);
/* "Pair distribution" of g(r), to be shown; NULL: its label says it. */
const char *debye_quantity_menu_get_words(const DebyeQuantity *quantity);
/* Gives the drop down of such a list rows of a symbol and its words, with the analysis above the first of each group where
 * there are several. Its model has one item per quantity of that list. */
void debye_quantity_menu_attach(GtkDropDown *drop_down, DebyeResultPlot *plot);
