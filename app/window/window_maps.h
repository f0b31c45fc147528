/* SPDX-License-Identifier: MIT */
/* What a window makes of its maps: profiles, values along a line, differences. Each is a result like those
 * computed of atoms: plotted, listed, exported, kept in the session. */
#pragma once

#include "window_frames.h"

/* Of the scene's map of that number, and of a result's by its place in the list of results. A profile takes
 * (ui): the number and the axis; the others ask for the rest. */
void debye_window_maps_profile(DebyeWindowDocument *self, GVariant *number_and_axis);
void debye_window_maps_line(DebyeWindowFrames *frames, guint number);
void debye_window_maps_subtract(DebyeWindowDocument *self, guint number);
void debye_window_maps_profile_of_result(DebyeWindowDocument *self, GVariant *position_and_axis);
void debye_window_maps_line_of_result(DebyeWindowFrames *frames, guint position);
void debye_window_maps_subtract_of_result(DebyeWindowDocument *self, guint position);
/* Whether a result is such a one: it is made again from its map, not of atoms. */
gboolean debye_window_maps_made(DebyeResult *result);

/* Who is in the blobs of a density map, window_blobs.c: a click on a surface, or the menu of its layer, goes through the map's
 * frames again, and the side bar lists the residues. Listens to the view, the results and the list. */
void debye_window_blobs_add(DebyeWindowComputing *computing, DebyeWindowFrames *frames);
/* All blobs of the scene's map of a number at a level: (ud). */
void debye_window_blobs_list(DebyeWindowComputing *computing, GVariant *number_and_level);
