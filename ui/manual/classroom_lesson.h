/* SPDX-License-Identifier: MIT */
/* One lesson of the class room: a few sentences, Measure and Stop, rows of what was found, beside them a
 * figure and the code of what was measured. Signals: "measure"; "stop" (GObject job); "export": the figure is to
 * be saved; "copy": the command that measures the same; "number": one was changed; "next"; "exercise":
 * the code is to be saved with gaps; "offer-sweep": the page Sweep is turned to, and its choices are to be those of the listing. */
#pragma once

#include <adwaita.h>

#include "classroom_code.h"
#include "classroom_sweep.h"
#include "ui/plot/plot_view.h"

#define DEBYE_TYPE_CLASSROOM_LESSON (debye_classroom_lesson_get_type())
G_DECLARE_FINAL_TYPE(DebyeClassroomLesson, debye_classroom_lesson, DEBYE, CLASSROOM_LESSON, GtkBox)

/* Of what Measure and Stop are, for who can't see where they stand. */
void debye_classroom_lesson_set_title(DebyeClassroomLesson *self, const char *title);
/* Why it can't be measured now; NULL: it can. */
void debye_classroom_lesson_set_hindrance(DebyeClassroomLesson *self, const char *reason);
void debye_classroom_lesson_set_text(DebyeClassroomLesson *self, const char *text);
/* An object with the properties of a job, as of job_row.h: its progress is shown, and it can be stopped. */
void debye_classroom_lesson_set_job(DebyeClassroomLesson *self, GObject *job);
/* On what it was measured. */
void debye_classroom_lesson_set_subject(DebyeClassroomLesson *self, const char *subject);
void debye_classroom_lesson_set_plot(DebyeClassroomLesson *self, DebyePlot *plot);
/* Where one measurement has several figures, in the order of adding, from 0: linked buttons above them choose the one that is
 * shown. A plot that isn't there yet is NULL; instead of it the first one is shown. */
void debye_classroom_lesson_add_figure(DebyeClassroomLesson *self, const char *title);
gboolean debye_classroom_lesson_has_figures(DebyeClassroomLesson *self);
void debye_classroom_lesson_set_figure(DebyeClassroomLesson *self, guint index, DebyePlot *plot);
guint debye_classroom_lesson_get_figure(DebyeClassroomLesson *self);
/* The same as its button. */
void debye_classroom_lesson_choose_figure(DebyeClassroomLesson *self, guint index);
/* That of the page that is turned to. */
DebyePlotView *debye_classroom_lesson_get_view(DebyeClassroomLesson *self);
/* Whether a command measures the same: then it can be copied. */
void debye_classroom_lesson_set_has_command(DebyeClassroomLesson *self, gboolean has_command);

/* That its rows may come one at a time, each guessed before it is seen: then a button and Page Down emit "next". `label` is the
 * guess's, `low` the least one. */
void debye_classroom_lesson_add_guess(DebyeClassroomLesson *self, const char *label, double low);
/* What the row that waits asks for: a guess of `subject` in `unit` (NULL: a number of them). `subject` NULL: nothing can be
 * guessed now. */
void debye_classroom_lesson_ask_guess(DebyeClassroomLesson *self, const char *subject, const char *unit);
/* What is guessed, 0: nothing; that of the next step starts from 0. */
double debye_classroom_lesson_take_guess(DebyeClassroomLesson *self);
/* Whether the next step is one that waits to be revealed. */
void debye_classroom_lesson_set_pending(DebyeClassroomLesson *self, gboolean pending);
/* The same as the button; of a lesson without steps, or that is measured, nothing happens. */
void debye_classroom_lesson_take_step(DebyeClassroomLesson *self);
/* The same as its button. */
void debye_classroom_lesson_measure(DebyeClassroomLesson *self);
/* In large type the page Code has the whole width, and the rows wait for the page Figure. */
void debye_classroom_lesson_set_projected(DebyeClassroomLesson *self, gboolean is_projected);
/* To its last row, once that has its place. */
void debye_classroom_lesson_scroll_down(DebyeClassroomLesson *self);

