/* SPDX-License-Identifier: MIT */
/* Triangles of surfaces of molecules on the CPU; its twin is cuda/surface/surface_mesh.cu. */
#include "kernels/surface/surface_mesh.h"

#include <stdlib.h>

#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/plan.h"
#include "kernels/surface/surface_mesh_host.h"

typedef struct {
  DebyeSurfaceMeshSettings settings;
  DebyePool *pool;
  DebyeRoom depths;
} Plan;

static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  Plan *plan = made;
  (void)device;
  plan->settings = *(const DebyeSurfaceMeshSettings *)settings;
  return debye_surface_mesh_settings_check(&plan->settings, status);
}

/* What a surface and its triangles take beside is as much as they meet. */
static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = made;
  const size_t *shape = plan->settings.shape;
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_HOST, &plan->depths, shape[0] * shape[1] * shape[2],
                             sizeof(float));
}

static DebyeStatusCode
no_memory(const void *made, DebyeStatus *status)
{
  const Plan *plan = made;
  return debye_surface_mesh_no_memory(plan->settings.n_atoms, status);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = made;
  plan->pool = debye_pool_new(debye_cpu_get_threads());
  return plan->pool != NULL ? debye_status_ok(status) : no_memory(plan, status);
}

DEBYE_POOL_CLEAR_PLAN(Plan)
DEBYE_PLAN(Plan, debye_host_memory_source, .no_memory = no_memory, .prepare = prepare, .clear = clear)

/* --- A surface --- */

typedef struct {
  DebyePool *pool;
  const volatile bool *cancel;
} Work;

static void
run_chunks(void *runner, size_t n_chunks, void (*function)(void *context, size_t chunk), void *context)
{
  const Work *work = runner;
  debye_parallel_for(work->pool, n_chunks, function, context, work->cancel);
}

static bool
is_cancelled(const void *stopper)
{
  const Work *work = stopper;
  return debye_is_cancelled(work->cancel);
}

/* Of a task that was checked, with room for its depths. */
static DebyeStatusCode
make(const Plan *plan, const DebyeSurfaceMeshTask *task, const volatile bool *cancel, DebyeIsosurface *mesh,
     DebyeStatus *status)
{
  Work work = {plan->pool, cancel};
  const DebyeChunkRunner runner = {run_chunks, &work};
  const unsigned n_threads = debye_pool_get_threads(plan->pool);
  DebyeIsosurfaceWay way = {.n_slabs = debye_surface_mesh_count_slabs(&task->grid, n_threads),
                            .runner = &runner,
                            .is_stopped = is_cancelled,
                            .stopper = &work};
  float *depths = plan->depths.memory;
  const DebyeStatusCode code = debye_surface_mesh_find_depths(task, &way, depths, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  way.n_slabs = debye_isosurface_count_slabs(&task->grid, n_threads);
  if (debye_isosurface_make(&task->grid, depths, 0.0, &way, mesh))
    return debye_status_ok(status);
  return debye_is_cancelled(cancel)
             ? debye_status_set(status, DEBYE_STATUS_CANCELLED, "A surface was stopped.")
             : debye_surface_mesh_no_memory(task->spheres.n, status);
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, const DebyeSurfaceMeshTask *task, const volatile bool *cancel,
        DebyeIsosurface *mesh, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  const size_t *shape = task->grid.shape;
  *mesh = (DebyeIsosurface){0};
  const DebyeStatusCode code = debye_surface_mesh_check(task, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (!debye_room_reserve(&plan->depths, DEBYE_MEMORY_HOST, shape[0] * shape[1] * shape[2], sizeof(float),
                          &debye_host_memory_source))
    return debye_surface_mesh_no_memory(task->spheres.n, status);
  return make(plan, task, cancel, mesh, status);
}

const DebyeSurfaceMeshKernel debye_cpu_surface_mesh = {
    .head = {bytes_needed, create, destroy},
    .execute = execute,
};
