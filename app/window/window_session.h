/* SPDX-License-Identifier: MIT */
/* What one window shows as a session: saved when asked, and by itself for the case of a crash; whether it has
 * changed since.
 *
 * Signals: "discard": what was not saved is to be lost, and the window closed; "staying": the window stays, as a
 * hand or what went wrong wants it. */
#pragma once

#include "app/document/recovery.h"
#include "window_frames.h"
#include "window_unsaved.h"

#define DEBYE_TYPE_WINDOW_SESSION (debye_window_session_get_type())
G_DECLARE_FINAL_TYPE(DebyeWindowSession, debye_window_session, DEBYE, WINDOW_SESSION, GObject)

/* When a document comes forms and frame are set as its session says, if it has one. `recovery` outlives it; NULL:
 * nothing is kept for the case of a crash. */
DebyeWindowSession *debye_window_session_new(DebyeWindowComputing *computing, DebyeWindowFrames *frames,
                                             DebyePreferences *preferences, DebyeRecovery *recovery);
/* Where it is saved; NULL: nowhere yet. */
const char *debye_window_session_get_path(DebyeWindowSession *self);
/* `path` NULL: where it was saved before, or, where it was not, a question. */
void debye_window_session_save(DebyeWindowSession *self, const char *path);
void debye_window_session_save_as(DebyeWindowSession *self);
/* What closing the window loses, to be cleared. */
void debye_window_session_find_unsaved(DebyeWindowSession *self, DebyeUnsaved *unsaved);
gboolean debye_window_session_has_unsaved(DebyeWindowSession *self);
/* The dialog that asks whether to save; then the window closes or stays. */
GtkWidget *debye_window_session_create_question(DebyeWindowSession *self);
/* Saves, asks where to unless that is known, then closes the window. Where no place is chosen or saving fails
 * the window stays, and the program doesn't quit. */
void debye_window_session_save_and_close(DebyeWindowSession *self);
/* The window goes in good order. */
void debye_window_session_close(DebyeWindowSession *self);
