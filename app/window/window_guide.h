/* SPDX-License-Identifier: MIT */
/* The guide of the sample that a window shows: its steps in the bar, done when asked. */
#pragma once

#include "window_computing.h"

/* Once. */
void debye_window_guide_add(DebyeWindowComputing *self);
/* Of the sample `name`, from the first step; a sample without steps has no guide. */
void debye_window_guide_start(DebyeWindowComputing *self, const char *name);
void debye_window_guide_show_step(DebyeWindowComputing *self, int number);
/* Does what the step that is shown says. */
void debye_window_guide_do_step(DebyeWindowComputing *self);
/* The window shows something else. */
void debye_window_guide_end(DebyeWindowComputing *self);
