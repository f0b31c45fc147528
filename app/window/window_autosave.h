/* SPDX-License-Identifier: MIT */
/* What a window shows, written two seconds after it changes, so that a crash or a power cut loses no more:
 * changes meanwhile go with it. What files hold is read and written on another thread; the main one
 * collects what is shown and looks whether they stand. What was opened and not touched is not kept: its files
 * are where they were. */
#pragma once

#include "app/document/recovery.h"
#include "app/document/session.h"
#include "window_computing.h"

#define DEBYE_TYPE_WINDOW_AUTOSAVE (debye_window_autosave_get_type())
G_DECLARE_FINAL_TYPE(DebyeWindowAutosave, debye_window_autosave, DEBYE, WINDOW_AUTOSAVE, GObject)

/* `recovery` outlives it; NULL: nothing is kept. */
DebyeWindowAutosave *debye_window_autosave_new(DebyeWindowComputing *computing, DebyeRecovery *recovery);
/* The window shows another scene, whose changes count from now on. */
void debye_window_autosave_follow(DebyeWindowAutosave *self);
/* What the window's session was opened from or saved to, for whom recovers it; both may be NULL. */
void debye_window_autosave_set_origin(DebyeWindowAutosave *self, DebyeSession *session, const char *path);
/* Another document has come. `is_kept`: it lies in files of its own until it is changed. */
void debye_window_autosave_begin(DebyeWindowAutosave *self, gboolean is_kept);
/* The window goes in good order: nothing is kept. */
void debye_window_autosave_close(DebyeWindowAutosave *self);
