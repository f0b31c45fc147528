/* SPDX-License-Identifier: MIT */
/* One window's document, scene, jobs and results, and the actions that change them. The window shows; this
 * decides. It lives as long as its window. */
#pragma once

#include "app/installation/devices.h"
#include "app/document/document.h"
#include "ui/window/window.h"

G_BEGIN_DECLS

#define DEBYE_TYPE_WINDOW_CONTROLLER (debye_window_controller_get_type())
G_DECLARE_FINAL_TYPE(DebyeWindowController, debye_window_controller, DEBYE, WINDOW_CONTROLLER, GObject)

/* Owned by the window from then on. */
DebyeWindowController *debye_window_controller_new(DebyeWindow *window, DebyePreferences *preferences,
                                                   DebyeDevices *devices);
DebyeWindowController *debye_window_controller_of(DebyeWindow *window);
/* Opens files in this window; where it shows something already that they don't continue, in a new one. */
void debye_window_controller_open(DebyeWindowController *self, const char *const *paths);
/* Opens a sample, runs its main job and plays its trajectory. */
void debye_window_controller_open_sample(DebyeWindowController *self, const char *name);
/* Jobs are waiting or running that closing the window stops. */
gboolean debye_window_controller_is_computing(DebyeWindowController *self);
/* Closes it without a question: what was not saved is lost, jobs are stopped. */
void debye_window_controller_discard(DebyeWindowController *self);
/* Stops its jobs, saves, then closes it, see debye_window_session_save_and_close(). */
void debye_window_controller_save_and_close(DebyeWindowController *self);

G_END_DECLS
