/* SPDX-License-Identifier: MIT */
/* What one window shows as a session: saved when asked, and by itself for the case of a crash; whether it has
 * changed since. */
#pragma once

#include "recovery.h"
#include "window_controller.h"

G_BEGIN_DECLS

#define DEBYE_TYPE_WINDOW_SESSION (debye_window_session_get_type())
G_DECLARE_FINAL_TYPE(DebyeWindowSession, debye_window_session, DEBYE, WINDOW_SESSION, GObject)

/* `controller` outlives it. */
DebyeWindowSession *debye_window_session_new(DebyeWindowController *controller);
/* The window's document has come: forms and frame are set as its session says, if it has one. */
void debye_window_session_follow(DebyeWindowSession *self);
/* The title bar: name, whether it has changed, what it is. */
void debye_window_session_show_heading(DebyeWindowSession *self);
/* Where it is saved; NULL: nowhere yet. */
const char *debye_window_session_get_path(DebyeWindowSession *self);
/* What was opened or saved as a session has changed since. */
gboolean debye_window_session_is_modified(DebyeWindowSession *self);
/* `path` NULL: where it was saved before, or, where it was not, a question. */
void debye_window_session_save(DebyeWindowSession *self, const char *path);
void debye_window_session_save_as(DebyeWindowSession *self);
/* Whether closing the window loses results or changes. */
gboolean debye_window_session_has_unsaved(DebyeWindowSession *self);
/* Asks whether to save; then the window closes or stays. */
void debye_window_session_ask_to_close(DebyeWindowSession *self);
/* Saves, asks where to unless that is known, then closes the window. Where no place is chosen or saving fails
 * the window stays, and the program doesn't quit. */
void debye_window_session_save_and_close(DebyeWindowSession *self);
/* The window goes in good order. */
void debye_window_session_close(DebyeWindowSession *self);

/* --- window_session_files.c: sessions on their way into a window --- */

/* Reads the session, looks at its files, asks about those that are missing or have changed, then opens it. */
void debye_window_session_open(DebyeWindowController *controller, const char *path);

G_END_DECLS
