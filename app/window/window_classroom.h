/* SPDX-License-Identifier: MIT */
/* The class room of one window: its lessons' texts, the jobs that measure, and what is shown of them. */
#pragma once

#include "app/installation/devices.h"
#include "window_document.h"

G_BEGIN_DECLS

/* Adds the lessons. */
void debye_window_classroom_add(DebyeWindowDocument *self, DebyePreferences *preferences,
                                DebyeDevices *devices);
/* In place of what the window shows else. */
void debye_window_classroom_show(DebyeWindowDocument *self, gboolean shown);
/* At its lesson "ladder", "counting", "growth" or "orientations". */
void debye_window_classroom_show_lesson(DebyeWindowDocument *self, const char *id);
/* Large type and strong contrast, as the preference "appearance" says. */
void debye_window_classroom_set_projector(DebyeWindowDocument *self, gboolean projector);

G_END_DECLS
