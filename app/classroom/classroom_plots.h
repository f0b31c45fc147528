/* SPDX-License-Identifier: MIT */
/* The class room's figures; made by the lessons (app/lessons) on the main thread. */
#pragma once

#include "classroom.h"
#include "render/plot/plot.h"

/* Operations a second over operations for each byte, under the roofs of memory, multiply-adds and 1/√x; a
 * point is named by its number. */
DebyePlot *debye_classroom_plot_roofline(DebyeClassroomRecord *record);
/* Pair distances as each variant counted them. */
DebyePlot *debye_classroom_plot_counts(DebyeClassroomRecord *record);
/* Direct, cutoff, multilevel on the first device, then on the next one: times of the first `last` + 1 of these. */
DebyePlot *debye_classroom_plot_times(DebyeClassroomRecord *record, guint last);
/* The exact average, and up to that curve those of directions. */
DebyePlot *debye_classroom_plot_orientations(DebyeClassroomRecord *record, guint last);
