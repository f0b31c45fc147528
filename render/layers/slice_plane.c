/* SPDX-License-Identifier: MIT */
/* Resamples a map on a plane for slice_layer.c, on the CPU: a plane is a thousandth of its map, and a map
 * that is still growing need not go to the GPU as a whole for each of its pictures. */
#include "slice_plane.h"

#include <string.h>

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

gboolean
debye_slice_plane_holds(const DebyeSlicePlane *plane, double u, double v)
{
  int side = 0;
  for (guint i = 0; i < plane->n_outline; i++) {
    const double *here = plane->outline[i], *next = plane->outline[(i + 1) % plane->n_outline];
    double turn = (next[0] - here[0]) * (v - here[1]) - (next[1] - here[1]) * (u - here[0]);
    int sign = (turn > 1e-12) - (turn < -1e-12);
    if (sign != 0 && side != 0 && sign != side)
      return FALSE;
    side = sign != 0 ? sign : side;
  }
  return u >= 0.0 && u <= 1.0 && v >= 0.0 && v <= 1.0;
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
  plane->n_outline = 4;
  for (int i = 0; i < 4; i++) {
    plane->outline[i][0] = i == 1 || i == 2 ? 1.0 : 0.0;
    plane->outline[i][1] = i >= 2 ? 1.0 : 0.0;
  }
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

/* --- Across no axis of the grid --- */

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

static DebyeVec3
to_unit(DebyeVec3 v)
{
  return debye_vec3_scale(v, 1.0 / debye_vec3_length(v));
}

/* Two unit vectors along the plane, z upright where it can be. */
static void
span_plane(DebyeVec3 normal, DebyeVec3 *u, DebyeVec3 *v)
{
  DebyeVec3 helper = fabs(normal.z) < 0.9 ? debye_vec3(0.0, 0.0, 1.0) : debye_vec3(1.0, 0.0, 0.0);
  *u = to_unit(debye_vec3_cross(helper, normal));
  *v = debye_vec3_cross(normal, *u);
}

/* Where an edge of the grid meets the plane. An edge within the plane meets it at its ends, which other edges have
 * as well. */
static gboolean
cut_edge(const DebyeGrid *grid, int edge, DebyeVec3 normal, double distance, DebyeVec3 *cut)
{
  const int axis = edge >> 2;
  DebyeVec3 start = grid->origin, side = side_of(grid, axis);
  if (edge & 1)
    start = debye_vec3_add(start, side_of(grid, (axis + 1) % 3));
  if (edge & 2)
    start = debye_vec3_add(start, side_of(grid, (axis + 2) % 3));
  double speed = debye_vec3_dot(side, normal), ahead = distance - debye_vec3_dot(start, normal);
  if (speed == 0.0 || !(ahead / speed >= 0.0 && ahead / speed <= 1.0))
    return FALSE;
  *cut = debye_vec3_add(start, debye_vec3_scale(side, ahead / speed));
  return TRUE;
}

/* The cut of the plane with the grid: where it meets edges, along u and v from the origin of space, each once though
 * edges meet in corners. */
typedef struct {
  guint n;
  double at[DEBYE_SLICE_MAX_OUTLINE][2];
  double low[2], high[2];
} Cut;

static void
add_to_cut(Cut *cut, double u, double v, double slack)
{
  for (guint i = 0; i < cut->n; i++)
    if (hypot(cut->at[i][0] - u, cut->at[i][1] - v) <= slack)
      return;
  if (cut->n == DEBYE_SLICE_MAX_OUTLINE)
    return;
  cut->at[cut->n][0] = u;
  cut->at[cut->n++][1] = v;
  cut->low[0] = fmin(cut->low[0], u);
  cut->low[1] = fmin(cut->low[1], v);
  cut->high[0] = fmax(cut->high[0], u);
  cut->high[1] = fmax(cut->high[1], v);
}

/* FALSE: the plane meets the grid in a line, a point or nowhere. */
static gboolean
cut_grid(const DebyeGrid *grid, DebyeVec3 normal, double distance, const DebyeVec3 along[2], Cut *cut)
{
  double size = 0.0;
  for (int axis = 0; axis < 3; axis++)
    size += debye_vec3_length(side_of(grid, axis));
  *cut = (Cut){.low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
  for (int edge = 0; edge < 12; edge++) {
    DebyeVec3 at;
    if (cut_edge(grid, edge, normal, distance, &at))
      add_to_cut(cut, debye_vec3_dot(at, along[0]), debye_vec3_dot(at, along[1]), 1e-9 * size);
  }
  return cut->n >= 3 && cut->high[0] > cut->low[0] && cut->high[1] > cut->low[1];
}

/* Around the middle, so that the points become a polygon. */
static void
set_outline(DebyeSlicePlane *plane, const Cut *cut)
{
  double middle[2] = {0.0, 0.0}, angles[DEBYE_SLICE_MAX_OUTLINE];
  plane->n_outline = cut->n;
  for (guint i = 0; i < cut->n; i++)
    for (int k = 0; k < 2; k++)
      middle[k] += cut->at[i][k] / cut->n;
  for (guint i = 0; i < cut->n; i++) {
    double angle = atan2(cut->at[i][1] - middle[1], cut->at[i][0] - middle[0]);
    guint before = i;
    for (; before > 0 && angles[before - 1] > angle; before--) {
      angles[before] = angles[before - 1];
      memcpy(plane->outline[before], plane->outline[before - 1], sizeof plane->outline[0]);
    }
    angles[before] = angle;
    for (int k = 0; k < 2; k++)
      plane->outline[before][k] = (cut->at[i][k] - cut->low[k]) / (cut->high[k] - cut->low[k]);
  }
}

static void
sample_plane(DebyeField *field, DebyeSlicePlane *plane)
{
  for (gsize j = 0; j < plane->n_v; j++)
    for (gsize i = 0; i < plane->n_u; i++) {
      DebyeVec3 u = debye_vec3_scale(plane->side_u, (double)i / (double)(plane->n_u - 1));
      DebyeVec3 v = debye_vec3_scale(plane->side_v, (double)j / (double)(plane->n_v - 1));
      DebyeVec3 at = debye_vec3_add(plane->corner, debye_vec3_add(u, v));
      double value = debye_field_sample(field, debye_field_keep_within(field, at));
      plane->values[i + plane->n_u * j] = isfinite(value) ? (float)value : DEBYE_NO_VALUE;
    }
}

DebyeSlicePlane *
debye_slice_plane_through(DebyeField *field, DebyeVec3 normal, double distance)
{
  const DebyeGrid *grid = debye_field_get_grid(field);
  DebyeVec3 along[2];
  double spacing = INFINITY;
  gsize n[2];
  Cut cut;
  span_plane(normal, &along[0], &along[1]);
  if (!cut_grid(grid, normal, distance, along, &cut))
    return NULL;
  for (int axis = 0; axis < 3; axis++)
    spacing = fmin(spacing, debye_vec3_length(grid->step[axis]));
  for (int k = 0; k < 2; k++)
    n[k] = (gsize)CLAMP(ceil(2.0 * (cut.high[k] - cut.low[k]) / spacing), 2.0, MAX_SIDE) + 1;
  DebyeSlicePlane *plane = plane_new(n[0], n[1]);
  plane->side_u = debye_vec3_scale(along[0], cut.high[0] - cut.low[0]);
  plane->side_v = debye_vec3_scale(along[1], cut.high[1] - cut.low[1]);
  plane->corner = debye_vec3_add(
      debye_vec3_scale(normal, distance),
      debye_vec3_add(debye_vec3_scale(along[0], cut.low[0]), debye_vec3_scale(along[1], cut.low[1])));
  set_outline(plane, &cut);
  sample_plane(field, plane);
  return plane;
}
