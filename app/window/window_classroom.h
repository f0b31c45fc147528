/* SPDX-License-Identifier: MIT */
/* The class room of one window: its lessons' texts, the jobs that measure, and what is shown of them. */
#pragma once

#include "window_controller_private.h"

G_BEGIN_DECLS

/* Adds the lessons. */
void debye_window_classroom_add(DebyeWindowController *self, DebyeDevices *devices);
/* In place of what the window shows else. */
void debye_window_classroom_show(DebyeWindowController *self, gboolean shown);
/* At its lesson "ladder", "counting", "growth" or "orientations". */
void debye_window_classroom_show_lesson(DebyeWindowController *self, const char *id);
/* Large type and strong contrast, as the preference "appearance" says. */
void debye_window_classroom_set_projector(DebyeWindowController *self, gboolean projector);

G_END_DECLS
