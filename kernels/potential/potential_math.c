/* SPDX-License-Identifier: MIT */
/* What every back end of the direct sum does before it starts: its arguments checked, grid and atoms turned. */
#include "potential_math.h"

static bool
vec3_is_usable(DebyeVec3 v)
{
  return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/* Far from zero volume, against the lengths of the steps; an axis of one point needs no step. */
static bool
steps_are_independent(const DebyeTurnedGrid *turned, const DebyeGrid *grid)
{
  const double diagonal[3] = {turned->step_x, turned->row_y, turned->plane_z};
  for (int axis = 0; axis < 3; axis++) {
    double length = debye_vec3_length(grid->step[axis]);
    if (grid->shape[axis] > 1 && !(fabs(diagonal[axis]) > 1e-6 * length && length > 0.0))
      return false;
    if (length * (double)grid->shape[axis] > DEBYE_DIRECT_FARTHEST)
      return false;
  }
  return true;
}

DebyeStatusCode
debye_potential_settings_check(const DebyePotentialSettings *settings, DebyeStatus *status)
{
  const DebyeGrid *grid = &settings->grid;
  size_t n_points;
  if (grid->shape[0] == 0 || grid->shape[1] == 0 || grid->shape[2] == 0)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The grid has no points: its shape is %zu × %zu × %zu.", grid->shape[0],
                            grid->shape[1], grid->shape[2]);
  if (__builtin_mul_overflow(grid->shape[0], grid->shape[1], &n_points) ||
      __builtin_mul_overflow(n_points, grid->shape[2], &n_points) || n_points > SIZE_MAX / 64)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The grid is too large: its shape is %zu × %zu × %zu.", grid->shape[0],
                            grid->shape[1], grid->shape[2]);
  if (!vec3_is_usable(grid->origin) || !vec3_is_usable(grid->step[0]) || !vec3_is_usable(grid->step[1]) ||
      !vec3_is_usable(grid->step[2]))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The grid's origin or steps are not finite numbers.");
  DebyeTurnedGrid turned = debye_turned_grid(grid);
  if (!steps_are_independent(&turned, grid))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The grid's steps must be three independent directions, the whole below %g Å.",
                            DEBYE_DIRECT_FARTHEST);
  if (!(settings->core_radius >= DEBYE_DIRECT_LEAST_CORE &&
        settings->core_radius <= DEBYE_DIRECT_LARGEST_CORE))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The core radius is %g Å; it must be from %g to %g Å.", settings->core_radius,
                            DEBYE_DIRECT_LEAST_CORE, DEBYE_DIRECT_LARGEST_CORE);
  if (settings->max_planes == 0)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "The thickest slab has no planes.");
  return debye_status_ok(status);
}

DebyeStatusCode
debye_potential_slab_check(const DebyePotentialSettings *settings, DebyeSlab slab, const float *out,
                           const double *out_double, DebyeStatus *status)
{
  size_t n_planes = settings->grid.shape[2];
  if (slab.count > settings->max_planes || slab.first > n_planes || slab.count > n_planes - slab.first)
    return debye_status_set(
        status, DEBYE_STATUS_INVALID,
        "A slab of %zu planes from plane %zu does not fit a grid of %zu planes and slabs of %zu.", slab.count,
        slab.first, n_planes, settings->max_planes);
  if (settings->double_precision ? out_double == NULL : out == NULL)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There is no array in %s precision for the result.",
                            settings->double_precision ? "double" : "single");
  return debye_status_ok(status);
}

/* The unit vector along `v` without its parts along the first `n` axes; where nothing is left (an axis of one
 * point may have any step), any direction across them. */
