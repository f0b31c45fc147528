/* SPDX-License-Identifier: MIT */
/* Resamples a map on a plane for slice_layer.c, on the CPU: a plane is a thousandth of its map, and a map
 * that is still growing need not go to the GPU as a whole for each of its pictures. */
#include "slice_plane.h"

static DebyeSlicePlane *
plane_new(gsize n_u, gsize n_v)
{
  DebyeSlicePlane *plane = g_new0(DebyeSlicePlane, 1);
  plane->n_u = n_u;
  plane->n_v = n_v;
  plane->values = g_new(float, n_u *n_v);
  return plane;
}

void
debye_slice_plane_free(DebyeSlicePlane *plane)
{
  if (!plane)
    return;
  g_free(plane->values);
  g_free(plane);
}

static DebyeVec3
side_of(const DebyeGrid *grid, int axis)
{
  return debye_vec3_scale(grid->step[axis], (double)grid->shape[axis] - 1.0);
}

/* The unit normal of the planes of grid points across an axis. */
static DebyeVec3
normal_of(const DebyeGrid *grid, int axis)
{
  DebyeVec3 normal = debye_vec3_cross(grid->step[(axis + 1) % 3], grid->step[(axis + 2) % 3]);
  double sign = debye_vec3_dot(normal, grid->step[axis]) < 0.0 ? -1.0 : 1.0;
  return debye_vec3_scale(normal, sign / debye_vec3_length(normal));
}

double
debye_slice_plane_distance(const DebyeGrid *grid, int axis, double position)
{
  DebyeVec3 point = debye_vec3_add(grid->origin, debye_vec3_scale(side_of(grid, axis), position));
  return debye_vec3_dot(point, normal_of(grid, axis));
}

DebyeSlicePlane *
debye_slice_plane_along(DebyeField *field, int axis, double position)
{
  const DebyeGrid *grid = debye_field_get_grid(field);
  const float *values = debye_field_get_values(field);
  const gsize stride[3] = {1, grid->shape[0], grid->shape[0] * grid->shape[1]};
  int u = (axis + 1) % 3, v = (axis + 2) % 3;
  double place = CLAMP(position, 0.0, 1.0) * ((double)grid->shape[axis] - 1.0);
  gsize below = MIN((gsize)place, grid->shape[axis] - 1), above = MIN(below + 1, grid->shape[axis] - 1);
  float weight = (float)(place - (double)below);
  DebyeSlicePlane *plane = plane_new(grid->shape[u], grid->shape[v]);
  plane->corner = debye_vec3_add(grid->origin, debye_vec3_scale(grid->step[axis], place));
  plane->side_u = side_of(grid, u);
  plane->side_v = side_of(grid, v);
  for (gsize j = 0; j < plane->n_v; j++)
    for (gsize i = 0; i < plane->n_u; i++) {
      const float *at = values + i * stride[u] + j * stride[v];
      float low = at[below * stride[axis]], high = at[above * stride[axis]];
      /* On a plane of points its neighbour, which may have no value yet, doesn't count. */
      float value = weight > 0.0f ? low + weight * (high - low) : low;
      plane->values[i + plane->n_u * j] = isfinite(value) ? value : DEBYE_NO_VALUE;
    }
  return plane;
}
