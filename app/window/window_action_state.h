/* SPDX-License-Identifier: MIT */
/* The state of a window's action, for buttons and menus: set when what the action is about has changed. */
#pragma once

#include "ui/window/window.h"

G_BEGIN_DECLS

void debye_window_action_set_state(DebyeWindow *window, const char *name, GVariant *state);
void debye_window_action_turned(DebyeWindow *window, const char *name, gboolean on);

G_END_DECLS
