/* SPDX-License-Identifier: MIT */
/* Triangles of surfaces of molecules on a GPU; its twin is cpu/surface/surface_mesh.c. Of the atoms, which alone go there, the
 * surface is found (surface.cuh), of it the depths of a grid's points, and of these the triangles (isosurface_mesher.cuh),
 * which alone come back. */
#include "kernels/surface/surface_mesh.h"

#include "kernels/cuda/isosurface/isosurface_mesher.cuh"
#include "surface.cuh"

#define THREADS 256
/* Of loops over all points. */
#define MOST_BLOCKS 4096

typedef struct {
  DebyeSurfaceMeshSettings settings;
  int device;
  DebyeStream stream;
  DebyeCudaSurfaceMaker maker;
  DebyeCudaMesher mesher;
  DebyeRoom keys, depths;
} Plan;

/* --- Depths --- */

static __global__ void
__launch_bounds__(THREADS)
    read_depths(size_t n, const unsigned long long *keys, bool is_union, float band, float *depths)
{
  for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += (size_t)gridDim.x * THREADS)
    depths[i] = fminf(fmaxf(debye_surface_point(keys[i], is_union).depth, -band), band);
}

/* Keys of the accessible surface: what is outside it is as far outside the excluded one, and the probe's radius more. */
static __global__ void
__launch_bounds__(THREADS) add_outside(size_t n, const unsigned long long *keys, float band, float *depths)
{
  for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += (size_t)gridDim.x * THREADS)
    depths[i] = fmaxf(depths[i] + fminf(debye_surface_point(keys[i], true).depth, 0.0f), -band);
}

static size_t
count_points(const size_t shape[3])
{
  return shape[0] * shape[1] * shape[2];
}

static void
find_depths(Plan *plan, const DebyeSurfaceMeshTask *task, DebyeCudaSurface *surface)
{
  DebyeStream *stream = &plan->stream;
  const DebyeSurfaceGrid grid = debye_surface_mesh_grid(task);
  const size_t n = count_points(grid.shape), blocks = (n + THREADS - 1) / THREADS;
  const unsigned n_blocks = (unsigned)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
  debye_stream_reserve(stream, &plan->keys, n, sizeof(unsigned long long));
  debye_stream_reserve(stream, &plan->depths, n, sizeof(float));
  unsigned long long *keys = (unsigned long long *)plan->keys.memory;
  float *depths = (float *)plan->depths.memory;
  surface->band = task->band;
  debye_cuda_surface_find(surface, &grid, keys, stream);
  if (debye_stream_is_good(stream))
    read_depths<<<n_blocks, THREADS, 0, stream->handle>>>(n, keys, surface->is_union, (float)task->band,
                                                          depths);
  debye_stream_note_launch(stream);
  if (!debye_surface_mesh_leaves_probe(task))
    return;
  surface->is_union = true;
  surface->more = task->probe;
  debye_cuda_surface_find(surface, &grid, keys, stream);
  if (debye_stream_is_good(stream))
    add_outside<<<n_blocks, THREADS, 0, stream->handle>>>(n, keys, (float)task->band, depths);
  debye_stream_note_launch(stream);
}

/* --- A surface --- */

static DebyeStatusCode
execute(DebyeKernelPlan *handle, const DebyeSurfaceMeshTask *task, const volatile bool *cancel,
        DebyeIsosurface *mesh, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  DebyeStream *stream = &plan->stream;
  DebyeCudaSurface surface;
  *mesh = DebyeIsosurface();
  DebyeStatusCode code = debye_surface_mesh_check(task, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  if (code == DEBYE_STATUS_OK && debye_is_cancelled(cancel))
    code = debye_status_set(status, DEBYE_STATUS_CANCELLED, "A surface was stopped.");
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(debye_cuda_mesher_set_shape(&plan->mesher, task->grid.shape),
                             "preparing a surface", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_surface_make(&plan->maker, task->kind, &task->spheres, task->probe, stream, &surface,
                                   status);
  if (code != DEBYE_STATUS_OK)
    return code;
  find_depths(plan, task, &surface);
  /* A Stop comes while the device is at the depths, which take the time. */
  code = debye_stream_finish(stream, "finding depths", status);
  if (code == DEBYE_STATUS_OK && debye_is_cancelled(cancel))
    code = debye_status_set(status, DEBYE_STATUS_CANCELLED, "A surface was stopped.");
  if (code != DEBYE_STATUS_OK)
    return code;
  return debye_cuda_mesher_make(&plan->mesher, &task->grid, (const float *)plan->depths.memory, 0.0, stream,
                                mesh, status);
}

/* --- Plans --- */

static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  plan->device = device;
  plan->settings = *(const DebyeSurfaceMeshSettings *)settings;
  const DebyeStatusCode code = debye_surface_mesh_settings_check(&plan->settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  return debye_cuda_status(debye_cuda_mesher_set_shape(&plan->mesher, plan->settings.shape),
                           "preparing a surface", status);
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = (Plan *)made;
  const size_t n = count_points(plan->settings.shape);
  debye_cuda_surface_list(&plan->maker, memory, plan->settings.n_atoms);
  debye_cuda_mesher_list(&plan->mesher, memory);
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &plan->keys, n, sizeof(unsigned long long));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &plan->depths, n, sizeof(float));
}

DEBYE_MESHER_PREPARE_AND_CLEAR_PLAN(Plan, "preparing a surface")
DEBYE_PLAN(Plan, debye_cuda_memory_source, .prepare = prepare, .clear = clear)

extern "C" const DebyeSurfaceMeshKernel debye_cuda_surface_mesh = {
    .head = {bytes_needed, create, destroy},
    .execute = execute,
};
