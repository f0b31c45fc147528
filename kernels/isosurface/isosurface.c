/* SPDX-License-Identifier: MIT */
/* What every back end of isosurfaces does before it starts: its arguments checked. */
#include "isosurface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void
debye_isosurface_clear(DebyeIsosurface *mesh)
{
  free(mesh->positions);
  free(mesh->normals);
  free(mesh->indices);
  *mesh = (DebyeIsosurface){0};
}

bool
debye_isosurface_can_be(const DebyeGrid *grid, double level)
{
  const DebyeVec3 *step = grid->step;
  const double volume = debye_vec3_dot(step[0], debye_vec3_cross(step[1], step[2]));
  return grid->shape[0] >= 2 && grid->shape[1] >= 2 && grid->shape[2] >= 2 && isfinite(volume) &&
         volume != 0.0 && isfinite(level);
}

DebyeStatusCode
debye_isosurface_settings_check(const DebyeIsosurfaceSettings *settings, DebyeStatus *status)
{
  size_t left = DEBYE_ISOSURFACE_MOST_POINTS;
  for (int axis = 0; axis < 3; axis++) {
    if (settings->shape[axis] < 1)
      return debye_status_set(status, DEBYE_STATUS_INVALID, "A grid without points has no isosurface.");
    left /= settings->shape[axis];
  }
  return left > 0 ? debye_status_ok(status)
                  : debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                                     "The grid has too many points for an isosurface.");
}

DebyeStatusCode
debye_isosurface_map_check(const DebyeIsosurfaceSettings *settings, const DebyeGrid *grid,
                           DebyeStatus *status)
{
  return memcmp(settings->shape, grid->shape, sizeof grid->shape) == 0
             ? debye_status_ok(status)
             : debye_status_set(status, DEBYE_STATUS_INVALID, "The shape of the map differs from the plan.");
}
