/* SPDX-License-Identifier: MIT */
/* Implementation of surface_depths.h: planes of a grid, some at a time, on all processors. */
#include "surface_depths.h"

#include "data/work/parts.h"
#include "kernels/surface/surface.h"
#include "render/mesh/sphere_surface.h"

/* Each part asks every atom whether it is near. */
#define LEAST_PLANES 8
#define PARTS_PER_THREAD 4

typedef struct {
  const DebyeSurface *surface;
  const DebyeSurface *accessible; /* what is outside it is told from it; NULL: the band ends within it */
  DebyeSurfaceGrid grid;
  gsize planes; /* a part */
  float band, *depths;
  GCancellable *cancellable;
  gint failed; /* atomic */
} Search;

/* --- The runner of a reduced surface, which may be given up --- */

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

/* --- Depths --- */

static void
find_planes(gsize part, gpointer data)
{
  Search *search = data;
  const gsize *shape = search->grid.shape, plane = shape[0] * shape[1];
  const gsize first = part * search->planes, count = MIN(search->planes, shape[2] - first);
  float *depths = search->depths + plane * first;
  if (g_cancellable_is_cancelled(search->cancellable) || g_atomic_int_get(&search->failed))
    return;
  g_autofree DebyeSurfacePoint *points = g_try_new(DebyeSurfacePoint, plane * count);
  if (points == NULL) {
    g_atomic_int_set(&search->failed, TRUE);
    return;
  }
  debye_surface_find(search->surface, &search->grid, first, count, points);
  for (gsize i = 0; i < plane * count; i++)
    depths[i] = CLAMP(points[i].depth, -search->band, search->band);
  if (search->accessible == NULL)
    return;
  debye_surface_find(search->accessible, &search->grid, first, count, points);
  for (gsize i = 0; i < plane * count; i++)
    depths[i] = MAX(depths[i] + MIN(points[i].depth, 0.0f), -search->band);
}

static gboolean
find_all_planes(Search *search)
{
  const gsize n_planes = search->grid.shape[2];
  search->planes = MAX(LEAST_PLANES, n_planes / (PARTS_PER_THREAD * debye_parts_count_threads()));
  debye_parts_run((n_planes + search->planes - 1) / search->planes, find_planes, search);
  return !search->failed && !g_cancellable_is_cancelled(search->cancellable);
}

static gboolean
find_depths(const DebyeSurfaceAtoms *atoms, DebyeMeshSurface kind, double probe, const DebyeGrid *grid,
            double band, float *depths, GCancellable *cancellable)
{
  static const DebyeSurfaceKind kinds[] = {
      [DEBYE_MESH_SURFACE_EXCLUDED] = DEBYE_SURFACE_EXCLUDED,
      [DEBYE_MESH_SURFACE_VAN_DER_WAALS] = DEBYE_SURFACE_VAN_DER_WAALS,
      [DEBYE_MESH_SURFACE_ACCESSIBLE] = DEBYE_SURFACE_ACCESSIBLE,
  };
  const DebyeSpheres spheres = {atoms->x, atoms->y, atoms->z, atoms->radii, atoms->n_atoms};
  const DebyeChunkRunner runner = {run_chunks, cancellable};
  DebyeSurface surface, accessible = {.kind = DEBYE_SURFACE_ACCESSIBLE, .spheres = spheres, .probe = probe};
  DebyeStatus status;
  Search search = {.surface = &surface,
                   .grid = {.origin = grid->origin,
                            .step = {grid->step[0].x, grid->step[1].y, grid->step[2].z},
                            .shape = {grid->shape[0], grid->shape[1], grid->shape[2]}},
                   .band = (float)band,
                   .depths = depths,
                   .cancellable = cancellable};
  if (debye_surface_init(&surface, kinds[kind], &spheres, probe, &runner, &status) != DEBYE_STATUS_OK)
    return FALSE;
  surface.band = accessible.band = band;
  if (kind == DEBYE_MESH_SURFACE_EXCLUDED && probe < band)
    search.accessible = &accessible;
  const gboolean is_found = !g_cancellable_is_cancelled(cancellable) && find_all_planes(&search);
  debye_surface_clear(&surface);
  return is_found;
}

void
debye_surface_depths_lend(void)
{
  debye_sphere_surface_set_depths(find_depths);
}
