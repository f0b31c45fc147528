/* SPDX-License-Identifier: MIT */
/* The class room of one window: its lessons' texts, the jobs that measure, and what is shown of them. */
#pragma once

#include "app/installation/devices.h"
#include "kernels/ladder/ladder.h"
#include "window_document.h"

/* Its lessons are made once the room is entered, or a session has something of them. */
void debye_window_classroom_add(DebyeWindowDocument *self, DebyePreferences *preferences,
                                DebyeDevices *devices);
/* In place of what the window shows else. */
void debye_window_classroom_show(DebyeWindowDocument *self, gboolean shown);
/* At its lesson "ladder", "counting", "growth" or "orientations". */
void debye_window_classroom_show_lesson(DebyeWindowDocument *self, const char *id);
/* Large type and strong contrast, as the preference "appearance" says. */
void debye_window_classroom_set_projector(DebyeWindowDocument *self, gboolean projector);

/* What sessions keep of it, a{sv}: the class's own code of each ladder. A floating reference. Restoring it compiles and runs
 * nothing. */
GVariant *debye_window_classroom_save(DebyeWindowDocument *self);
void debye_window_classroom_restore(DebyeWindowDocument *self, GVariant *saved);

/* Of the ladder that is shown: measures its next step, or reveals the one that was measured. */
void debye_window_classroom_take_step(DebyeWindowDocument *self);
/* The lesson that is shown, as its button does. */
void debye_window_classroom_measure(DebyeWindowDocument *self);
/* The figure of a row of it. */
void debye_window_classroom_show_row(DebyeWindowDocument *self, int row);
/* Measures and reveals step after step up to one of these variants, ids with commas: one of the CPU's, which says which ladder
 * it is, and those of other devices. */
void debye_window_classroom_climb_to(DebyeWindowDocument *self, const char *ids);
/* A listing, by the name of its source, on the page Code of its lesson. */
void debye_window_classroom_show_code(DebyeWindowDocument *self, const char *id);

/* --- Saving: window_classroom_export.c --- */

/* Asks where, then saves the figure that the lesson shows. */
void debye_window_classroom_export(DebyeWindowDocument *self, DebyeClassroomLesson *lesson);
/* Asks where, then saves the code of a family as an exercise (app/classroom/classroom_exercise.h). */
void debye_window_classroom_save_exercise(DebyeWindowDocument *self, DebyeLadderKind kind);

/* --- The bins in the picture: window_bins.c --- */

/* A click on an atom, or beside all on a bin, chooses the bin that is looked at. Once. */
void debye_window_bins_add(DebyeWindowDocument *self);
/* In the layer of bins that is seen, which is added where there is none: the bin of that atom with those that its
 * points have to look at; a negative number: all bins. */
void debye_window_bins_look_at(DebyeWindowDocument *self, int atom);
