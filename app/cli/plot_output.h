/* SPDX-License-Identifier: MIT */
/* Curves from the command line: which quantity, as a picture of which size or as its numbers. */
#pragma once

#include "data/settings/request.h"
#include "data/results/result.h"
#include "render/plot/plot.h"

G_BEGIN_DECLS

/* Settings of a command that writes curves: of one whose curves measure one thing, of pair distributions, and
 * of mean square displacements. */
extern const DebyeSettingTable debye_plot_settings, debye_rdf_plot_settings, debye_msd_plot_settings;

/* "WIDTHxHEIGHT" in millimetres. */
gboolean debye_plot_size_parse(const char *text, double *width, double *height, GError **error);
/* Whether a plot is written there: into .svg, .pdf, .png, and into .csv where a quantity was asked for. */
gboolean debye_plot_output_takes(DebyeRequest *settings, const char *path);
/* The plot as it is, into .svg, .pdf or .png. */
gboolean debye_plot_output_save_plot(DebyePlot *plot, DebyeRequest *settings, const char *path,
                                     GError **error);
/* `settings`: of one of the tables above. A quantity that the result doesn't have is an error that names
 * those it has. `command`: as in debye_result_save. */
gboolean debye_plot_output_save(DebyeResult *result, DebyeRequest *settings, const char *path,
                                const char *command, GError **error);

G_END_DECLS
