/* SPDX-License-Identifier: MIT */
/* Isosurfaces on a GPU, of maps from the host; its twin is cpu/isosurface/isosurface.c. */
#include "isosurface_mesher.cuh"

typedef struct {
  DebyeIsosurfaceSettings settings;
  int device;
  DebyeStream stream;
  DebyeCudaMesher mesher;
  DebyeGrid grid;
  bool has_map;
  float *values;
} Plan;

static DebyeStatusCode
set_map(DebyeKernelPlan *handle, const DebyeGrid *grid, const float *values, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  DebyeStream *stream = &plan->stream;
  plan->has_map = false;
  DebyeStatusCode code = debye_isosurface_map_check(&plan->settings, grid, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_cuda_mesher_upload(&plan->mesher, plan->values, values,
                           grid->shape[0] * grid->shape[1] * grid->shape[2] * sizeof *values, stream);
  code = debye_stream_finish(stream, "copying a map", status);
  plan->grid = *grid;
  plan->has_map = code == DEBYE_STATUS_OK;
  return code;
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, double level, const volatile bool *cancel, DebyeIsosurface *mesh,
        DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  *mesh = DebyeIsosurface();
  if (!plan->has_map)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There is no map yet.");
  const DebyeStatusCode code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  if (code != DEBYE_STATUS_OK || !debye_isosurface_can_be(&plan->grid, level))
    return code;
  if (debye_is_cancelled(cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "An isosurface was stopped.");
  return debye_cuda_mesher_make(&plan->mesher, &plan->grid, plan->values, level, &plan->stream, mesh, status);
}

/* --- Plans --- */

static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  plan->device = device;
  plan->settings = *(const DebyeIsosurfaceSettings *)settings;
  const DebyeStatusCode code = debye_isosurface_settings_check(&plan->settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  return debye_cuda_status(debye_cuda_mesher_set_shape(&plan->mesher, plan->settings.shape),
                           "preparing an isosurface", status);
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = (Plan *)made;
  const size_t *shape = plan->settings.shape;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->values, shape[0] * shape[1] * shape[2]);
  debye_cuda_mesher_list(&plan->mesher, memory);
}

DEBYE_MESHER_PREPARE_AND_CLEAR_PLAN(Plan, "preparing an isosurface")
DEBYE_PLAN(Plan, debye_cuda_memory_source, .prepare = prepare, .clear = clear)

extern "C" const DebyeIsosurfaceKernel debye_cuda_isosurface = {
    .head = {bytes_needed, create, destroy},
    .set_map = set_map,
    .execute = execute,
};
