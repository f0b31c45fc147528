/* SPDX-License-Identifier: MIT */
/* The page Sweep of a lesson: one or two choices of the listing that its page Code shows, each with values, and the times that were
 * found for all of them as a plot. Signal "run": it is to be measured. */
#pragma once

#include <adwaita.h>

#include "ui/plot/plot_view.h"

#define DEBYE_TYPE_CLASSROOM_SWEEP (debye_classroom_sweep_get_type())
G_DECLARE_FINAL_TYPE(DebyeClassroomSweep, debye_classroom_sweep, DEBYE, CLASSROOM_SWEEP, GtkBox)

/* Begins a list of choices, of the listing of this title. What was chosen of the same listing stays if it is added again. */
void debye_classroom_sweep_begin(DebyeClassroomSweep *self, const char *title);
/* Adds a choice: `name` as the command line calls it, `label` as it is shown, `values` as they are proposed: "64,128,256". */
void debye_classroom_sweep_add(DebyeClassroomSweep *self, const char *name, const char *label,
                               const char *values);
void debye_classroom_sweep_end(DebyeClassroomSweep *self);
/* Chooses what a list of debye_classroom_sweep_list() has, when choices of these names are added next. */
void debye_classroom_sweep_choose(DebyeClassroomSweep *self, const char *const *axes);

/* "tile=64,128", one or two; to be freed with g_strfreev(). */
char **debye_classroom_sweep_list(DebyeClassroomSweep *self);
void debye_classroom_sweep_set_running(DebyeClassroomSweep *self, gboolean running);
/* What came of it so far. `plot` NULL: none stays. */
void debye_classroom_sweep_show(DebyeClassroomSweep *self, DebyePlot *plot, const char *text,
                                gboolean is_right);
DebyePlotView *debye_classroom_sweep_get_view(DebyeClassroomSweep *self);
