/* SPDX-License-Identifier: MIT */
/* The plot of results: one quantity of one or several of them, measured curves beside, and what belongs to a
 * distribution of pairs, the peaks and the line g = 1. It keeps its plot while results are replaced by newer
 * ones and the quantity is switched, so that colours, what is hidden and, where the axis stays, the part that
 * is shown stay too. The window and the command line both draw this. On the main thread.
 *
 * Signal "changed": the quantities or the quantity are others. */
#pragma once

#include "plot.h"

#define DEBYE_TYPE_RESULT_PLOT (debye_result_plot_get_type())
G_DECLARE_FINAL_TYPE(DebyeResultPlot, debye_result_plot, DEBYE, RESULT_PLOT, GObject)

DebyeResultPlot *debye_result_plot_new(void);
DebyePlot *debye_result_plot_get_plot(DebyeResultPlot *self);

/* `key` is the caller's: a result under the same key replaces the one before. NULL takes it away; until
 * it is forgotten, its place and its colours wait for it. `label` is put before the names of its curves where
 * several results are shown. */
void debye_result_plot_set_result(DebyeResultPlot *self, guint key, DebyeResult *result, const char *label);
/* The same of what a run has so far, which its caption says. */
void debye_result_plot_set_growing(DebyeResultPlot *self, guint key, DebyeResult *result, const char *label);
/* Whether a result has curves of the quantity of that name. */
gboolean debye_result_plot_has_curves(DebyeResult *result, const char *quantity);
/* What a fit of a measured curve found stands in the caption; else in the curve's name. Before curves are set. */
void debye_result_plot_set_fits_in_caption(DebyeResultPlot *self, gboolean in_caption);
/* Shown with the first quantity over an axis of the same kind that is shown from now on, and with no other until it was
 * taken away. `fit`: brought nearest to the first computed curve of it that is visible by a factor, over q also by a
 * constant background (curve_fit.h). */
void debye_result_plot_set_measured(DebyeResultPlot *self, guint key, DebyeCurve *curve, gboolean fit);
/* The quantity that a measured curve is shown with, as it was before; NULL while it has none. */
void debye_result_plot_set_measured_of(DebyeResultPlot *self, guint key, const DebyeQuantity *of);
const DebyeQuantity *debye_result_plot_get_measured_of(DebyeResultPlot *self, guint key);
/* What was taken away under this key won't come back. */
void debye_result_plot_forget(DebyeResultPlot *self, guint key);

/* What the results have curves of, in their order, then what they have maps of, under names that end in
 * "-map". (element-type DebyeQuantity); owned by the results and the plot. */
GPtrArray *debye_result_plot_list_quantities(DebyeResultPlot *self);
/* The first result that has one of them; NULL: none has it any more. */
DebyeResult *debye_result_plot_find_source(DebyeResultPlot *self, const DebyeQuantity *quantity);
/* Those whose curves are shown, in the order of these. (element-type DebyeResult) */
GPtrArray *debye_result_plot_list_results(DebyeResultPlot *self);
/* By name: "g". One that no result has shows the first that they have. */
void debye_result_plot_set_quantity(DebyeResultPlot *self, const char *name);
/* What is shown; NULL: nothing. */
const DebyeQuantity *debye_result_plot_get_quantity(DebyeResultPlot *self);

/* Curves of further quantities on the left axis, which have its unit. `names`: with commas
 * between; NULL, and those that list_also has not: none. */
void debye_result_plot_set_also(DebyeResultPlot *self, const char *names);
/* Quantities over the same axis as what is shown and in its unit. (element-type DebyeQuantity); owned by the results. */
GPtrArray *debye_result_plot_list_also(DebyeResultPlot *self);
/* As debye_result_plot_set_result(), for one of its quantities alone: on the left axis if they have a unit and it agrees,
 * else on the right one. What was set before stays with the quantity that is shown. FALSE: both axes have other units, or
 * the quantity stands over something else. */
gboolean debye_result_plot_add_own(DebyeResultPlot *self, guint key, DebyeResult *result, const char *label,
                                   const char *quantity);

/* Curves of another quantity on the right axis, each in the colour of the one of the left axis that it belongs to,
 * dashed; of several of one unit with commas between. NULL, and what list_seconds has not: none. */
void debye_result_plot_set_second(DebyeResultPlot *self, const char *name);
/* Quantities over the same axis as what is shown. (element-type DebyeQuantity); owned by the results. */
GPtrArray *debye_result_plot_list_seconds(DebyeResultPlot *self);

/* Whether something is shown over the quantity of that name: "r". */
gboolean debye_result_plot_is_over(DebyeResultPlot *self, const char *x);
/* Linear and logarithmic axes as is usual for what is shown. */
void debye_result_plot_reset_scales(DebyeResultPlot *self);

/* Of which result and which curve a series is; FALSE for measured ones. `name` is that of the distribution
 * which the curve belongs to: "OW-OW". */
gboolean debye_result_plot_find_series(DebyeResultPlot *self, guint series, guint *key, const char **name);
/* What a curve is called by itself: a measured one without the factor that it was fitted with, which its name goes on with. */
const char *debye_result_plot_get_own_name(DebyeResultPlot *self, guint series);
/* The peak that has its mark there: of which result and pair, and from where to where its shell goes. */
gboolean debye_result_plot_find_peak(DebyeResultPlot *self, double x, guint *key, const char **name,
                                     double *from, double *to);
