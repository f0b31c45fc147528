/* SPDX-License-Identifier: MIT */
/* Opens files, sessions and samples in a window, and changes what counts of the files that are open.
 *
 * Signal: "window-wanted", which returns a DebyeWindowOpening (transfer full): that of a new window, for files
 * that don't continue what this one shows; "preparing-ended" (char *): nothing came of it, why, or NULL: it was stopped. */
#pragma once

#include "window_frames.h"

#define DEBYE_TYPE_WINDOW_OPENING (debye_window_opening_get_type())
G_DECLARE_FINAL_TYPE(DebyeWindowOpening, debye_window_opening, DEBYE, WINDOW_OPENING, GObject)

DebyeWindowOpening *debye_window_opening_new(DebyeWindowComputing *computing, DebyeWindowFrames *frames,
                                             DebyePreferences *preferences);
/* Opens files in this window; where it shows something already that they don't continue, in a new one. */
void debye_window_opening_open(DebyeWindowOpening *self, const char *const *paths);
/* Opens a sample, runs its main job and plays its trajectory. */
void debye_window_opening_open_sample(DebyeWindowOpening *self, const char *name);
/* Reads the session, looks at its files, asks about those that are missing or have changed, then opens it. */
void debye_window_opening_open_session(DebyeWindowOpening *self, const char *path);

/* Prepares the molecule that is open, as a job: the prepared one takes its place. */
void debye_window_opening_prepare(DebyeWindowOpening *self, const DebyePreparationOrder *order);
/* One that was prepared before takes the place of what is shown; NULL: the files' structure does. */
void debye_window_opening_show_preparation(DebyeWindowOpening *self, DebyePreparation *preparation);

/* --- window_opening_questions.c --- */

void debye_window_opening_ask_for_files(DebyeWindowOpening *self);
void debye_window_opening_ask_elements(DebyeWindowOpening *self);
void debye_window_opening_ask_counting(DebyeWindowOpening *self);
