/* SPDX-License-Identifier: MIT */
/* The command that draws the plot of results as it looks in a window. */
#pragma once

#include "data/settings/request.h"

/* "debye-cli figure … --x-range 0:6 --output rdf.svg rdf.h5:g+other.h5": one plot on a page of a
 * journal's column, with the settings of `style` (of debye_style_table) that are set. `quantity`: by
 * its name; NULL: the first result's first. Free with g_free. */
char *debye_figure_command(DebyeRequest *style, const char *const *result_paths, const char *quantity);
