/* SPDX-License-Identifier: MIT */
/* The charges of poisson_medium.h as quadratic B-splines over 27 points of the grid. */
#include <math.h>

#include "poisson_medium.h"
#include "poisson_spline.h"

#define PI 3.14159265358979323846

bool
debye_poisson_medium_contains(const DebyePoissonMedium *medium, const DebyeSpheres *spheres)
{
  DebyePoissonSpline spline;
  for (size_t i = 0; i < spheres->n; i++)
    if (!debye_poisson_spline_at(&medium->grid, debye_sphere_center(spheres, i), &spline))
      return false;
  return true;
}

/* Places and weights along an axis; points that are none have no weight. */
static long
weights_along(const DebyeSurfaceGrid *grid, int axis, double offset, double weight[3])
{
  const double place = offset / grid->step[axis], nearest = floor(place + 0.5), t = place - nearest;
  const double last = (double)grid->shape[axis] - 1.0;
  if (!(nearest >= -1.0 && nearest <= last + 1.0))
    return -1;
  weight[0] = nearest >= 1.0 ? 0.5 * (0.5 - t) * (0.5 - t) : 0.0;
  weight[1] = nearest >= 0.0 && nearest <= last ? 0.75 - t * t : 0.0;
  weight[2] = nearest <= last - 1.0 ? 0.5 * (0.5 + t) * (0.5 + t) : 0.0;
  return (long)nearest;
}

/* At the grid's edge, what of a charge is on its points: what is beyond is on the boundary of a focused grid. */
static void
add_cut_charge(const DebyeSurfaceGrid *grid, DebyeVec3 at, double whole, float *source)
{
  double weight[3][3] = {{0.0}};
  const long x = weights_along(grid, 0, at.x - grid->origin.x, weight[0]);
  const long y = weights_along(grid, 1, at.y - grid->origin.y, weight[1]);
  const long z = weights_along(grid, 2, at.z - grid->origin.z, weight[2]);
  for (long k = 0; k < 3; k++)
    for (long j = 0; j < 3; j++)
      for (long i = 0; i < 3; i++) {
        const double part = weight[0][i] * weight[1][j] * weight[2][k];
        const long row = y + j - 1 + (long)grid->shape[1] * (z + k - 1);
        if (part > 0.0)
          source[x + i - 1 + (long)grid->shape[0] * row] += (float)(whole * part);
      }
}

void
debye_poisson_medium_add_charges(const DebyePoissonMedium *medium, const DebyeSpheres *spheres,
                                 const float *charges, float *source)
{
  const DebyeSurfaceGrid *grid = &medium->grid;
  for (size_t i = 0; i < spheres->n; i++) {
    DebyePoissonSpline spline;
    const double whole = 4.0 * PI * medium->length * (double)charges[i];
    if (!debye_poisson_spline_at(grid, debye_sphere_center(spheres, i), &spline)) {
      add_cut_charge(grid, debye_sphere_center(spheres, i), whole, source);
      continue;
    }
    for (size_t z = 0; z < 3; z++)
      for (size_t y = 0; y < 3; y++) {
        float *row = source + spline.first[0] +
                     grid->shape[0] * (spline.first[1] + y + grid->shape[1] * (spline.first[2] + z));
        for (size_t x = 0; x < 3; x++)
          row[x] += (float)(whole * spline.weight[0][x] * spline.weight[1][y] * spline.weight[2][z]);
      }
  }
}
