/* SPDX-License-Identifier: MIT */
/* The charges of poisson_medium.h as quadratic B-splines over 27 points of the grid. */
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

void
debye_poisson_medium_add_charges(const DebyePoissonMedium *medium, const DebyeSpheres *spheres,
                                 const float *charges, float *source)
{
  const DebyeSurfaceGrid *grid = &medium->grid;
  for (size_t i = 0; i < spheres->n; i++) {
    DebyePoissonSpline spline;
    if (!debye_poisson_spline_at(grid, debye_sphere_center(spheres, i), &spline))
      continue;
    const double whole = 4.0 * PI * medium->length * (double)charges[i];
    for (size_t z = 0; z < 3; z++)
      for (size_t y = 0; y < 3; y++) {
        float *row = source + spline.first[0] +
                     grid->shape[0] * (spline.first[1] + y + grid->shape[1] * (spline.first[2] + z));
        for (size_t x = 0; x < 3; x++)
          row[x] += (float)(whole * spline.weight[0][x] * spline.weight[1][y] * spline.weight[2][z]);
      }
  }
}
