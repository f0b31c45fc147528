/* SPDX-License-Identifier: MIT */
/* Which residues of a map are followed over time; used by map_plan.c and map_residue_courses.c. */
#pragma once

#include "data/selection/selection.h"

/* Numbers of residues, guint32, in the topology's order: those with an atom that the selection chooses and one of the map's atoms.
 * NULL with an error: the selection chooses none, can't be understood or follows positions. */
GArray *debye_map_followed_find(const char *selection, DebyeTopology *topology, const DebyeFrame *first,
                                const GArray *atoms, GError **error);
/* What their values over so many frames take, with the curves that the result has of them. */
double debye_map_followed_bytes(gsize n_residues, gsize n_frames);
