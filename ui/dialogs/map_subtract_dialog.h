/* SPDX-License-Identifier: MIT */
/* Which map is to be taken off another. One that doesn't fit is refused there, with the reason. */
#pragma once

#include <adwaita.h>

#include "data/results/field.h"

#define DEBYE_TYPE_MAP_SUBTRACT_DIALOG (debye_map_subtract_dialog_get_type())
G_DECLARE_FINAL_TYPE(DebyeMapSubtractDialog, debye_map_subtract_dialog, DEBYE, MAP_SUBTRACT_DIALOG, AdwWindow)

/* `name` is that of `map`; `others` (of DebyeSceneMap) has at least one map to take off it. The first that
 * fits is chosen. Emits "subtract" (guint: the number of the chosen one). */
GtkWidget *debye_map_subtract_dialog_new(GtkWindow *parent, DebyeField *map, const char *name,
                                         GListModel *others);
