/* SPDX-License-Identifier: MIT */
/* Isosurfaces on the CPU; its twin is cuda/isosurface/isosurface.cu. */
#include "kernels/isosurface/isosurface_host.h"

#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/plan.h"

typedef struct {
  DebyeIsosurfaceSettings settings;
  DebyePool *pool;
  DebyeGrid grid;
  const float *values; /* the caller's; NULL: none yet */
} Plan;

static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  Plan *plan = made;
  (void)device;
  plan->settings = *(const DebyeIsosurfaceSettings *)settings;
  return debye_isosurface_settings_check(&plan->settings, status);
}

/* Nothing that the settings tell: slabs take theirs by what they meet. */
static void
list_memory(void *made, DebyePlanMemory *memory)
{
  (void)made;
  (void)memory;
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = made;
  plan->pool = debye_pool_new(debye_cpu_get_threads());
  return plan->pool != NULL
             ? debye_status_ok(status)
             : debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
}

DEBYE_POOL_CLEAR_PLAN(Plan)
DEBYE_PLAN(Plan, debye_host_memory_source, .prepare = prepare, .clear = clear)

static bool
is_cancelled(const void *stopper)
{
  const volatile bool *const *cancel = stopper;
  return debye_is_cancelled(*cancel);
}

static DebyeStatusCode
set_map(DebyeKernelPlan *handle, const DebyeGrid *grid, const float *values, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  plan->values = NULL;
  const DebyeStatusCode code = debye_isosurface_map_check(&plan->settings, grid, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->grid = *grid;
  plan->values = values;
  return code;
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, double level, const volatile bool *cancel, DebyeIsosurface *mesh,
        DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  const DebyeChunkRunner runner = debye_pool_runner(plan->pool);
  const DebyeIsosurfaceWay way = {
      .n_slabs = debye_isosurface_count_slabs(&plan->grid, debye_pool_get_threads(plan->pool)),
      .runner = &runner,
      .is_stopped = is_cancelled,
      .stopper = &cancel};
  *mesh = (DebyeIsosurface){0};
  if (plan->values == NULL)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There is no map yet.");
  if (debye_isosurface_make(&plan->grid, plan->values, level, &way, mesh))
    return debye_status_ok(status);
  return debye_is_cancelled(cancel)
             ? debye_status_set(status, DEBYE_STATUS_CANCELLED, "An isosurface was stopped.")
             : debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "Not enough memory for an isosurface.");
}

const DebyeIsosurfaceKernel debye_cpu_isosurface = {
    .head = {bytes_needed, create, destroy},
    .set_map = set_map,
    .execute = execute,
};
