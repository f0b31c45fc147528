/* SPDX-License-Identifier: MIT */
/* Turns counts of displacements into F(q, τ) and mean square displacements; called by
 * scattering_displacements.c. */
#include "displacement_function.h"

#include <math.h>

double
debye_displacement_bin_width(double q_max, double tolerance)
{
  return sqrt(24.0 * tolerance) / q_max;
}

static double
sinc(double x)
{
  return fabs(x) < 1e-4 ? 1.0 - x * x / 6.0 : sin(x) / x;
}

/* Gauss's rule of three points, over r² dr: the displacements of a bin are spread over its shell, as those of
 * a smooth G_s are. Exact to (qΔr)⁶/1e5. */
void
debye_displacement_weights(double q, double bin_width, size_t n_bins, double *weights)
{
  static const double place[3] = {-0.77459666924148337704, 0.0, 0.77459666924148337704};
  static const double share[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
  for (size_t k = 0; k < n_bins; k++) {
    double sum = 0.0, volume = 0.0;
    for (int i = 0; i < 3; i++) {
      const double r = bin_width * ((double)k + 0.5 + 0.5 * place[i]);
      sum += share[i] * r * r * sinc(q * r);
      volume += share[i] * r * r;
    }
    weights[k] = sum / volume;
  }
}

double
debye_displacement_average(const uint64_t *counts, const double *weights, size_t n_bins)
{
  double sum = 0.0, n = 0.0;
  for (size_t k = 0; k < n_bins; k++) {
    sum += (double)counts[k] * weights[k];
    n += (double)counts[k];
  }
  return n > 0.0 ? sum / n : 0.0;
}

double
debye_displacement_mean_square(double square, double n)
{
  return n > 0.0 ? square / n : 0.0;
}

double
debye_displacement_non_gaussian(double square, double fourth, double n)
{
  return square > 0.0 ? 3.0 * fourth * n / (5.0 * square * square) - 1.0 : 0.0;
}
