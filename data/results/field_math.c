/* SPDX-License-Identifier: MIT */
/* Implementation of field_math.h: differences, profiles and lines of maps; called by field_run.c. */
#include "field_math.h"

#include <math.h>

#include "data/files/error.h"
#include "data/files/float_text.h"
#include "data/messages/message.h"

#define SAME_PLACE 1e-3 /* of the shortest step: text formats round origins and steps */

static double
shortest_step(const DebyeGrid *grid)
{
  double shortest = INFINITY;
  for (int axis = 0; axis < 3; axis++)
    shortest = fmin(shortest, debye_vec3_length(grid->step[axis]));
  return shortest;
}

gboolean
debye_grid_is_same(const DebyeGrid *a, const DebyeGrid *b)
{
  double limit = SAME_PLACE * shortest_step(a);
  for (int axis = 0; axis < 3; axis++)
    if (a->shape[axis] != b->shape[axis])
      return FALSE;
  /* Three corners and the origin fix all points between them. */
  for (int corner = -1; corner < 3; corner++) {
    double at[3] = {0.0, 0.0, 0.0};
    if (corner >= 0)
      at[corner] = (double)(a->shape[corner] - 1);
    DebyeVec3 p = debye_grid_point(a, at[0], at[1], at[2]), q = debye_grid_point(b, at[0], at[1], at[2]);
    if (!(debye_vec3_length(debye_vec3_subtract(p, q)) <= limit))
      return FALSE;
  }
  return TRUE;
}

static char *
describe_grid(const DebyeGrid *grid)
{
  char number[4][G_ASCII_DTOSTR_BUF_SIZE];
  return debye_message_new(
      "%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT " points %s Å apart from (%s, %s, %s) Å",
      grid->shape[0], grid->shape[1], grid->shape[2],
      g_ascii_formatd(number[0], sizeof number[0], "%.4g", debye_vec3_length(grid->step[0])),
      g_ascii_formatd(number[1], sizeof number[1], "%.6g", grid->origin.x),
      g_ascii_formatd(number[2], sizeof number[2], "%.6g", grid->origin.y),
      g_ascii_formatd(number[3], sizeof number[3], "%.6g", grid->origin.z));
}

gboolean
debye_field_can_subtract(DebyeField *a, DebyeField *b, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_FIELD(a) && DEBYE_IS_FIELD(b), FALSE);
  const DebyeGrid *grid = debye_field_get_grid(a);
  const char *unit = debye_field_get_unit(a), *other = debye_field_get_unit(b);
  if (!debye_grid_is_same(grid, debye_field_get_grid(b))) {
    g_autofree char *first = describe_grid(grid);
    g_autofree char *second = describe_grid(debye_field_get_grid(b));
    return debye_error_set(error, DEBYE_ERROR_MISMATCH,
                           "Difference: the maps “%s” and “%s” have different points: %s, and %s",
                           debye_field_get_name(a), debye_field_get_name(b), first, second);
  }
  if (unit[0] != '\0' && other[0] != '\0' && g_strcmp0(unit, other) != 0)
    return debye_error_set(error, DEBYE_ERROR_MISMATCH,
                           "Difference: the maps “%s” and “%s” have different units: %s and %s",
                           debye_field_get_name(a), debye_field_get_name(b), unit, other);
  return TRUE;
}

/* Of all others a difference is something else. */
static DebyeFieldKind
find_kind_of_difference(DebyeFieldKind kind)
{
  switch (kind) {
  case DEBYE_FIELD_ORBITAL:
    return DEBYE_FIELD_ORBITAL;
  case DEBYE_FIELD_ELECTRON_DENSITY:
  case DEBYE_FIELD_SPIN_DENSITY:
  case DEBYE_FIELD_ELECTRONS:
    return DEBYE_FIELD_ELECTRONS;
  default:
    return DEBYE_FIELD_ANY;
  }
}

DebyeField *
debye_field_subtract(DebyeField *a, DebyeField *b, GError **error)
{
  if (!debye_field_can_subtract(a, b, error))
    return NULL;
  const DebyeGrid *grid = debye_field_get_grid(a);
  const char *unit = debye_field_get_unit(a), *other = debye_field_get_unit(b);
  gsize n = debye_grid_n_points(grid);
  const float *x = debye_field_get_values(a), *y = debye_field_get_values(b);
  float *values = g_try_new(float, n);
  if (values == NULL)
    return debye_null(debye_error_set_memory(error, NULL, n, "values"));
  for (gsize i = 0; i < n; i++)
    values[i] = isfinite(x[i]) && isfinite(y[i]) ? x[i] - y[i] : NAN;
  const DebyeFieldKind kind = debye_field_get_kind(a);
  g_autofree char *name = kind == DEBYE_FIELD_POTENTIAL
                              ? g_strdup(N_("potential difference"))
                              : g_strdup_printf("%s difference", debye_field_get_name(a));
  DebyeField *difference = debye_field_new_take(name, grid, values, unit[0] != '\0' ? unit : other);
  debye_field_set_kind(difference, find_kind_of_difference(kind));
  debye_field_set_length_unit(difference, debye_field_get_length_unit(a));
  /* Of a difference between media there is none to name. */
  if (g_strcmp0(debye_field_get_medium(a), debye_field_get_medium(b)) == 0)
    debye_field_set_medium(difference, debye_field_get_medium_message(a));
  return difference;
}

