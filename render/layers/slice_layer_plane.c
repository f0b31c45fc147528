/* SPDX-License-Identifier: MIT */
/* Where the plane of a slice stands: along an axis of the map's grid, or through a point across a normal. Called by
 * slice_layer.c. */
#include "slice_layer_private.h"

/* Of the limits of the colours: what stays below is hardly told from 0. */
#define NOTHING 0.1

gboolean
debye_slice_layer_is_any(const DebyeSliceLayer *self)
{
  return self->axis == DEBYE_SLICE_ANY_PLANE;
}

gboolean
debye_slice_layer_has_normal(const DebyeSliceLayer *self)
{
  return debye_vec3_length(self->normal) > 0.0;
}

/* Of any plane. */
static DebyeVec3
unit_normal(const DebyeSliceLayer *self)
{
  return debye_slice_layer_has_normal(self)
             ? debye_vec3_scale(self->normal, 1.0 / debye_vec3_length(self->normal))
             : debye_vec3(0.0, 0.0, 1.0);
}

const DebyeSlicePlane *
debye_slice_layer_get_plane(DebyeSliceLayer *self)
{
  if (self->sampled || !self->field)
    return self->plane;
  g_clear_pointer(&self->plane, debye_slice_plane_free);
  self->plane = debye_slice_layer_is_any(self)
                    ? debye_slice_plane_through(self->field, self->point, unit_normal(self))
                    : debye_slice_plane_along(self->field, self->axis, self->position);
  g_clear_pointer(&self->numbers, g_array_unref);
  self->sampled = TRUE;
  self->image_changed = TRUE;
  return self->plane;
}

void
debye_slice_layer_move(DebyeSliceLayer *self)
{
  self->sampled = FALSE;
  g_object_notify(G_OBJECT(self), "distance");
  debye_layer_changed(DEBYE_LAYER(self));
}

gboolean
debye_slice_layer_set_plane(DebyeSliceLayer *self, const char *text)
{
  DebyeVec3 point, normal;
  if (!debye_slice_plane_parse(text, &point, &normal))
    return FALSE;
  self->point = point;
  self->normal = normal;
  g_object_notify(G_OBJECT(self), "plane");
  debye_slice_layer_move(self);
  return TRUE;
}

gboolean
debye_slice_layer_is_cut(DebyeSliceLayer *self)
{
  return debye_slice_layer_get_plane(self) != NULL;
}

/* The plane that is shown, for a person to turn. */
static void
begin_plane(DebyeSliceLayer *self)
{
  const DebyeGrid *grid = debye_field_get_grid(self->field);
  const double distance = debye_slice_layer_get_distance(self);
  const DebyeVec3 middle = debye_slice_plane_middle(grid);
  self->normal = debye_slice_plane_normal(grid, self->axis);
  self->point =
      debye_vec3_add(middle, debye_vec3_scale(self->normal, distance - debye_vec3_dot(middle, self->normal)));
  g_object_notify(G_OBJECT(self), "plane");
}

static void
move_plane(DebyeSliceLayer *self, double distance)
{
  const DebyeVec3 normal = unit_normal(self);
  const double by = distance - debye_vec3_dot(self->point, normal);
  if (by == 0.0)
    return;
  self->point = debye_vec3_add(self->point, debye_vec3_scale(normal, by));
  g_object_notify(G_OBJECT(self), "plane");
  g_object_notify(G_OBJECT(self), "position");
  debye_slice_layer_move(self);
}

/* In parts of what there is of the map along the normal. */
double
debye_slice_layer_get_position(DebyeSliceLayer *self)
{
  double low, high;
  if (!debye_slice_layer_is_any(self))
    return self->position;
  debye_slice_layer_get_reach(self, &low, &high);
  return high > low ? CLAMP((debye_slice_layer_get_distance(self) - low) / (high - low), 0.0, 1.0) : 0.5;
}

