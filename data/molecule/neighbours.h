/* SPDX-License-Identifier: MIT */
/* Which atoms are near a point: a cell list over some atoms of a frame, periodic where the frame has a cell.
 * Immutable once made, so any thread may ask. Atoms that are not finite are left out. */
#pragma once

#include "periodic.h"

typedef struct _DebyeNeighbours DebyeNeighbours;

/* `atoms` NULL: all. `radius` in Å is the one later asked for. The positions are copied. */
DebyeNeighbours *debye_neighbours_new(const DebyeFrame *frame, const guint32 *atoms, gsize n_atoms,
                                      double radius);
void debye_neighbours_free(DebyeNeighbours *neighbours);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeNeighbours, debye_neighbours_free)

/* FALSE to stop. */
typedef gboolean (*DebyeNeighbourFunc)(guint32 atom, double squared_distance, gpointer data);

/* Every atom of the list with distance <= radius to `point`; in a cell, every image in range is visited for
 * itself, so that a radius beyond half the cell misses none. The order is not stated. */
void debye_neighbours_visit(const DebyeNeighbours *neighbours, DebyeVec3 point, DebyeNeighbourFunc visit,
                            gpointer data);
/* Is any there? */
gboolean debye_neighbours_any(const DebyeNeighbours *neighbours, DebyeVec3 point);
