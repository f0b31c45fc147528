/* SPDX-License-Identifier: MIT */
/* Implementation of surface_depths.h: planes of a grid, some at a time, on all processors. */
#include "surface_depths.h"

#include "data/work/parts.h"
#include "kernels/surface/surface_mesh_host.h"

DebyeSurfaceMeshTask
debye_surface_depths_task(const DebyeSurfaceAtoms *atoms, DebyeMeshSurface kind, double probe,
                          const DebyeGrid *grid, double band)
{
  static const DebyeSurfaceKind kinds[] = {
      [DEBYE_MESH_SURFACE_EXCLUDED] = DEBYE_SURFACE_EXCLUDED,
      [DEBYE_MESH_SURFACE_VAN_DER_WAALS] = DEBYE_SURFACE_VAN_DER_WAALS,
      [DEBYE_MESH_SURFACE_ACCESSIBLE] = DEBYE_SURFACE_ACCESSIBLE,
  };
  return (DebyeSurfaceMeshTask){.kind = kinds[kind],
                                .spheres = {atoms->x, atoms->y, atoms->z, atoms->radii, atoms->n_atoms},
                                .probe = probe,
                                .grid = *grid,
                                .band = band};
}

/* --- The runner of a surface, which may be given up --- */

typedef struct {
  void (*function)(void *context, size_t chunk);
  void *context;
  GCancellable *cancellable;
} Chunks;

static void
run_chunk(gsize chunk, gpointer data)
{
  const Chunks *chunks = data;
  if (!g_cancellable_is_cancelled(chunks->cancellable))
    chunks->function(chunks->context, chunk);
}

static void
run_chunks(void *runner, size_t n_chunks, void (*function)(void *context, size_t chunk), void *context)
{
  debye_parts_run(n_chunks, run_chunk, &(Chunks){function, context, runner});
}

static bool
is_stopped(const void *stopper)
{
  return g_cancellable_is_cancelled(*(GCancellable *const *)stopper);
}

/* --- Depths --- */

static gboolean
find_depths(const DebyeSurfaceAtoms *atoms, DebyeMeshSurface kind, double probe, const DebyeGrid *grid,
            double band, float *depths, GCancellable *cancellable)
{
  const DebyeSurfaceMeshTask task = debye_surface_depths_task(atoms, kind, probe, grid, band);
  const DebyeChunkRunner runner = {run_chunks, cancellable};
  const DebyeIsosurfaceWay way = {.n_slabs =
                                      debye_surface_mesh_count_slabs(grid, debye_parts_count_threads()),
                                  .runner = &runner,
                                  .is_stopped = is_stopped,
                                  .stopper = &cancellable};
  DebyeStatus status;
  return debye_surface_mesh_check(&task, &status) == DEBYE_STATUS_OK &&
         debye_surface_mesh_find_depths(&task, &way, depths, &status) == DEBYE_STATUS_OK;
}

void
debye_surface_depths_lend(void)
{
  debye_sphere_surface_set_depths(find_depths);
}
