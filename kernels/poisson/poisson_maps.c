/* SPDX-License-Identifier: MIT */
/* What maps give to the equation of poisson_medium.h in place of atoms: the solvent, ions, charges,
 * or the potential on a larger grid; called by poisson_lanes.c. */
#include <math.h>
#include <stdlib.h>

#include "poisson_medium.h"

#define PI 3.14159265358979323846

void
debye_poisson_medium_take_maps(const DebyePoissonMedium *medium, const DebyePoissonMaps *maps,
                               const DebyePoissonEquation *equation)
{
  const DebyeSurfaceGrid *grid = &medium->grid;
  const double volume = grid->step[0] * grid->step[1] * grid->step[2];
  const size_t n = debye_surface_grid_n_points(grid);
  for (int axis = 0; axis < 3 && maps->permittivity[0] != NULL; axis++)
    for (size_t i = 0; i < n; i++)
      equation->along[axis][i] =
          (float)((double)maps->permittivity[axis][i] * volume / (grid->step[axis] * grid->step[axis]));
  for (size_t i = 0; i < n && maps->ions != NULL; i++)
    equation->screening[i] = (float)((double)maps->ions[i] * volume);
  for (size_t i = 0; i < n && maps->charge != NULL; i++)
    equation->source[i] = (float)(4.0 * PI * medium->length * volume * (double)maps->charge[i]);
}

/* In one block: x, y, z, charge, and radii of 0. */
static float *
list_charges(const DebyeSurfaceGrid *grid, const float *charge, DebyeSpheres *spheres, float **charges)
{
  const double volume = grid->step[0] * grid->step[1] * grid->step[2];
  size_t n = 0, at = 0;
  for (size_t i = 0; i < debye_surface_grid_n_points(grid); i++)
    n += charge[i] != 0.0f;
  float *block = calloc(5 * (n + 1), sizeof *block);
  if (block == NULL)
    return NULL;
  for (size_t i = 0; i < debye_surface_grid_n_points(grid); i++) {
    if (charge[i] == 0.0f)
      continue;
    block[at] = (float)(grid->origin.x + grid->step[0] * (double)(i % grid->shape[0]));
    block[n + at] = (float)(grid->origin.y + grid->step[1] * (double)(i / grid->shape[0] % grid->shape[1]));
    block[2 * n + at] =
        (float)(grid->origin.z + grid->step[2] * (double)(i / grid->shape[0] / grid->shape[1]));
    block[3 * n + at++] = (float)((double)charge[i] * volume);
  }
  *spheres = (DebyeSpheres){block, block + n, block + 2 * n, block + 4 * n, n};
  *charges = block + 3 * n;
  return block;
}

DebyeStatusCode
debye_poisson_medium_set_map_boundary(const DebyePoissonMedium *medium, const float *charge,
                                      double *potential, DebyeStatus *status)
{
  DebyeSpheres spheres;
  float *charges;
  float *block = list_charges(&medium->grid, charge, &spheres, &charges);
  if (block == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for the boundary's potential of a map of charges.");
  const DebyeStatusCode code =
      debye_poisson_medium_set_boundary(medium, &spheres, charges, potential, status);
  free(block);
  return code;
}

/* --- Focusing --- */

/* Lagrange's cubic: the first of four points, and their weights. */
typedef struct {
  size_t first;
  double weight[4];
} Cubic;

static Cubic
cubic_at(double place, size_t n)
{
  const double cell = fmin(fmax(floor(place), 1.0), (double)n - 3.0), t = place - cell;
  return (Cubic){(size_t)cell - 1,
                 {-t * (t - 1.0) * (t - 2.0) / 6.0, (t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0,
                  -(t + 1.0) * t * (t - 2.0) / 2.0, (t + 1.0) * t * (t - 1.0) / 6.0}};
}

static double
sample(const DebyeSurfaceGrid *grid, const double *values, DebyeVec3 at)
{
  const Cubic x = cubic_at((at.x - grid->origin.x) / grid->step[0], grid->shape[0]);
  const Cubic y = cubic_at((at.y - grid->origin.y) / grid->step[1], grid->shape[1]);
  const Cubic z = cubic_at((at.z - grid->origin.z) / grid->step[2], grid->shape[2]);
  double sum = 0.0;
  for (size_t k = 0; k < 4; k++)
    for (size_t j = 0; j < 4; j++) {
      const double *row = values + x.first + grid->shape[0] * (y.first + j + grid->shape[1] * (z.first + k));
      for (size_t i = 0; i < 4; i++)
        sum += x.weight[i] * y.weight[j] * z.weight[k] * row[i];
    }
  return sum;
}

void
debye_poisson_medium_focus(const DebyePoissonMedium *medium, const DebyeSurfaceGrid *outer,
                           const double *outer_potential, double *potential)
{
  const DebyeSurfaceGrid *grid = &medium->grid;
  const size_t *shape = grid->shape;
  for (size_t z = 0; z < shape[2]; z++)
    for (size_t y = 0; y < shape[1]; y++) {
      const bool is_outer = z == 0 || z + 1 == shape[2] || y == 0 || y + 1 == shape[1];
      for (size_t x = 0; x < shape[0]; x += is_outer || x + 1 == shape[0] ? 1 : shape[0] - 1)
        potential[x + shape[0] * (y + shape[1] * z)] = sample(
            outer, outer_potential,
            debye_vec3(grid->origin.x + (double)x * grid->step[0], grid->origin.y + (double)y * grid->step[1],
                       grid->origin.z + (double)z * grid->step[2]));
    }
}
