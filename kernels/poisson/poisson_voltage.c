/* SPDX-License-Identifier: MIT */
/* Implementation of poisson_voltage.h. */
#include "poisson_voltage.h"

#include <math.h>

/* φ/V: each layer takes its share of the whole resistance, a bath of ions 1/(εκ). */
static double
profile_at(const DebyePoissonMedium *medium, double z)
{
  const DebyeSurfaceGrid *grid = &medium->grid;
  const double kappa = sqrt(medium->screening / medium->solvent);
  const double first = grid->origin.z, last = first + grid->step[2] * (double)(grid->shape[2] - 1);
  const double low = medium->membrane.low - medium->ion_radius,
               high = medium->membrane.high + medium->ion_radius;
  if (!(kappa > 0.0))
    return debye_poisson_membrane_integrate(&medium->membrane, medium->solvent, z, last) /
           debye_poisson_membrane_integrate(&medium->membrane, medium->solvent, first, last);
  const double bath = 1.0 / (medium->solvent * kappa),
               whole = 2.0 * bath +
                       debye_poisson_membrane_integrate(&medium->membrane, medium->solvent, low, high);
  if (z >= high)
    return bath * exp(-kappa * (z - high)) / whole;
  return z <= low
             ? 1.0 - bath * exp(kappa * (z - low)) / whole
             : (bath + debye_poisson_membrane_integrate(&medium->membrane, medium->solvent, z, high)) / whole;
}

void
debye_poisson_voltage_add_profile(const DebyePoissonMedium *medium, double *potential)
{
  const DebyeSurfaceGrid *grid = &medium->grid;
  const size_t *shape = grid->shape;
  for (size_t z = 0; z < shape[2]; z++) {
    const double value =
        medium->membrane.voltage * profile_at(medium, grid->origin.z + grid->step[2] * (double)z);
    for (size_t y = 0; y < shape[1]; y++) {
      const bool is_outer = z == 0 || z + 1 == shape[2] || y == 0 || y + 1 == shape[1];
      for (size_t x = 0; x < shape[0]; x += is_outer ? 1 : shape[0] - 1)
        potential[x + shape[0] * (y + shape[1] * z)] += value;
    }
  }
}

/* Planes below the middle. */
static size_t
count_below(const DebyePoissonMedium *medium)
{
  const double middle = 0.5 * (medium->membrane.low + medium->membrane.high);
  const double planes = ceil((middle - medium->grid.origin.z) / medium->grid.step[2]);
  return planes <= 0.0 ? 0 : (size_t)fmin(planes, (double)medium->grid.shape[2]);
}

void
debye_poisson_voltage_shift(const DebyePoissonMedium *medium, double sign, double *potential)
{
  const size_t n = medium->grid.shape[0] * medium->grid.shape[1] * count_below(medium);
  for (size_t i = 0; i < n; i++)
    potential[i] += sign * medium->membrane.voltage;
}

void
debye_poisson_voltage_add_source(const DebyePoissonMedium *medium, const DebyePoissonEquation *equation)
{
  const size_t plane = medium->grid.shape[0] * medium->grid.shape[1], below = count_below(medium);
  if (below == 0 || below == medium->grid.shape[2])
    return;
  for (size_t i = plane * (below - 1); i < plane * below; i++) {
    const float more = (float)((double)equation->along[2][i] * medium->membrane.voltage);
    equation->source[i] -= more;
    equation->source[i + plane] += more;
  }
}
