/* SPDX-License-Identifier: MIT */
/* Makes the parts of one window and connects them; decides whether it may close. It lives as long as its window.
 *
 * Signals: "leaving": the window closes now; "staying": it stays, as a hand or what went wrong wants it. */
#pragma once

#include "app/installation/devices.h"
#include "window_actions.h"

#define DEBYE_TYPE_WINDOW_CONTROLLER (debye_window_controller_get_type())
G_DECLARE_FINAL_TYPE(DebyeWindowController, debye_window_controller, DEBYE, WINDOW_CONTROLLER, GObject)

/* Owned by the window from then on. `recovery` outlives it; NULL: nothing is kept for the case of a crash. */
DebyeWindowController *debye_window_controller_new(DebyeWindow *window, DebyePreferences *preferences,
                                                   DebyeDevices *devices, DebyeRecovery *recovery);
DebyeWindowController *debye_window_controller_of(DebyeWindow *window);
const DebyeWindowParts *debye_window_controller_get_parts(DebyeWindowController *self);
/* Closes it without a question: what was not saved is lost, jobs are stopped. */
void debye_window_controller_discard(DebyeWindowController *self);
/* Stops its jobs, saves, then closes it, see debye_window_session_save_and_close(). */
void debye_window_controller_save_and_close(DebyeWindowController *self);
