/* SPDX-License-Identifier: MIT */
/* The guide of the sample that a window shows: its steps in the bar, done when asked. */
#pragma once

#include "window_controller.h"

G_BEGIN_DECLS

/* Once. */
void debye_window_guide_add(DebyeWindowController *self);
/* Of the sample `name`, from the first step; a sample without steps has no guide. */
void debye_window_guide_start(DebyeWindowController *self, const char *name);
void debye_window_guide_show_step(DebyeWindowController *self, int number);
/* Does what the step that is shown says. */
void debye_window_guide_do_step(DebyeWindowController *self);
/* The window shows something else. */
void debye_window_guide_end(DebyeWindowController *self);

G_END_DECLS
