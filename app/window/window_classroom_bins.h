/* SPDX-License-Identifier: MIT */
/* The rows and figures of the classroom's lessons on teaching variants (window_classroom_ladder.c) and on what
 * numbers choose, bins and Born's ion (window_classroom_bins.c); used by window_classroom.c. */
#pragma once

#include "app/classroom/classroom_steps.h"
#include "ui/manual/classroom_lesson.h"

G_BEGIN_DECLS

void debye_window_classroom_show_ladder(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record);
/* The same of what was revealed, with the guesses, and the step that waits without its numbers. */
void debye_window_classroom_show_steps(DebyeClassroomLesson *lesson, const DebyeClassroomSteps *steps);

/* Saves the code of a family as an exercise (app/classroom/classroom_exercise.h) into this folder. */
DebyeJob *debye_window_classroom_exercise_job_new(DebyeLadderKind kind, const char *folder);

void debye_window_classroom_show_bins(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record);

/* Spin buttons for what bins depend on, the lecture's at first; what they say. */
void debye_window_classroom_add_bin_numbers(DebyeClassroomLesson *lesson);
DebyeClassroomBinChoice debye_window_classroom_choose_bins(DebyeClassroomLesson *lesson);
/* The same of Born's ion. */
void debye_window_classroom_add_born_numbers(DebyeClassroomLesson *lesson);
DebyeClassroomBornChoice debye_window_classroom_choose_born(DebyeClassroomLesson *lesson);
void debye_window_classroom_show_born(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record);
/* As `debye-cli bench --bins` calls the figure that is shown. */
const char *debye_window_classroom_name_figure(DebyeClassroomLesson *lesson);

G_END_DECLS
