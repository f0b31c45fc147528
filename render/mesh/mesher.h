/* SPDX-License-Identifier: MIT */
/* Meshes isosurfaces on a worker thread for isosurface_layer.c. */
#pragma once

#include "data/results/field.h"
#include "data/work/worker.h"
#include "marching_cubes.h"

/* `done` is called on the main context of the caller when a mesh can be taken. */
DebyeWorker *debye_mesher_new(GSourceFunc done, gpointer data);

/* `stride` 2: of every second point, for a level that is being dragged. Replaces a request that waits. A mesh
 * of every point that is being made is given up; a coarse one is let finish, or a steady drag would never
 * show anything. `longest_edge`: of triangles of a mesh of every point, Å; 0: as they are. `coloring`: the map whose
 * values the vertices get, or NULL. */
void debye_mesher_request(DebyeWorker *mesher, DebyeField *field, double level, gsize stride,
                          double longest_edge, DebyeField *coloring);
/* The newest mesh that is done, once, and its stride; NULL: none yet, or there wasn't the memory. */
DebyeMesh *debye_mesher_take(DebyeWorker *mesher, gsize *stride);
