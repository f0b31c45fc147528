/* SPDX-License-Identifier: MIT */
/* Meshes of kernels/isosurface for isosurfaces and molecular surfaces: on all processors, or on the device that is lent. */
#include "marching_cubes.h"

#include "data/work/parts.h"
#include "kernels/isosurface/isosurface_host.h"

/* --- The runner --- */

typedef struct {
  void (*function)(void *context, size_t chunk);
  void *context;
} Chunks;

static void
run_chunk(gsize chunk, gpointer data)
{
  const Chunks *chunks = data;
  chunks->function(chunks->context, chunk);
}

static void
run_chunks(void *runner G_GNUC_UNUSED, size_t n_chunks, void (*function)(void *context, size_t chunk),
           void *context)
{
  debye_parts_run(n_chunks, run_chunk, &(Chunks){function, context});
}

static bool
is_stopped(const void *stopper)
{
  return g_cancellable_is_cancelled(*(GCancellable *const *)stopper);
}

/* --- On the processors --- */

DebyeMesh *
debye_marching_cubes_take(DebyeIsosurface *made)
{
  DebyeMesh *mesh = g_new0(DebyeMesh, 1);
  mesh->n_vertices = made->n_vertices;
  mesh->n_triangles = made->n_triangles;
  mesh->positions = made->positions;
  mesh->normals = made->normals;
  mesh->indices = made->indices;
  *made = (DebyeIsosurface){0};
  return mesh;
}

DebyeMesh *
debye_marching_cubes_in_slabs(const DebyeGrid *grid, const float *values, double level, gsize n_slabs,
                              GCancellable *cancellable)
{
  const DebyeChunkRunner runner = {run_chunks, NULL};
  const DebyeIsosurfaceWay way = {
      .n_slabs = n_slabs, .runner = &runner, .is_stopped = is_stopped, .stopper = &cancellable};
  DebyeIsosurface made;
  return debye_isosurface_make(grid, values, level, &way, &made) ? debye_marching_cubes_take(&made) : NULL;
}

DebyeMesh *
debye_marching_cubes(const DebyeGrid *grid, const float *values, double level, GCancellable *cancellable)
{
  const gsize n = debye_isosurface_count_slabs(grid, debye_parts_count_threads());
  return debye_marching_cubes_in_slabs(grid, values, level, n, cancellable);
}

/* --- Of a map --- */

static DebyeMarchingCubesDevice lent; /* atomic */

void
debye_marching_cubes_set_device(DebyeMarchingCubesDevice make)
{
  __atomic_store_n(&lent, make, __ATOMIC_RELEASE);
}

DebyeMesh *
debye_marching_cubes_of_field(DebyeField *field, double level, GCancellable *cancellable)
{
  const DebyeMarchingCubesDevice make = __atomic_load_n(&lent, __ATOMIC_ACQUIRE);
  DebyeMesh *mesh = make != NULL ? make(field, level, cancellable) : NULL;
  if (mesh != NULL)
    return mesh;
  return debye_marching_cubes(debye_field_get_grid(field), debye_field_get_values(field), level, cancellable);
}