/* A listing, as of classroom_code.h. */
void debye_classroom_lesson_add_code(DebyeClassroomLesson *self, const char *id, const char *title,
                                     const char *text, gboolean follows);

/* Turns to this listing, if it is one of this lesson's. */
void debye_classroom_lesson_show_code(DebyeClassroomLesson *self, const char *id);
DebyeClassroomCode *debye_classroom_lesson_get_code(DebyeClassroomLesson *self);
DebyeClassroomSweep *debye_classroom_lesson_get_sweep(DebyeClassroomLesson *self);
/* Whether the page Sweep is the one that is turned to: its plot and its command are then the lesson's. */
gboolean debye_classroom_lesson_is_sweeping(DebyeClassroomLesson *self);
gboolean debye_classroom_lesson_shows_code(DebyeClassroomLesson *self);
/* What came of the sweep, as of classroom_sweep.h. */
void debye_classroom_lesson_show_sweep(DebyeClassroomLesson *self, DebyePlot *plot, const char *text,
                                       gboolean is_right);
/* Chooses the listing (NULL: the one that is shown), macros of it (NULL: none) and axes of a sweep, without turning to a page. */
void debye_classroom_lesson_choose_sweep(DebyeClassroomLesson *self, const char *listing,
                                         const char *const *macros, const char *const *axes);

guint debye_classroom_lesson_get_n_rows(DebyeClassroomLesson *self);
void debye_classroom_lesson_clear_rows(DebyeClassroomLesson *self);
/* `share` of the limit from 0 to 1 is drawn as a bar; NAN: none. `code`, the id of a listing, is what the row
 * opens; NULL: none. */
void debye_classroom_lesson_add_row(DebyeClassroomLesson *self, const char *title, const char *text,
                                    const char *numbers, double share, const char *code);
/* Row `index` from 0, which was added with a share. */
void debye_classroom_lesson_update_row(DebyeClassroomLesson *self, guint index, const char *numbers,
                                       double share);
/* The row of the class's own code comes last and instead of the one before; without one nothing is removed. */
void debye_classroom_lesson_add_own_row(DebyeClassroomLesson *self, const char *title, const char *text,
                                        const char *numbers, double share);
void debye_classroom_lesson_remove_own_row(DebyeClassroomLesson *self);
/* Calls `visit` for the figures of the rows or those to choose, or for the one that is shown where there are none. */
typedef void (*DebyeClassroomFigureFunc)(const char *title, DebyePlot *plot, gpointer data);
void debye_classroom_lesson_visit_figures(DebyeClassroomLesson *self, DebyeClassroomFigureFunc visit,
                                          gpointer data);
/* What the lesson is about, in the order of adding, from 0: a spin button from `low` to `high`. */
void debye_classroom_lesson_add_number(DebyeClassroomLesson *self, const char *label, const char *unit,
                                       double low, double high, double step, double initial);
guint debye_classroom_lesson_get_n_numbers(DebyeClassroomLesson *self);
double debye_classroom_lesson_get_number(DebyeClassroomLesson *self, guint index);
/* As if it were typed: within its bounds. */
void debye_classroom_lesson_set_number(DebyeClassroomLesson *self, guint index, double value);
/* The row whose figure is shown, from 0; showing a row that is not there shows the first, and is still wanted. */
guint debye_classroom_lesson_get_shown_row(DebyeClassroomLesson *self);
guint debye_classroom_lesson_get_wanted_row(DebyeClassroomLesson *self);
void debye_classroom_lesson_show_row(DebyeClassroomLesson *self, guint index);
/* The figure that row `index` opens. */
void debye_classroom_lesson_set_row_plot(DebyeClassroomLesson *self, guint index, DebyePlot *plot);
