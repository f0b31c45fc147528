/* SPDX-License-Identifier: MIT */
/* What every back end of surfaces' triangles does before it starts: its arguments checked. */
#include "surface_mesh.h"

#include <math.h>

DebyeStatusCode
debye_surface_mesh_settings_check(const DebyeSurfaceMeshSettings *settings, DebyeStatus *status)
{
  const DebyeIsosurfaceSettings grid = {{settings->shape[0], settings->shape[1], settings->shape[2]}};
  return debye_isosurface_settings_check(&grid, status);
}

/* With axes along x, y and z. */
static bool
is_right(const DebyeGrid *grid)
{
  const DebyeVec3 *step = grid->step;
  return step[0].x > 0.0 && step[1].y > 0.0 && step[2].z > 0.0 && step[0].y == 0.0 && step[0].z == 0.0 &&
         step[1].x == 0.0 && step[1].z == 0.0 && step[2].x == 0.0 && step[2].y == 0.0 &&
         isfinite(grid->origin.x + grid->origin.y + grid->origin.z) && debye_isosurface_can_be(grid, 0.0);
}

DebyeStatusCode
debye_surface_mesh_check(const DebyeSurfaceMeshTask *task, DebyeStatus *status)
{
  const size_t *shape = task->grid.shape;
  const DebyeSurfaceMeshSettings settings = {task->spheres.n, {shape[0], shape[1], shape[2]}};
  const DebyeStatusCode code = debye_surface_mesh_settings_check(&settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (!is_right(&task->grid) || !(task->band > 0.0) || !isfinite(task->band))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The grid of a surface has axes that aren't x, y and z, or no band.");
  return debye_surface_check(&task->spheres, task->probe, status);
}

DebyeSurfaceGrid
debye_surface_mesh_grid(const DebyeSurfaceMeshTask *task)
{
  const DebyeGrid *grid = &task->grid;
  const DebyeSurfaceGrid right = {grid->origin,
                                  {grid->step[0].x, grid->step[1].y, grid->step[2].z},
                                  {grid->shape[0], grid->shape[1], grid->shape[2]}};
  return right;
}

bool
debye_surface_mesh_leaves_probe(const DebyeSurfaceMeshTask *task)
{
  return task->kind == DEBYE_SURFACE_EXCLUDED && task->probe > 0.0 && task->probe < task->band;
}

DebyeStatusCode
debye_surface_mesh_no_memory(size_t n_atoms, DebyeStatus *status)
{
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for the surface of %zu atoms.",
                          n_atoms);
}
