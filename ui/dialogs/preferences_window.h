/* SPDX-License-Identifier: MIT */
/* Units, appearance, mouse, devices, limits and the cache in one place. */
#pragma once

#include <adwaita.h>

#include "ui/widgets/preferences.h"

#define DEBYE_TYPE_PREFERENCES_WINDOW (debye_preferences_window_get_type())
G_DECLARE_FINAL_TYPE(DebyePreferencesWindow, debye_preferences_window, DEBYE, PREFERENCES_WINDOW,
                     AdwPreferencesWindow)

GtkWidget *debye_preferences_window_new(DebyePreferences *preferences, GtkWindow *parent);
/* A device, and for one that is not used: why. */
void debye_preferences_window_add_device(DebyePreferencesWindow *self, const char *name,
                                         const char *description, gboolean usable);
