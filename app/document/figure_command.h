/* SPDX-License-Identifier: MIT */
/* The command that draws a result's plot as it looks in a window. */
#pragma once

#include "data/settings/request.h"

G_BEGIN_DECLS

/* "debye-cli figure … --x-range 0:6 --output rdf.svg rdf.h5:g": one plot on a page of a journal's column, with the settings of
 * `style` (of debye_style_table) that are set. `quantity`: by its name; NULL: the result's first. Free with g_free. */
char *debye_figure_command(DebyeRequest *style, const char *result_path, const char *quantity);

G_END_DECLS
