/* SPDX-License-Identifier: MIT */
/* One isosurface being meshed on a thread of its own. */
#pragma once

#include "data/field.h"
#include "marching_cubes.h"

G_BEGIN_DECLS

typedef struct _DebyeMeshJob DebyeMeshJob;

/* `stride` 2: of every second point, for a level that is being dragged. `done` is called once on the main
 * context of the caller, unless the job was cancelled before. */
DebyeMeshJob *debye_mesh_job_start(DebyeField *field, double level, gsize stride, GSourceFunc done,
                                   gpointer data);
/* Stops it where it is, waits for its thread and frees it. */
void debye_mesh_job_cancel(DebyeMeshJob *job);
/* Waits until it has finished. */
void debye_mesh_job_wait(DebyeMeshJob *job);
gboolean debye_mesh_job_is_done(DebyeMeshJob *job);
/* The mesh, once, of a job that is done; NULL where there wasn't the memory. */
DebyeMesh *debye_mesh_job_take(DebyeMeshJob *job);

G_END_DECLS
