/* SPDX-License-Identifier: MIT */
/* Resamples a map on a plane for slice_layer.c, on the CPU: a plane is a thousandth of its map, and a map
 * that is still growing need not go to the GPU as a whole for each of its pictures. */
#include "slice_plane.h"

#define MAX_SIDE 1024.0

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

void
debye_slice_plane_reach(const DebyeGrid *grid, DebyeVec3 normal, double *low, double *high)
{
  *low = *high = debye_vec3_dot(grid->origin, normal);
  for (int axis = 0; axis < 3; axis++) {
    double side = debye_vec3_dot(side_of(grid, axis), normal);
    *low += fmin(side, 0.0);
    *high += fmax(side, 0.0);
  }
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

/* Two unit vectors across a normal. */
static void
span_plane(DebyeVec3 normal, DebyeVec3 *u, DebyeVec3 *v)
{
  DebyeVec3 helper =
      fabs(normal.z) < 0.9 * debye_vec3_length(normal) ? debye_vec3(0, 0, 1) : debye_vec3(1, 0, 0);
  *u = debye_vec3_cross(helper, normal);
  *u = debye_vec3_scale(*u, 1.0 / debye_vec3_length(*u));
  *v = debye_vec3_cross(normal, *u);
  *v = debye_vec3_scale(*v, 1.0 / debye_vec3_length(*v));
}

/* Where the plane's axes meet the edges of the grid: the rectangle that holds the cut. FALSE where there is
 * none. */
static gboolean
cut_box(const DebyeGrid *grid, DebyeVec3 point, DebyeVec3 normal, DebyeVec3 u, DebyeVec3 v, double low[2],
        double high[2])
{
  low[0] = low[1] = INFINITY;
  high[0] = high[1] = -INFINITY;
  for (int edge = 0; edge < 12; edge++) {
    int axis = edge >> 2, b = (axis + 1) % 3, c = (axis + 2) % 3;
    DebyeVec3 start = grid->origin, side = side_of(grid, axis);
    if (edge & 1)
      start = debye_vec3_add(start, side_of(grid, b));
    if (edge & 2)
      start = debye_vec3_add(start, side_of(grid, c));
    double speed = debye_vec3_dot(side, normal);
    double t = debye_vec3_dot(debye_vec3_subtract(point, start), normal) / speed;
    if (!(t >= 0.0 && t <= 1.0))
      continue;
    DebyeVec3 from = debye_vec3_subtract(debye_vec3_add(start, debye_vec3_scale(side, t)), point);
    const double at[2] = {debye_vec3_dot(from, u), debye_vec3_dot(from, v)};
    for (int k = 0; k < 2; k++) {
      low[k] = fmin(low[k], at[k]);
      high[k] = fmax(high[k], at[k]);
    }
  }
  return high[0] > low[0] && high[1] > low[1];
}

DebyeSlicePlane *
debye_slice_plane_through(DebyeField *field, DebyeVec3 point, DebyeVec3 normal)
{
  const DebyeGrid *grid = debye_field_get_grid(field);
  DebyeVec3 u, v;
  double low[2], high[2];
  if (!(debye_vec3_length(normal) > 0.0))
    return NULL;
  span_plane(normal, &u, &v);
  if (!cut_box(grid, point, normal, u, v, low, high))
    return NULL;
  double spacing = fmin(debye_vec3_length(grid->step[0]),
                        fmin(debye_vec3_length(grid->step[1]), debye_vec3_length(grid->step[2])));
  gsize n_u = (gsize)CLAMP((high[0] - low[0]) / spacing, 2.0, MAX_SIDE) + 1;
  gsize n_v = (gsize)CLAMP((high[1] - low[1]) / spacing, 2.0, MAX_SIDE) + 1;
  DebyeSlicePlane *plane = plane_new(n_u, n_v);
  plane->side_u = debye_vec3_scale(u, high[0] - low[0]);
  plane->side_v = debye_vec3_scale(v, high[1] - low[1]);
  plane->corner =
      debye_vec3_add(point, debye_vec3_add(debye_vec3_scale(u, low[0]), debye_vec3_scale(v, low[1])));
  for (gsize j = 0; j < n_v; j++)
    for (gsize i = 0; i < n_u; i++) {
      DebyeVec3 at = debye_vec3_add(
          plane->corner, debye_vec3_add(debye_vec3_scale(plane->side_u, (double)i / (double)(n_u - 1)),
                                        debye_vec3_scale(plane->side_v, (double)j / (double)(n_v - 1))));
      double value = debye_field_sample(field, at);
      plane->values[i + n_u * j] = isfinite(value) ? (float)value : DEBYE_NO_VALUE;
    }
  return plane;
}
