/* SPDX-License-Identifier: MIT */
/* Pictures of curves from the command line: which quantity, how large, into .svg, .pdf or .png. */
#pragma once

#include "data/request.h"
#include "data/result.h"

G_BEGIN_DECLS

/* Settings of a command that writes curves: of one whose curves measure one thing, and of pair
 * distributions. */
extern const DebyeSettingTable debye_plot_settings, debye_rdf_plot_settings;

/* "WIDTHxHEIGHT" in millimetres. */
gboolean debye_plot_size_parse(const char *text, double *width, double *height, GError **error);
/* `settings`: of one of the tables above. A quantity that the result doesn't have is an error that names
 * those it has. */
gboolean debye_plot_output_save(DebyeResult *result, DebyeRequest *settings, const char *path,
                                GError **error);

G_END_DECLS
