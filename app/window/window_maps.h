/* SPDX-License-Identifier: MIT */
/* What a window makes of its maps: profiles, values along a line, differences. Each is a result like those
 * computed of atoms: plotted, listed, exported, kept in the session. */
#pragma once

#include "window_controller_private.h"

G_BEGIN_DECLS

/* Adds the actions "map-profile" (ui: the map's number among the scene's, the axis), "map-line" (u) and
 * "map-subtract" (u), which ask for the rest, to the window; "result-profile", "result-line" and
 * "result-subtract" do so with the map of a result, by its place in the list of results. */
void debye_window_maps_add(DebyeWindowController *self);
/* Whether a result is such a one: it is made again from its map, not of atoms. */
gboolean debye_window_maps_made(DebyeResult *result);

G_END_DECLS
