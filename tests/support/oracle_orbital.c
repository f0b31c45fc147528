/* SPDX-License-Identifier: MIT */
/* Implementation of oracle_orbital.h. */
#include "oracle_orbital.h"

#include <math.h>

double
debye_oracle_orbital(const DebyeOrbitalBasis *basis, const double *coefficients, double x, double y, double z)
{
  double sum = 0.0;
  for (size_t shell = 0; shell < basis->n_shells; shell++) {
    const uint32_t centre = basis->centre[shell];
    const double dx = x - basis->x[centre], dy = y - basis->y[centre], dz = z - basis->z[centre];
    for (int a = basis->degree[shell]; a >= 0; a--)
      for (int b = basis->degree[shell] - a; b >= 0; b--, coefficients++)
        for (uint32_t k = basis->first_primitive[shell]; k < basis->first_primitive[shell + 1]; k++)
          sum += *coefficients * basis->weights[k] * pow(dx, a) * pow(dy, b) *
                 pow(dz, basis->degree[shell] - a - b) *
                 exp(-basis->exponents[k] * (dx * dx + dy * dy + dz * dz));
  }
  return sum;
}

void
debye_oracle_orbital_derivatives(const DebyeOrbitalBasis *basis, const double *coefficients,
                                 const double point[3], double step, double derivatives[4])
{
  derivatives[3] = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    double f[5];
    for (int i = 0; i < 5; i++) {
      double at[3] = {point[0], point[1], point[2]};
      at[axis] += (i - 2) * step;
      f[i] = debye_oracle_orbital(basis, coefficients, at[0], at[1], at[2]);
    }
    derivatives[axis] = (f[0] - 8.0 * f[1] + 8.0 * f[3] - f[4]) / (12.0 * step);
    derivatives[3] += (-f[0] + 16.0 * f[1] - 30.0 * f[2] + 16.0 * f[3] - f[4]) / (12.0 * step * step);
  }
}