/* The sum over each plane and how many values it is of, in one pass through the values as they lie: plane by
 * plane across x, each value would come from another line of the cache. */
static void
sum_planes(DebyeField *field, int axis, double *sums, gsize *counts)
{
  const DebyeGrid *grid = debye_field_get_grid(field);
  const float *value = debye_field_get_values(field);
  gsize at[3];
  for (at[2] = 0; at[2] < grid->shape[2]; at[2]++)
    for (at[1] = 0; at[1] < grid->shape[1]; at[1]++)
      for (at[0] = 0; at[0] < grid->shape[0]; at[0]++, value++)
        if (isfinite(*value)) {
          sums[at[axis]] += (double)*value;
          counts[at[axis]]++;
        }
}

/* Whether the step has only its own component and the planes are perpendicular to it: then a coordinate says
 * where. */
static gboolean
is_aligned(const DebyeGrid *grid, int axis)
{
  const double *step = &grid->step[axis].x;
  double length = debye_vec3_length(grid->step[axis]);
  return fabs(fabs(step[axis]) - length) <= 1e-9 * length &&
         fabs((&grid->step[(axis + 1) % 3].x)[axis]) <= 1e-9 * length &&
         fabs((&grid->step[(axis + 2) % 3].x)[axis]) <= 1e-9 * length;
}

static double
plane_distance(const DebyeGrid *grid, int axis)
{
  DebyeVec3 normal = debye_vec3_cross(grid->step[(axis + 1) % 3], grid->step[(axis + 2) % 3]);
  return fabs(debye_vec3_dot(grid->step[axis], normal)) / debye_vec3_length(normal);
}

/* `name` is "profile along z". */
static DebyeCurve *
new_curve(DebyeField *field, const char *name, const DebyeQuantity *x, gsize n, const double *places,
          const double *values)
{
  const DebyeQuantity y = {debye_field_get_name(field), debye_field_get_name(field),
                           debye_field_get_unit(field)};
  return debye_curve_new(name, x, &y, DEBYE_CURVE_LINE, n, places, values, NULL);
}

DebyeCurve *
debye_field_get_profile(DebyeField *self, int axis)
{
  static const char *const letters[] = {"x", "y", "z"};
  static const char *const names[] = {N_("profile along x"), N_("profile along y"), N_("profile along z")};
  g_return_val_if_fail(DEBYE_IS_FIELD(self) && axis >= 0 && axis < 3, NULL);
  const DebyeGrid *grid = debye_field_get_grid(self);
  gboolean aligned = is_aligned(grid, axis);
  double first = aligned ? (&grid->origin.x)[axis] : 0.0;
  double step = aligned ? (&grid->step[axis].x)[axis] : plane_distance(grid, axis);
  gsize n = grid->shape[axis];
  g_autofree double *places = g_new(double, n);
  g_autofree double *values = g_new0(double, n);
  g_autofree gsize *counts = g_new0(gsize, n);
  sum_planes(self, axis, values, counts);
  for (gsize plane = 0; plane < n; plane++) {
    places[plane] = debye_double_to_decimal(first + step * (double)plane);
    values[plane] = counts[plane] > 0 ? values[plane] / (double)counts[plane] : NAN;
  }
  const DebyeQuantity x = {aligned ? letters[axis] : "distance", NULL, debye_field_get_length_unit(self)};
  return new_curve(self, names[axis], &x, n, places, values);
}

DebyeCurve *
debye_field_get_line(DebyeField *self, DebyeVec3 from, DebyeVec3 to, gsize n)
{
  g_return_val_if_fail(DEBYE_IS_FIELD(self) && n >= 2, NULL);
  const DebyeQuantity x = {"distance", NULL, debye_field_get_length_unit(self)};
  DebyeVec3 way = debye_vec3_subtract(to, from);
  g_autofree double *places = g_new(double, n);
  g_autofree double *values = g_new(double, n);
  for (gsize i = 0; i < n; i++) {
    double fraction = (double)i / (double)(n - 1);
    places[i] = fraction * debye_vec3_length(way);
    values[i] = debye_field_sample(self, debye_vec3_add(from, debye_vec3_scale(way, fraction)));
  }
  return new_curve(self, N_("along a line"), &x, n, places, values);
}
