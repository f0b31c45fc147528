/* SPDX-License-Identifier: MIT */
/* What a plot can show: results of a list and measured curves, each shown or not. A new result takes the
 * place of those that came before, but for those that were chosen by hand; while a result is computed what
 * there is of it stands where it will stand. What is shown goes into a plot of results
 * (render/plot/result_plot.h).
 *
 * Signals:
 *   "changed"                    there are other choices, or others are shown than a hand chose
 *   "added" (DebyeResult)        a result came */
#pragma once

#include "data/results/result.h"
#include "render/plot/result_plot.h"

#define DEBYE_TYPE_PLOT_CHOICES (debye_plot_choices_get_type())
G_DECLARE_FINAL_TYPE(DebyePlotChoices, debye_plot_choices, DEBYE, PLOT_CHOICES, GObject)

DebyePlotChoices *debye_plot_choices_new(DebyeResultPlot *plot);

/* `results`: of DebyeResult, newest first; those without curves are no choices. */
void debye_plot_choices_set_results(DebyePlotChoices *self, GListModel *results);
/* A result that grows: shown until it is in the list, whose newest then goes on as the same curves. NULL: no
 * more of it comes. */
void debye_plot_choices_set_growing(DebyePlotChoices *self, DebyeResult *result);
/* A curve from a file, in the plot until it is taken out by hand. Its key. */
guint debye_plot_choices_add_measured(DebyePlotChoices *self, DebyeCurve *curve);
/* As it was once: shown or not, and with which quantity (NULL: the one that is shown). */
void debye_plot_choices_restore_measured(DebyePlotChoices *self, guint key, const DebyeQuantity *of,
                                         gboolean is_shown);
/* Whether it is shown, and with which quantity (owned by the plot; NULL: none yet). */
gboolean debye_plot_choices_get_measured(DebyePlotChoices *self, guint key, const DebyeQuantity **of);
void debye_plot_choices_remove_measured(DebyePlotChoices *self); /* all */
/* Measured curves are brought nearest to the first computed one. */
void debye_plot_choices_set_fit(DebyePlotChoices *self, gboolean fit);
gboolean debye_plot_choices_get_fit(DebyePlotChoices *self);
/* Of every shown result that knows how, the same with that part of its hydrogen as deuterium
 * (data/results/contrast.h). */
void debye_plot_choices_mix(DebyePlotChoices *self, double fraction, gboolean series);

gboolean debye_plot_choices_is_empty(DebyePlotChoices *self); /* nor does anything grow */
gboolean debye_plot_choices_has_measured(DebyePlotChoices *self);

/* Newest first, measured curves behind. A key stays with what is shown in a place: with the newest result of
 * several that followed one another. */
guint debye_plot_choices_get_key(DebyePlotChoices *self, guint index);
GArray *
debye_plot_choices_list_in_order(DebyePlotChoices *self); /* guint: the indices as a menu lists them */
const char *debye_plot_choices_get_label(DebyePlotChoices *self, guint index);
gboolean debye_plot_choices_get_shown(DebyePlotChoices *self, guint index);
/* By hand: newer results leave it. */
void debye_plot_choices_choose(DebyePlotChoices *self, guint key, gboolean shown);
/* Shows a result of the list as if it was chosen by hand: beside what is shown, and what comes. */
void debye_plot_choices_keep(DebyePlotChoices *self, DebyeResult *result);

gboolean debye_plot_choices_is_shown(DebyePlotChoices *self, DebyeResult *result);
/* NULL: a measured curve, what grows, or no such key. */
DebyeResult *debye_plot_choices_find_result(DebyePlotChoices *self, guint key);
/* As they are shown, newest first. (element-type DebyeResult) */
GPtrArray *debye_plot_choices_list_results(DebyePlotChoices *self);
/* The first of them; NULL: none is. */
DebyeResult *debye_plot_choices_get_newest_shown(DebyePlotChoices *self);
