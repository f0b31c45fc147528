/* SPDX-License-Identifier: MIT */
/* The look of a plot as a table of its own and as a file, which the window saves and uses and which `--config` of the commands
 * that write plots reads: one "key = value" per line, values of an option that is repeated with semicolons between. */
#pragma once

#include "plot_look.h"

/* The options of plot_look.h and the size of text, for a window. */
extern const DebyeSettingTable debye_style_table;

/* The lines about curves of a request of this table, or of another with the options of plot_look.h. Free with g_strfreev. */
char **debye_style_list_curves(DebyeRequest *style);

/* A key that is no option of plots is an error, and so is a value that plot_look.h refuses. */
DebyeRequest *debye_style_load(const char *path, GError **error);
/* Written beside and renamed. A semicolon within a value of an option that is repeated is an error: nothing in the file
 * stands for it. */
gboolean debye_style_save(DebyeRequest *style, const char *path, GError **error);