static DebyeVec3
next_axis(DebyeVec3 v, const DebyeVec3 axes[], int n)
{
  const DebyeVec3 candidates[4] = {v, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  for (int i = 0; i < 4; i++) {
    DebyeVec3 rest = candidates[i];
    for (int axis = 0; axis < n; axis++)
      rest = debye_vec3_subtract(rest, debye_vec3_scale(axes[axis], debye_vec3_dot(rest, axes[axis])));
    double length = debye_vec3_length(rest);
    if (length > 1e-6 * debye_vec3_length(candidates[i]) && length > 0.0)
      return debye_vec3_scale(rest, 1.0 / length);
  }
  return candidates[3];
}

/* A part that is there only by rounding would make an orthogonal grid pass for a skew one. */
static double
without_rounding(double part, DebyeVec3 step)
{
  return fabs(part) > 1e-14 * debye_vec3_length(step) ? part : 0.0;
}

DebyeTurnedGrid
debye_turned_grid(const DebyeGrid *grid)
{
  DebyeTurnedGrid turned = {.origin = grid->origin,
                            .shape = {grid->shape[0], grid->shape[1], grid->shape[2]}};
  turned.axis[0] = next_axis(grid->step[0], turned.axis, 0);
  turned.axis[1] = next_axis(grid->step[1], turned.axis, 1);
  turned.axis[2] = next_axis(grid->step[2], turned.axis, 2);
  turned.step_x = debye_vec3_dot(grid->step[0], turned.axis[0]);
  turned.row_x = without_rounding(debye_vec3_dot(grid->step[1], turned.axis[0]), grid->step[1]);
  turned.row_y = debye_vec3_dot(grid->step[1], turned.axis[1]);
  turned.plane_x = without_rounding(debye_vec3_dot(grid->step[2], turned.axis[0]), grid->step[2]);
  turned.plane_y = without_rounding(debye_vec3_dot(grid->step[2], turned.axis[1]), grid->step[2]);
  turned.plane_z = debye_vec3_dot(grid->step[2], turned.axis[2]);
  return turned;
}

static void
write_atom(const DebyeTurnedAtoms *atoms, size_t i, const double position[3], float charge)
{
  size_t at = i * atoms->stride;
  for (int axis = 0; axis < 3; axis++) {
    if (atoms->exact[axis] != NULL) {
      atoms->exact[axis][at] = position[axis];
    } else {
      float high = (float)position[axis];
      atoms->high[axis][at] = high;
      atoms->low[axis][at] = (float)(position[axis] - (double)high);
    }
  }
  if (atoms->exact_charge != NULL)
    atoms->exact_charge[at] = (double)charge;
  else
    atoms->charge[at] = charge;
}

enum { POSITIVE, NEGATIVE };

/* What is neither below zero nor zero nor above, too, counts as positive: the caller refuses it. */
static size_t
next_of_sign(const DebyeCharges *charges, size_t from, int sign)
{
  while (from < charges->n && (charges->charge[from] < 0.0f ? NEGATIVE : POSITIVE) != sign)
    from++;
  return from;
}

DebyeBalancedOrder
debye_balanced_order(const DebyeCharges *charges)
{
  return (DebyeBalancedOrder){
      charges, {next_of_sign(charges, 0, POSITIVE), next_of_sign(charges, 0, NEGATIVE)}, 0.0};
}

size_t
debye_balanced_order_next(DebyeBalancedOrder *order)
{
  const size_t n = order->charges->n, *next = order->next;
  /* Sums of charges with few decimals come back to zero but for rounding. */
  int sign = fabs(order->sum) < 1e-4 ? (next[POSITIVE] < next[NEGATIVE] ? POSITIVE : NEGATIVE)
                                     : (order->sum > 0.0 ? NEGATIVE : POSITIVE);
  if (next[sign] == n)
    sign = 1 - sign;
  const size_t taken = next[sign];
  order->sum += (double)order->charges->charge[taken];
  order->next[sign] = next_of_sign(order->charges, taken + 1, sign);
  return taken;
}

DebyeStatusCode
debye_turned_atoms_set(const DebyeTurnedGrid *grid, const DebyeCharges *charges, size_t max_charges,
                       const DebyeTurnedAtoms *atoms, DebyeStatus *status)
{
  if (charges->n > max_charges)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "%zu charges were given; the plan holds at most %zu.", charges->n, max_charges);
  DebyeBalancedOrder order = debye_balanced_order(charges);
  for (size_t at = 0; at < charges->n; at++) {
    const size_t i = debye_balanced_order_next(&order);
    DebyeVec3 point = debye_vec3((double)charges->x[i], (double)charges->y[i], (double)charges->z[i]);
    DebyeVec3 from_origin = debye_vec3_subtract(point, grid->origin);
    /* Also false for what is not a number. */
    if (!(debye_vec3_length(from_origin) < DEBYE_DIRECT_FARTHEST) || !isfinite(charges->charge[i]))
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "Atom %zu can't be summed: position (%g, %g, %g) Å, charge %g e.", i + 1,
                              point.x, point.y, point.z, (double)charges->charge[i]);
    const double position[3] = {debye_vec3_dot(from_origin, grid->axis[0]),
                                debye_vec3_dot(from_origin, grid->axis[1]),
                                debye_vec3_dot(from_origin, grid->axis[2])};
    write_atom(atoms, at, position, charges->charge[i]);
  }
  return debye_status_ok(status);
}
