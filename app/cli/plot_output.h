/* SPDX-License-Identifier: MIT */
/* Curves from the command line: which quantity, as a picture of which size or as its numbers. */
#pragma once

#include "data/files/picture_origin.h"
#include "data/settings/request.h"
#include "data/results/result.h"
#include "render/plot/result_plot.h"

/* Settings of a command that writes curves: of one whose curves measure one thing, of pair distributions,
 * of mean square displacements, and of fits. */
extern const DebyeSettingTable debye_plot_settings, debye_rdf_plot_settings, debye_msd_plot_settings,
    debye_fit_plot_settings;
/* Of times, beside which no measured curve stands. */
extern const DebyeSettingTable debye_bench_plot_settings;

/* "WIDTHxHEIGHTmm", or "WIDTHxHEIGHT" in pixels of that resolution: in points. */
gboolean debye_plot_size_parse(const char *text, double dpi, double *width, double *height, GError **error);
/* Whether a plot is written there: into .svg, .pdf, .png, and into .csv where a quantity was asked for. */
gboolean debye_plot_output_takes(DebyeRequest *settings, const char *path);
/* The plot as it is, into .svg, .pdf or .png; `origin`: how it was made, NULL: forgotten. */
gboolean debye_plot_output_save_plot(DebyePlot *plot, DebyeRequest *settings,
                                     const DebyePictureOrigin *origin, const char *path, GError **error);
/* `settings`: of one of the tables above. A quantity that the result doesn't have is an error that names
 * those it has. `command`: as in debye_result_save. */
gboolean debye_plot_output_save(DebyeResult *result, DebyeRequest *settings, const char *path,
                                const char *command, const DebyePictureOrigin *origin, GError **error);

/* The parts of the above, for a figure of several plots. Shows the quantity of that name, NULL:
 * the first; `path` is named where the plot has none such. */
gboolean debye_plot_output_choose(DebyeResultPlot *plot, const char *wanted, const char *path,
                                  GError **error);
/* The quantities of the setting "also" on the left axis; one over another axis or in another unit is an error. */
gboolean debye_plot_output_set_also(DebyeResultPlot *plot, DebyeRequest *request, const char *path,
                                    GError **error);
/* The quantities of the setting "second" on the right axis; one over another axis, or several units, are an error. */
gboolean debye_plot_output_set_second(DebyeResultPlot *plot, DebyeRequest *request, const char *path,
                                      GError **error);
/* Measured curves of files, with what is shown. A curve whose x can't stand on the plot's axis is an error. How a curve
 * was fitted stands in the caption, and in its name where no caption is drawn. */
gboolean debye_plot_output_add_measured(DebyeResultPlot *plot, guint first_key, const char *const *paths,
                                        gboolean with_caption, GError **error);