void
debye_slice_layer_set_axis(DebyeSliceLayer *self, int axis)
{
  if (self->axis == axis || axis < 0 || axis > DEBYE_SLICE_ANY_PLANE)
    return;
  if (axis == DEBYE_SLICE_ANY_PLANE && !debye_slice_layer_has_normal(self) && self->field)
    begin_plane(self);
  self->axis = axis;
  g_object_notify(G_OBJECT(self), "axis");
  g_object_notify(G_OBJECT(self), "is-any-plane");
  debye_slice_layer_move(self);
}

void
debye_slice_layer_set_position(DebyeSliceLayer *self, double position)
{
  double low, high;
  if (debye_slice_layer_is_any(self)) {
    debye_slice_layer_get_reach(self, &low, &high);
    if (debye_slice_layer_get_position(self) != position)
      move_plane(self, low + position * (high - low));
    return;
  }
  if (self->position == position)
    return;
  self->position = position;
  g_object_notify(G_OBJECT(self), "position");
  debye_slice_layer_move(self);
}

void
debye_slice_layer_get_reach(DebyeSliceLayer *self, double *low, double *high)
{
  *low = *high = 0.0;
  if (!self->field)
    return;
  const DebyeGrid *grid = debye_field_get_grid(self->field);
  if (debye_slice_layer_is_any(self)) {
    debye_slice_plane_reach(grid, unit_normal(self), low, high);
    return;
  }
  *low = debye_slice_plane_distance(grid, self->axis, 0.0);
  *high = debye_slice_plane_distance(grid, self->axis, 1.0);
}

double
debye_slice_layer_get_distance(DebyeSliceLayer *self)
{
  double low, high;
  if (debye_slice_layer_is_any(self))
    return debye_vec3_dot(self->point, unit_normal(self));
  debye_slice_layer_get_reach(self, &low, &high);
  return low + self->position * (high - low);
}

void
debye_slice_layer_set_distance(DebyeSliceLayer *self, double distance)
{
  double low, high;
  debye_slice_layer_get_reach(self, &low, &high);
  double within = CLAMP(distance, low, high);
  if (debye_slice_layer_is_any(self) && high > low)
    move_plane(self, within);
  else if (high > low)
    debye_slice_layer_set_position(self, (within - low) / (high - low));
}

/* --- Where there is something --- */

static gboolean
is_empty(DebyeSliceLayer *self)
{
  const DebyeSlicePlane *plane = debye_slice_layer_get_plane(self);
  const double reach = fmax(fabs(self->minimum), fabs(self->maximum));
  for (gsize i = 0; plane != NULL && i < plane->n_u * plane->n_v; i++)
    if (plane->values[i] < DEBYE_NO_VALUE && fabs((double)plane->values[i]) > NOTHING * reach)
      return FALSE;
  return plane != NULL;
}

/* The squares of each plane of the grid across the axis, added up. */
static double *
add_up_planes(DebyeField *field, int axis)
{
  const DebyeGrid *grid = debye_field_get_grid(field);
  const float *values = debye_field_get_values(field);
  double *sums = g_new0(double, grid->shape[axis]);
  gsize at[3], index = 0;
  for (at[2] = 0; at[2] < grid->shape[2]; at[2]++)
    for (at[1] = 0; at[1] < grid->shape[1]; at[1]++)
      for (at[0] = 0; at[0] < grid->shape[0]; at[0]++, index++)
        if (isfinite(values[index]))
          sums[at[axis]] += (double)values[index] * (double)values[index];
  return sums;
}

void
debye_slice_layer_leave_empty(DebyeSliceLayer *self)
{
  if (self->field == NULL || debye_slice_layer_is_any(self) || !is_empty(self))
    return;
  const gsize n = debye_field_get_grid(self->field)->shape[self->axis];
  g_autofree double *sums = add_up_planes(self->field, self->axis);
  gsize best = 0;
  for (gsize i = 1; i < n; i++)
    best = sums[i] > sums[best] ? i : best;
  if (sums[best] > 0.0 && n > 1)
    debye_slice_layer_set_position(self, (double)best / (double)(n - 1));
}

void
debye_slice_layer_begin_along(DebyeSliceLayer *self, int axis)
{
  debye_slice_layer_set_axis(self, axis);
  debye_slice_layer_set_position(self, 0.5);
  debye_slice_layer_leave_empty(self);
}
