/* SPDX-License-Identifier: MIT */
/* Resamples a map on a plane for slice_layer.c, on the CPU: a plane is a thousandth of its map, and a map
 * that is still growing need not go to the GPU as a whole for each of its pictures. */
#include "slice_plane.h"

#include <string.h>

/* Points a side of a plane across no axis: more are not told apart in a picture. */
#define MAX_SIDE 768.0
/* Steps of the finest axis between them: an oblique row of points crosses cells at any place. */
#define FINENESS 0.6
/* Of the map's size: a corner this near to a plane is in it. */
#define IN_PLANE 1e-9

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

DebyeVec3
debye_slice_plane_normal(const DebyeGrid *grid, int axis)
{
  DebyeVec3 normal = debye_vec3_cross(grid->step[(axis + 1) % 3], grid->step[(axis + 2) % 3]);
  double sign = debye_vec3_dot(normal, grid->step[axis]) < 0.0 ? -1.0 : 1.0;
  return debye_vec3_scale(normal, sign / debye_vec3_length(normal));
}

double
debye_slice_plane_distance(const DebyeGrid *grid, int axis, double position)
{
  DebyeVec3 point = debye_vec3_add(grid->origin, debye_vec3_scale(side_of(grid, axis), position));
  return debye_vec3_dot(point, debye_slice_plane_normal(grid, axis));
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

DebyeVec3
debye_slice_plane_middle(const DebyeGrid *grid)
{
  DebyeVec3 middle = grid->origin;
  for (int axis = 0; axis < 3; axis++)
    middle = debye_vec3_add(middle, debye_vec3_scale(side_of(grid, axis), 0.5));
  return middle;
}

/* --- Across an axis --- */

static void
take_whole_rectangle(DebyeSlicePlane *plane)
{
  static const float corners[4][2] = {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 1.0f}};
  plane->n_corners = G_N_ELEMENTS(corners);
  memcpy(plane->corners, corners, sizeof corners);
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
  take_whole_rectangle(plane);
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

/* --- Across no axis --- */

/* Where a plane cuts the map's box, about a point of the plane. */
typedef struct {
  DebyeVec3 point, u, v; /* u and v: unit vectors in the plane */
  guint n_corners;
  double corners[DEBYE_SLICE_CORNERS][2]; /* Å along u and v */
} Cut;

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

static DebyeVec3
box_corner(const DebyeGrid *grid, int corner)
{
  DebyeVec3 place = grid->origin;
  for (int axis = 0; axis < 3; axis++)
    if ((corner >> axis) & 1)
      place = debye_vec3_add(place, side_of(grid, axis));
  return place;
}

static void
add_corner(Cut *cut, DebyeVec3 place)
{
  const DebyeVec3 from = debye_vec3_subtract(place, cut->point);
  if (cut->n_corners == DEBYE_SLICE_CORNERS)
    return;
  cut->corners[cut->n_corners][0] = debye_vec3_dot(from, cut->u);
  cut->corners[cut->n_corners++][1] = debye_vec3_dot(from, cut->v);
}

/* A corner of the box that lies in the plane counts by itself. So an edge in the plane, which has no one place where it
 * crosses, counts by its ends, and an edge that is crossed has ends apart. */
static void
add_crossings(Cut *cut, const DebyeGrid *grid, DebyeVec3 normal)
{
  double heights[8];
  double size = 0.0;
  for (int axis = 0; axis < 3; axis++)
    size += debye_vec3_length(side_of(grid, axis));
  for (int i = 0; i < 8; i++) {
    heights[i] = debye_vec3_dot(debye_vec3_subtract(box_corner(grid, i), cut->point), normal);
    if (fabs(heights[i]) <= IN_PLANE * size) {
      heights[i] = 0.0;
      add_corner(cut, box_corner(grid, i));
    }
  }
  for (int i = 0; i < 8; i++)
    for (int axis = 0; axis < 3; axis++) {
      const int other = i | 1 << axis;
      if (other == i || !(heights[i] * heights[other] < 0.0))
        continue;
      const double share = heights[i] / (heights[i] - heights[other]);
      add_corner(cut, debye_vec3_add(box_corner(grid, i), debye_vec3_scale(side_of(grid, axis), share)));
    }
}

/* Around their middle. */
static void
sort_corners(Cut *cut)
{
  double angles[DEBYE_SLICE_CORNERS], middle[2] = {0.0, 0.0};
  for (guint i = 0; i < cut->n_corners; i++)
    for (int k = 0; k < 2; k++)
      middle[k] += cut->corners[i][k] / cut->n_corners;
  for (guint i = 0; i < cut->n_corners; i++) {
    const double corner[2] = {cut->corners[i][0], cut->corners[i][1]};
    const double angle = atan2(corner[1] - middle[1], corner[0] - middle[0]);
    guint at = i;
    for (; at > 0 && angles[at - 1] > angle; at--) {
      angles[at] = angles[at - 1];
      memcpy(cut->corners[at], cut->corners[at - 1], sizeof corner);
    }
    angles[at] = angle;
    memcpy(cut->corners[at], corner, sizeof corner);
  }
}

/* The rectangle that holds the cut; FALSE where that is a point, a line or nothing. */
static gboolean
bound_cut(const Cut *cut, double low[2], double high[2])
{
  for (int k = 0; k < 2; k++) {
    low[k] = INFINITY;
    high[k] = -INFINITY;
    for (guint i = 0; i < cut->n_corners; i++) {
      low[k] = fmin(low[k], cut->corners[i][k]);
      high[k] = fmax(high[k], cut->corners[i][k]);
    }
  }
  return cut->n_corners >= 3 && high[0] > low[0] && high[1] > low[1];
}

/* A place beyond the map stands for the nearest part of its rim. */
static double
sample_within(DebyeField *field, const DebyeVec3 across[3], DebyeVec3 place)
{
  const DebyeGrid *grid = debye_field_get_grid(field);
  const DebyeVec3 from = debye_vec3_subtract(place, grid->origin);
  DebyeVec3 within = grid->origin;
  for (int axis = 0; axis < 3; axis++) {
    const double last = (double)grid->shape[axis] - 1.0;
    /* A hair from the last plane: a rounding error must not count as outside. */
    const double at = CLAMP(debye_vec3_dot(from, across[axis]), last * IN_PLANE, last * (1.0 - IN_PLANE));
    within = debye_vec3_add(within, debye_vec3_scale(grid->step[axis], at));
  }
  return debye_field_sample(field, within);
}

static void
sample_plane(DebyeField *field, DebyeSlicePlane *plane)
{
  const DebyeVec3 *step = debye_field_get_grid(field)->step;
  const double volume = debye_vec3_dot(step[0], debye_vec3_cross(step[1], step[2]));
  DebyeVec3 across[3];
  for (int axis = 0; axis < 3; axis++)
    across[axis] =
        debye_vec3_scale(debye_vec3_cross(step[(axis + 1) % 3], step[(axis + 2) % 3]), 1.0 / volume);
  for (gsize j = 0; j < plane->n_v; j++)
    for (gsize i = 0; i < plane->n_u; i++) {
      const double u = (double)i / (double)(plane->n_u - 1), v = (double)j / (double)(plane->n_v - 1);
      const double value = sample_within(field, across, debye_slice_plane_place(plane, u, v));
      plane->values[i + plane->n_u * j] = isfinite(value) ? (float)value : DEBYE_NO_VALUE;
    }
}

static gsize
count_points(const DebyeGrid *grid, double length)
{
  const double finest = fmin(debye_vec3_length(grid->step[0]),
                             fmin(debye_vec3_length(grid->step[1]), debye_vec3_length(grid->step[2])));
  return (gsize)CLAMP(length / (FINENESS * finest), 2.0, MAX_SIDE) + 1;
}

DebyeSlicePlane *
debye_slice_plane_through(DebyeField *field, DebyeVec3 point, DebyeVec3 normal)
{
  const DebyeGrid *grid = debye_field_get_grid(field);
  const double length = debye_vec3_length(normal);
  Cut cut = {.point = point};
  double low[2], high[2];
  if (!(length > 0.0 && isfinite(length)))
    return NULL;
  span_plane(normal, &cut.u, &cut.v);
  add_crossings(&cut, grid, debye_vec3_scale(normal, 1.0 / length));
  if (!bound_cut(&cut, low, high))
    return NULL;
  sort_corners(&cut);
  DebyeSlicePlane *plane =
      plane_new(count_points(grid, high[0] - low[0]), count_points(grid, high[1] - low[1]));
  plane->side_u = debye_vec3_scale(cut.u, high[0] - low[0]);
  plane->side_v = debye_vec3_scale(cut.v, high[1] - low[1]);
  plane->corner =
      debye_vec3_add(point, debye_vec3_add(debye_vec3_scale(cut.u, low[0]), debye_vec3_scale(cut.v, low[1])));
  plane->n_corners = cut.n_corners;
  for (guint i = 0; i < cut.n_corners; i++)
    for (int k = 0; k < 2; k++)
      plane->corners[i][k] = (float)((cut.corners[i][k] - low[k]) / (high[k] - low[k]));
  sample_plane(field, plane);
  return plane;
}

/* --- Places --- */

DebyeVec3
debye_slice_plane_place(const DebyeSlicePlane *plane, double u, double v)
{
  return debye_vec3_add(
      plane->corner, debye_vec3_add(debye_vec3_scale(plane->side_u, u), debye_vec3_scale(plane->side_v, v)));
}

/* Twice the area between a side of the polygon, which goes round as u turns to v, and a place: negative outside. */
static double
area_beside(const DebyeSlicePlane *plane, guint side, double u, double v)
{
  const float *a = plane->corners[side], *b = plane->corners[(side + 1) % plane->n_corners];
  return ((double)b[0] - (double)a[0]) * (v - (double)a[1]) -
         ((double)b[1] - (double)a[1]) * (u - (double)a[0]);
}

gboolean
debye_slice_plane_contains(const DebyeSlicePlane *plane, double u, double v)
{
  for (guint i = 0; i < plane->n_corners; i++)
    if (area_beside(plane, i, u, v) < 0.0)
      return FALSE;
  return TRUE;
}

double
debye_slice_plane_rim_distance(const DebyeSlicePlane *plane, double u, double v)
{
  const double area = debye_vec3_length(debye_vec3_cross(plane->side_u, plane->side_v));
  double nearest = INFINITY;
  for (guint i = 0; i < plane->n_corners; i++) {
    const float *a = plane->corners[i], *b = plane->corners[(i + 1) % plane->n_corners];
    const DebyeVec3 side = debye_vec3_subtract(debye_slice_plane_place(plane, (double)b[0], (double)b[1]),
                                               debye_slice_plane_place(plane, (double)a[0], (double)a[1]));
    nearest = fmin(nearest, fmax(area_beside(plane, i, u, v), 0.0) * area / debye_vec3_length(side));
  }
  return nearest;
}

gboolean
debye_slice_plane_hit(const DebyeSlicePlane *plane, DebyeField *field, DebyeVec3 origin, DebyeVec3 direction,
                      DebyeVec3 *point, double *value, double *depth)
{
  DebyeVec3 normal = debye_vec3_cross(plane->side_u, plane->side_v),
            start = debye_vec3_subtract(plane->corner, origin);
  double away = debye_vec3_dot(start, normal) / debye_vec3_dot(direction, normal);
  if (!(away > 0.0 && away < *depth))
    return FALSE;
  DebyeVec3 at = debye_vec3_add(origin, debye_vec3_scale(direction, away));
  DebyeVec3 from = debye_vec3_subtract(at, plane->corner);
  double square = debye_vec3_dot(normal, normal);
  double u = debye_vec3_dot(debye_vec3_cross(from, plane->side_v), normal) / square;
  double v = debye_vec3_dot(debye_vec3_cross(plane->side_u, from), normal) / square;
  if (!(u >= 0.0 && u <= 1.0 && v >= 0.0 && v <= 1.0) || !debye_slice_plane_contains(plane, u, v))
    return FALSE;
  /* A rounding error on the outermost plane does not count as outside: the nearest sample is used instead. */
  double found = debye_field_sample(field, at);
  if (isnan(found)) {
    gsize i = (gsize)(u * (double)(plane->n_u - 1) + 0.5), j = (gsize)(v * (double)(plane->n_v - 1) + 0.5);
    float nearest = plane->values[i + plane->n_u * j];
    if (nearest >= DEBYE_NO_VALUE)
      return FALSE;
    found = (double)nearest;
  }
  *point = at;
  *value = found;
  *depth = away;
  return TRUE;
}
