/* SPDX-License-Identifier: MIT */
/* The settings table of debye-cli figure and the form of its panels, “FILE:QUANTITY+FILE…@STYLE”; used by command_figure.c,
 * and by cli_work.c for the files that a panel reads. */
#pragma once

#include "data/settings/request.h"
#include "render/plot/figure.h"

extern const DebyeSettingTable debye_figure_settings;

/* From a request of that table; FALSE: its size is none. */
gboolean debye_figure_style_from_request(DebyeFigureStyle *style, DebyeRequest *request, GError **error);

/* The file of options behind the last "@", if there is such a file: it is cut off. NULL: none. */
const char *debye_figure_split_style(char *operand);
/* "rdf.h5+measured.dat" into its files, some with a quantity. A plus sign may belong to a name. Free with g_strfreev. */
char **debye_figure_split_files(const char *operand);
/* The quantity after the last colon, which is cut off, unless that is part of the file's name. NULL: none. */
const char *debye_figure_split_quantity(char *path);
