/* SPDX-License-Identifier: MIT */
/* Who binds whom: two selections of a map's chosen atoms; used by the plan of maps and map_binding.c. */
#pragma once

#include "data/molecule/frame.h"
#include "data/molecule/topology.h"

/* 1 or 2 for each chosen atom (guint32), of the pair "A | B"; to be freed. NULL with an error: both must be all of the
 * chosen atoms, without one in common, and the same in all frames. */
guint8 *debye_map_partners_find(const char *pair, DebyeTopology *topology, const DebyeFrame *first,
                                const GArray *atoms, GError **error);
