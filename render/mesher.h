/* SPDX-License-Identifier: MIT */
/* Meshes isosurfaces on a thread of its own, which stays: making one for each level that a hand drags past
 * can take longer than a frame on a busy machine. Only the newest request counts. */
#pragma once

#include "data/field.h"
#include "marching_cubes.h"

G_BEGIN_DECLS

typedef struct _DebyeMesher DebyeMesher;

/* `done` is called on the main context of the caller when a mesh can be taken. */
DebyeMesher *debye_mesher_new(GSourceFunc done, gpointer data);
/* Stops what is being made and waits for the thread. NULL is nothing. */
void debye_mesher_free(DebyeMesher *mesher);

/* `stride` 2: of every second point, for a level that is being dragged. Replaces a request that waits. A mesh
 * of every point that is being made is given up; a coarse one is let finish, or a steady drag would never
 * show anything. */
void debye_mesher_request(DebyeMesher *mesher, DebyeField *field, double level, gsize stride);
/* Something waits or is being made. */
gboolean debye_mesher_is_busy(DebyeMesher *mesher);
/* The newest mesh that is done, once, and its stride; NULL: none yet, or there wasn't the memory. */
DebyeMesh *debye_mesher_take(DebyeMesher *mesher, gsize *stride);
/* Waits until nothing is being made. */
void debye_mesher_wait(DebyeMesher *mesher);

G_END_DECLS
