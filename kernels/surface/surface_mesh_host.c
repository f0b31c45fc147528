/* SPDX-License-Identifier: MIT */
/* Implementation of surface_mesh_host.h: planes of a grid, some at a time. */
#include "surface_mesh_host.h"

#include <math.h>
#include <stdlib.h>

/* Each slab asks every atom whether it is near. */
#define LEAST_PLANES 8
#define SLABS_PER_THREAD 4

typedef struct {
  const DebyeSurface *surface;
  const DebyeSurface *accessible; /* what is outside it is told from it; NULL: the band ends within it */
  DebyeSurfaceGrid grid;
  const DebyeIsosurfaceWay *way;
  float band, *depths;
  bool failed; /* atomic */
} Search;

static bool
is_stopped(const DebyeIsosurfaceWay *way)
{
  return way->is_stopped != NULL && way->is_stopped(way->stopper);
}

static void
find_slab(void *context, size_t slab)
{
  Search *search = context;
  const size_t *shape = search->grid.shape, plane = shape[0] * shape[1], n_slabs = search->way->n_slabs;
  const size_t first = shape[2] * slab / n_slabs, count = shape[2] * (slab + 1) / n_slabs - first;
  float *depths = search->depths + plane * first;
  if (count == 0 || is_stopped(search->way) || __atomic_load_n(&search->failed, __ATOMIC_RELAXED))
    return;
  DebyeSurfacePoint *points = malloc(plane * count * sizeof *points);
  if (points == NULL) {
    __atomic_store_n(&search->failed, true, __ATOMIC_RELAXED);
    return;
  }
  debye_surface_find(search->surface, &search->grid, first, count, points);
  for (size_t i = 0; i < plane * count; i++)
    depths[i] = fminf(fmaxf(points[i].depth, -search->band), search->band);
  if (search->accessible != NULL) {
    debye_surface_find(search->accessible, &search->grid, first, count, points);
    for (size_t i = 0; i < plane * count; i++)
      depths[i] = fmaxf(depths[i] + fminf(points[i].depth, 0.0f), -search->band);
  }
  free(points);
}

DebyeStatusCode
debye_surface_mesh_find_depths(const DebyeSurfaceMeshTask *task, const DebyeIsosurfaceWay *way, float *depths,
                               DebyeStatus *status)
{
  DebyeSurface surface, accessible = {.kind = DEBYE_SURFACE_ACCESSIBLE,
                                      .spheres = task->spheres,
                                      .probe = task->probe,
                                      .band = task->band};
  Search search = {.surface = &surface,
                   .accessible = debye_surface_mesh_leaves_probe(task) ? &accessible : NULL,
                   .grid = debye_surface_mesh_grid(task),
                   .way = way,
                   .band = (float)task->band,
                   .depths = depths};
  const DebyeStatusCode code =
      debye_surface_init(&surface, task->kind, &task->spheres, task->probe, way->runner, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  surface.band = task->band;
  if (!is_stopped(way))
    debye_chunks_run(way->runner, way->n_slabs, find_slab, &search);
  debye_surface_clear(&surface);
  if (is_stopped(way))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "A surface was stopped.");
  return search.failed ? debye_surface_mesh_no_memory(task->spheres.n, status) : debye_status_ok(status);
}

size_t
debye_surface_mesh_count_slabs(const DebyeGrid *grid, size_t n_threads)
{
  const size_t n = n_threads * SLABS_PER_THREAD, most = grid->shape[2] / LEAST_PLANES;
  return n_threads <= 1 || most < 1 ? 1 : n < most ? n : most;
}
