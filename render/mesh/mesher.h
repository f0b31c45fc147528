/* SPDX-License-Identifier: MIT */
/* Meshes isosurfaces on a worker thread for isosurface_layer.c. */
#pragma once

#include "data/results/field.h"
#include "data/work/worker.h"
#include "marching_cubes.h"

/* `done` is called on the main context of the caller when a mesh can be taken. */
DebyeWorker *debye_mesher_new(GSourceFunc done, gpointer data);

typedef struct {
  DebyeField *field;
  double level;
  gsize stride;         /* 2: of every second point, for a level that is being dragged */
  double longest_edge;  /* of triangles of a mesh of every point, Å; 0: as they are */
  DebyeField *coloring; /* whose values the vertices get; NULL: none */
  gboolean is_still;    /* no view moves it, so that it needs no coarser mesh beside it */
} DebyeMesherRequest;

/* Replaces a request that waits. A mesh of every point that is being made is given up; a coarse one is let finish, or a steady
 * drag would never show anything. */
void debye_mesher_request(DebyeWorker *mesher, const DebyeMesherRequest *request);
/* The newest mesh that is done, once, and its stride; NULL: none yet, or there wasn't the memory. */
DebyeMesh *debye_mesher_take(DebyeWorker *mesher, gsize *stride);
