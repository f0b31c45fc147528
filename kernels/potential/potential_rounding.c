/* SPDX-License-Identifier: MIT */
/* Estimates the error of a direct sum in float; called by map_plan.c, which chooses the precision. */
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

/* At several points at once: an atom is turned once, and what is done for each point are vectors. */
#define MAX_POINTS 64

typedef struct {
  size_t n;
  double x[MAX_POINTS], y[MAX_POINTS], z[MAX_POINTS];
  double whole[MAX_POINTS], tile[MAX_POINTS]; /* e/Å: of the tiles that have ended, of this one so far */
  double errors[MAX_POINTS];                  /* their squares, (e/Å)² */
} Sums;

static void
end_tile(Sums *sums)
{
  for (size_t k = 0; k < sums->n; k++) {
    sums->whole[k] += sums->tile[k];
    sums->tile[k] = 0.0;
    sums->errors[k] += square(DEBYE_ROUNDING_SUM * sums->whole[k]);
  }
}

static void
add_terms(Sums *sums, double charge, const double *distance2, double least)
{
  for (size_t k = 0; k < sums->n; k++) {
    const double term = charge / sqrt(distance2[k] > least ? distance2[k] : least);
    sums->tile[k] += term;
    sums->errors[k] += square(DEBYE_ROUNDING_TERM * term) + square(DEBYE_ROUNDING_SUM * sums->tile[k]);
  }
}

/* As the kernels add: by tiles, and each tile's sum to the whole. */
static void
add_atoms(Sums *sums, const DebyePotentialSettings *settings, const DebyeCharges *charges,
          const DebyeTurnedGrid *turned, const DebyeNearestImage *image)
{
  const double least = square(settings->core_radius);
  DebyeBalancedOrder order = debye_balanced_order(charges);
  double distance2[MAX_POINTS];
  for (size_t at = 0; at < charges->n; at++) {
    const size_t i = debye_balanced_order_next(&order);
    const DebyeVec3 atom = turned_atom(turned, charges, i);
    for (size_t k = 0; settings->periodic == DEBYE_PERIODIC_NONE && k < sums->n; k++)
      distance2[k] = square(atom.x - sums->x[k]) + square(atom.y - sums->y[k]) + square(atom.z - sums->z[k]);
    for (size_t k = 0; settings->periodic != DEBYE_PERIODIC_NONE && k < sums->n; k++)
      distance2[k] =
          debye_nearest_distance2(image, atom.x - sums->x[k], atom.y - sums->y[k], atom.z - sums->z[k]);
    add_terms(sums, (double)charges->charge[i], distance2, least);
    if ((at + 1) % DEBYE_DIRECT_TILE == 0)
      end_tile(sums);
  }
  end_tile(sums);
}

double
debye_potential_rounding(const DebyePotentialSettings *settings, const DebyeCharges *charges,
                         const DebyeCell *cell, size_t n_points)
{
  const DebyeTurnedGrid turned = debye_turned_grid(&settings->grid);
  double squares = 0.0, errors = 0.0;
  Sums sums = {.n = n_points < MAX_POINTS ? n_points : MAX_POINTS};
  DebyeNearestImage image;
  DebyeStatus status;
  if (debye_nearest_image_set(&image, &turned, settings->periodic, cell, &status) != DEBYE_STATUS_OK)
    return 0.0;
  for (size_t k = 0; k < sums.n; k++) {
    const DebyeVec3 point = sample_point(&turned, &settings->grid, k);
    sums.x[k] = point.x;
    sums.y[k] = point.y;
    sums.z[k] = point.z;
  }
  add_atoms(&sums, settings, charges, &turned, &image);
  for (size_t k = 0; k < sums.n; k++) {
    squares += square(sums.whole[k]);
    errors += sums.errors[k];
  }
  return squares > 0.0 ? sqrt(errors / squares) : 0.0;
}
