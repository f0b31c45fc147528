/* SPDX-License-Identifier: MIT */
/* What is remembered from one start to the next. Kept in GSettings where the schema is installed, in memory
 * otherwise, so that the program runs from a build folder too.
 *
 * Properties: "temperature" double K, "unit" string, "appearance" string (screen, figure, projector),
 * "color-scheme" string (system, light, dark), "device" string, "threads" int (0: one a
 * core), "memory" string as the setting of that name, "mouse" string of mouse_habit.h, "look" string of
 * app/scene/kept_look.h, "window-width", "window-height" int, "window-maximized" boolean. */
#pragma once

#include <gio/gio.h>

#define DEBYE_TYPE_PREFERENCES (debye_preferences_get_type())
G_DECLARE_FINAL_TYPE(DebyePreferences, debye_preferences, DEBYE, PREFERENCES, GObject)

DebyePreferences *debye_preferences_new(void);
/* What was opened lately, newest first: a list of lists of paths ("aas"). */
GVariant *debye_preferences_get_recent(DebyePreferences *self);
/* Puts these files on top. Emits "recent-changed". */
void debye_preferences_add_recent(DebyePreferences *self, const char *const *paths);
/* Takes all entries with this file away. Emits "recent-changed". */
void debye_preferences_remove_recent(DebyePreferences *self, const char *path);
