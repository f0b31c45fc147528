/* SPDX-License-Identifier: MIT */
/* What the worker that meshes isosurfaces does; called by isosurface_layer.c. */
#include "mesher.h"

#include "mesh_coarse.h"
#include "mesh_fine.h"

typedef struct {
  DebyeMesh *mesh;
  gsize stride;
} Result;

/* Every `stride`th point of a grid, from the first: less than a step is cut off at the far sides. */
static float *
thin_out(const DebyeGrid *grid, const float *values, gsize stride, DebyeGrid *thin)
{
  *thin = *grid;
  for (int axis = 0; axis < 3; axis++) {
    thin->shape[axis] = (grid->shape[axis] - 1) / stride + 1;
    thin->step[axis] = debye_vec3_scale(grid->step[axis], (double)stride);
  }
  float *kept = g_try_new(float, debye_grid_n_points(thin));
  gsize index = 0;
  for (gsize k = 0; kept && k < thin->shape[2]; k++)
    for (gsize j = 0; j < thin->shape[1]; j++) {
      const float *row = values + grid->shape[0] * stride * (j + grid->shape[1] * k);
      for (gsize i = 0; i < thin->shape[0]; i++)
        kept[index++] = row[i * stride];
    }
  return kept;
}

static DebyeMesh *
make_thin_mesh(const DebyeMesherRequest *request, GCancellable *cancellable)
{
  DebyeGrid thin;
  g_autofree float *kept = thin_out(debye_field_get_grid(request->field),
                                    debye_field_get_values(request->field), request->stride, &thin);
  return kept ? debye_marching_cubes(&thin, kept, request->level, cancellable) : NULL;
}

static DebyeMesh *
make_mesh(const DebyeMesherRequest *request, GCancellable *cancellable)
{
  DebyeMesh *mesh = request->stride > 1
                        ? make_thin_mesh(request, cancellable)
                        : debye_marching_cubes_of_field(request->field, request->level, cancellable);
  if (mesh && !debye_mesh_refine(mesh, request->stride == 1 ? request->longest_edge : 0.0))
    g_clear_pointer(&mesh, debye_mesh_free);
  if (mesh && request->coloring)
    debye_mesh_sample(mesh, request->coloring, 0.0);
  if (mesh && !request->is_still)
    debye_mesh_coarsen(mesh, DEBYE_COARSE_TRIANGLES);
  return mesh;
}

static gpointer
work(gpointer data, gpointer *state G_GNUC_UNUSED, GCancellable *cancellable)
{
  const DebyeMesherRequest *request = data;
  DebyeMesh *mesh = make_mesh(request, cancellable);
  if (!mesh)
    return NULL;
  Result *result = g_new(Result, 1);
  *result = (Result){.mesh = mesh, .stride = request->stride};
  return result;
}

static gboolean
gives_up(gconstpointer working, gconstpointer next)
{
  return ((const DebyeMesherRequest *)working)->stride == 1 && ((const DebyeMesherRequest *)next)->stride > 1;
}

static void
request_free(gpointer data)
{
  DebyeMesherRequest *request = data;
  g_object_unref(request->field);
  g_clear_object(&request->coloring);
  g_free(request);
}

static void
result_free(gpointer data)
{
  Result *result = data;
  debye_mesh_free(result->mesh);
  g_free(result);
}

static const DebyeWork meshing = {.name = "debye-mesh",
                                  .niceness = DEBYE_MESH_NICENESS,
                                  .work = work,
                                  .gives_up = gives_up,
                                  .free_request = request_free,
                                  .free_result = result_free};

DebyeWorker *
debye_mesher_new(GSourceFunc done, gpointer data)
{
  return debye_worker_new(&meshing, done, data);
}

void
debye_mesher_request(DebyeWorker *mesher, const DebyeMesherRequest *request)
{
  DebyeMesherRequest *kept = g_memdup2(request, sizeof *request);
  g_object_ref(kept->field);
  if (kept->coloring)
    g_object_ref(kept->coloring);
  debye_worker_request(mesher, kept);
}

DebyeMesh *
debye_mesher_take(DebyeWorker *mesher, gsize *stride)
{
  Result *result = debye_worker_take(mesher);
  if (!result)
    return NULL;
  DebyeMesh *mesh = g_steal_pointer(&result->mesh);
  *stride = result->stride;
  result_free(result);
  return mesh;
}
