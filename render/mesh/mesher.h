/* SPDX-License-Identifier: MIT */
/* Meshes isosurfaces on a worker thread for isosurface_layer.c. */
#pragma once

#include "data/results/field.h"
#include "marching_cubes.h"

G_BEGIN_DECLS

typedef struct _DebyeMesher DebyeMesher;

/* `done` is called on the main context of the caller when a mesh can be taken. */
DebyeMesher *debye_mesher_new(GSourceFunc done, gpointer data);
/* Stops what is being made and waits for the thread. NULL is nothing. */
void debye_mesher_free(DebyeMesher *mesher);

/* As debye_worker_listen(). */
void debye_mesher_listen(DebyeMesher *mesher);

/* `stride` 2: of every second point, for a level that is being dragged. Replaces a request that waits. A mesh
 * of every point that is being made is given up; a coarse one is let finish, or a steady drag would never
 * show anything. `longest_edge`: of triangles of a mesh of every point, Å; 0: as they are. `coloring`: the map whose
 * values the vertices get, or NULL. */
void debye_mesher_request(DebyeMesher *mesher, DebyeField *field, double level, gsize stride,
                          double longest_edge, DebyeField *coloring);
/* Something waits or is being made. */
gboolean debye_mesher_is_busy(DebyeMesher *mesher);
/* The newest mesh that is done, once, and its stride; NULL: none yet, or there wasn't the memory. */
DebyeMesh *debye_mesher_take(DebyeMesher *mesher, gsize *stride);
/* Waits until nothing is being made. */
void debye_mesher_wait(DebyeMesher *mesher);

G_END_DECLS
