/* SPDX-License-Identifier: MIT */
/* The class room of one window: its lessons' texts, the jobs that measure, and what is shown of them. */
#pragma once

#include "window_controller_private.h"

G_BEGIN_DECLS

/* Adds the lessons and the actions "classroom" (boolean: shown or not), "classroom-lesson" (s: shown at its
 * lesson "ladder", "counting", "growth" or "orientations") and "projector" (boolean: large type
 * and strong contrast, as the preference "appearance" says). */
void debye_window_classroom_add(DebyeWindowController *self, DebyeDevices *devices);

G_END_DECLS
