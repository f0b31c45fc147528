/* SPDX-License-Identifier: MIT */
/* The look that a person gives the plot of results in a window: one for each quantity, over whatever results are shown, changed
 * value by value, undone and done again. It is data of the table in style_file.h, with the words that debye-cli has, so that
 * what is seen can be kept in a session, in a style file and in a command.
 *
 * A curve's look belongs to its result and pair: it stays when the curve is taken out and comes back, and when others beside it
 * change what the legend calls it. Looks of a style file hold for all curves of the name. On the main thread.
 *
 * Signal "changed": values, or what can be undone, or the quantity are others. */
#pragma once

#include "curve_look.h"
#include "style_file.h"
#include "render/plot/result_plot.h"

#define DEBYE_TYPE_RESULT_LOOK (debye_result_look_get_type())
G_DECLARE_FINAL_TYPE(DebyeResultLook, debye_result_look, DEBYE, RESULT_LOOK, GObject)

/* From now on the plot is drawn so, at once and after each change of its own. */
DebyeResultLook *debye_result_look_new(DebyeResultPlot *plot);

/* The name of the quantity that is shown, interned; empty before there is one. */
const char *debye_result_look_get_quantity(DebyeResultLook *self);
/* Of the quantity that is shown; NULL: not set. */
const char *debye_result_look_get(DebyeResultLook *self, const char *key);
/* NULL or an empty text: as it is by itself. FALSE and unchanged where the table or the grammar refuses. */
gboolean debye_result_look_set(DebyeResultLook *self, const char *key, const char *value, GError **error);
/* What is said of a series, by a style and by hand. Clear it afterwards. */
void debye_result_look_get_curve(DebyeResultLook *self, guint series, DebyeCurveLook *look);
void debye_result_look_set_curve(DebyeResultLook *self, guint series, const DebyeCurveLook *look);
/* Why the plot can't show all that is set, such as a range below 0 on a logarithmic axis; NULL: it does. */
const char *debye_result_look_get_problem(DebyeResultLook *self);

/* Of the quantity that is shown: all of it as `--config` has it. A new reference. */
DebyeRequest *debye_result_look_create_style(DebyeResultLook *self);
/* For a plot of the results that are shown alone (shown_style.h). A new reference; NULL: measured curves are shown. */
DebyeRequest *debye_result_look_create_style_of_shown(DebyeResultLook *self);
/* Those results, in the order of their curves. (element-type DebyeResult) */
GPtrArray *debye_result_look_list_results(DebyeResultLook *self);
/* In place of what is set. */
void debye_result_look_use(DebyeResultLook *self, DebyeRequest *style);
/* Nothing is set any more. */
void debye_result_look_reset(DebyeResultLook *self);
gboolean debye_result_look_is_set(DebyeResultLook *self);

/* FALSE: there was nothing to undo, or to do again. */
gboolean debye_result_look_undo(DebyeResultLook *self);
gboolean debye_result_look_redo(DebyeResultLook *self);
gboolean debye_result_look_can_undo(DebyeResultLook *self);
gboolean debye_result_look_can_redo(DebyeResultLook *self);

/* Of all quantities, for a session: a dictionary by quantity of dictionaries by key; floating. */
GVariant *debye_result_look_save(DebyeResultLook *self);
/* What another version wrote and this one refuses is left out. Forgets what could be undone. */
void debye_result_look_load(DebyeResultLook *self, GVariant *saved);
/* As a new one. */
void debye_result_look_forget(DebyeResultLook *self);
