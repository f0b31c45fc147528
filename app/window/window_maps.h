/* SPDX-License-Identifier: MIT */
/* What a window makes of its maps: profiles, values along a line, differences. Each is a result like those
 * computed of atoms: plotted, listed, exported, kept in the session. */
#pragma once

#include "window_controller_private.h"

G_BEGIN_DECLS

/* Of the scene's map of that number, and of a result's by its place in the list of results. A profile takes
 * (ui): the number and the axis; the others ask for the rest. */
void debye_window_maps_profile(DebyeWindowController *self, GVariant *number_and_axis);
void debye_window_maps_line(DebyeWindowController *self, guint number);
void debye_window_maps_subtract(DebyeWindowController *self, guint number);
void debye_window_maps_profile_of_result(DebyeWindowController *self, GVariant *position_and_axis);
void debye_window_maps_line_of_result(DebyeWindowController *self, guint position);
void debye_window_maps_subtract_of_result(DebyeWindowController *self, guint position);
/* Whether a result is such a one: it is made again from its map, not of atoms. */
gboolean debye_window_maps_made(DebyeResult *result);

G_END_DECLS
