/* SPDX-License-Identifier: MIT */
/* Estimates the error of a direct sum in float; called by map_rounding.c, which chooses the precision. */
#include "potential_rounding.h"

#include <math.h>

#include "nearest_image.h"
#include "potential_math.h"

/* The k-th of a sequence of places that fill [0, 1) evenly, however many are taken: the multiples of an
 * irrational number. */
static double
even_place(size_t k, double irrational)
{
  const double place = (0.5 + (double)k) * irrational;
  return place - floor(place);
}

/* Powers of 1/1.2207…, the root of x⁴ = x + 1, fill a cube (M. Roberts' R₃). */
static DebyeVec3
sample_point(const DebyeTurnedGrid *turned, const DebyeGrid *grid, size_t k)
{
  static const double irrationals[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
  double at[3];
  for (int axis = 0; axis < 3; axis++)
    at[axis] = floor(even_place(k, irrationals[axis]) * (double)grid->shape[axis]);
  return debye_vec3(at[0] * turned->step_x + at[1] * turned->row_x + at[2] * turned->plane_x,
                    at[1] * turned->row_y + at[2] * turned->plane_y, at[2] * turned->plane_z);
}

static DebyeVec3
turned_atom(const DebyeTurnedGrid *turned, const DebyeCharges *charges, size_t i)
{
  const DebyeVec3 from_origin = debye_vec3_subtract(
      debye_vec3((double)charges->x[i], (double)charges->y[i], (double)charges->z[i]), turned->origin);
  return debye_vec3(debye_vec3_dot(from_origin, turned->axis[0]),
                    debye_vec3_dot(from_origin, turned->axis[1]),
                    debye_vec3_dot(from_origin, turned->axis[2]));
}

static double
square(double x)
{
  return x * x;
}

typedef struct {
  double whole, tile; /* e/Å: of the tiles that have ended, of this one so far */
  double errors;      /* their squares, (e/Å)² */
} Sum;

static void
end_tile(Sum *sum)
{
  sum->whole += sum->tile;
  sum->tile = 0.0;
  sum->errors += square(DEBYE_ROUNDING_SUM * sum->whole);
}

/* As the kernels add: by tiles, and each tile's sum to the whole. */
static void
add_term(Sum *sum, size_t at, double term)
{
  sum->tile += term;
  sum->errors += square(DEBYE_ROUNDING_TERM * term) + square(DEBYE_ROUNDING_SUM * sum->tile);
  if ((at + 1) % DEBYE_DIRECT_TILE == 0)
    end_tile(sum);
}

static Sum
sum_at(const DebyePotentialSettings *settings, const DebyeCharges *charges, const DebyeTurnedGrid *turned,
       const DebyeNearestImage *image, DebyeVec3 point)
{
  const double least = square(settings->core_radius);
  DebyeBalancedOrder order = debye_balanced_order(charges);
  Sum sum = {0};
  for (size_t at = 0; at < charges->n; at++) {
    const size_t i = debye_balanced_order_next(&order);
    const DebyeVec3 d = debye_vec3_subtract(turned_atom(turned, charges, i), point);
    const double distance2 = settings->periodic == DEBYE_PERIODIC_NONE
                                 ? debye_vec3_dot(d, d)
                                 : debye_nearest_distance2(image, d.x, d.y, d.z);
    add_term(&sum, at, (double)charges->charge[i] / sqrt(fmax(distance2, least)));
  }
  end_tile(&sum);
  return sum;
}

double
debye_potential_rounding(const DebyePotentialSettings *settings, const DebyeCharges *charges,
                         const DebyeCell *cell, size_t n_points)
{
  const DebyeTurnedGrid turned = debye_turned_grid(&settings->grid);
  double squares = 0.0, errors = 0.0;
  DebyeNearestImage image;
  DebyeStatus status;
  if (debye_nearest_image_set(&image, &turned, settings->periodic, cell, &status) != DEBYE_STATUS_OK)
    return 0.0;
  for (size_t k = 0; k < n_points; k++) {
    const Sum sum = sum_at(settings, charges, &turned, &image, sample_point(&turned, &settings->grid, k));
    squares += square(sum.whole);
    errors += sum.errors;
  }
  return squares > 0.0 ? sqrt(errors / squares) : 0.0;
}
