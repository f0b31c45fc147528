/* SPDX-License-Identifier: MIT */
/* Which heavy atoms of a structure that is made ready are near a point. Called by chain_ends.c, hydrogen_movers.c and
 * linked_units.c. */
#pragma once

#include "data/molecule/neighbours.h"
#include "prepared_system.h"

/* All atoms that the system has now, where they are now; the radius in Å. NULL with an error: no memory for the positions. */
DebyeNeighbours *debye_prepared_neighbours_new(const DebyePreparedSystem *system, double radius,
                                               GError **error);
