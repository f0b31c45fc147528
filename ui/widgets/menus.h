/* SPDX-License-Identifier: MIT */
/* The menus of windows and plots, which are the same in all of them. */
#pragma once

#include <gtk/gtk.h>

/* The menu of this id in menus.ui, in the language that was set at the first call. All callers get the same
 * model, which stays: to be shown, not to be changed. From the main thread. (transfer none) */
GMenuModel *debye_menus_get(const char *id);
