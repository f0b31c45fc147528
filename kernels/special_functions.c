/* SPDX-License-Identifier: MIT */
/* Bessel and Legendre functions by recurrences; called by scattering_multipole.c. */
#include "special_functions.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
#define LEAST_START 24  /* orders above the last wanted one at which a downward recurrence begins */
#define TOO_LARGE 1e200 /* beyond, all is scaled down */

/* Downwards from well above both the order and x, where the functions fall faster than any power: the start's
 * error dies out. */
static unsigned
start_order(unsigned order, double x)
{
  double above = fmax((double)order, x);
  return (unsigned)(above + LEAST_START + 4.0 * cbrt(above));
}

static void
scale(double *values, unsigned n, double factor)
{
  for (unsigned l = 0; l < n; l++)
    values[l] *= factor;
}

static void
spherical_downward(unsigned order, double x, double *j)
{
  double above = 0.0, here = 1e-200;
  for (unsigned l = start_order(order, x); l > 0; l--) {
    double below = (2.0 * l + 1.0) / x * here - above;
    above = here;
    here = below;
    if (l - 1 <= order)
      j[l - 1] = here;
    if (fabs(here) > TOO_LARGE) {
      above /= TOO_LARGE;
      here /= TOO_LARGE;
      if (l - 1 <= order)
        scale(j + l - 1, order - l + 2, 1.0 / TOO_LARGE);
    }
  }
  /* `here` is j_0 and `above` j_1, but for a common factor: the larger of the two is known better. */
  double first = sin(x) / x, second = (first - cos(x)) / x;
  scale(j, order + 1, fabs(first) > fabs(second) ? first / here : second / above);
}

void
debye_spherical_bessel(unsigned order, double x, double *j)
{
  /* Below, the second term of the series is lost in rounding; x = 0 must not be divided by. */
  if (x < 1e-6) {
    double power = 1.0;
    for (unsigned l = 0; l <= order; l++) {
      j[l] = power * (1.0 - x * x / (2.0 * (2.0 * l + 3.0)));
      power *= x / (2.0 * l + 3.0);
    }
    return;
  }
  if (x <= (double)order) {
    spherical_downward(order, x, j);
    return;
  }
  /* Upwards nothing is lost as long as the order is below x. */
  j[0] = sin(x) / x;
  if (order > 0)
    j[1] = (j[0] - cos(x)) / x;
  for (unsigned l = 1; l < order; l++)
    j[l + 1] = (2.0 * l + 1.0) / x * j[l] - j[l - 1];
}

/* The factor follows from J_0 + 2 Σ J_2k = 1. */
void
debye_cylindrical_bessel(unsigned order, double x, double *J)
{
  if (x == 0.0) {
    memset(J, 0, (order + 1) * sizeof *J);
    J[0] = 1.0;
    return;
  }
  double above = 0.0, here = 1e-200, sum = 0.0;
  for (unsigned m = start_order(order, x) & ~1u; m > 0; m--) {
    if (m % 2 == 0)
      sum += 2.0 * here;
    double below = 2.0 * m / x * here - above;
    above = here;
    here = below;
    if (m - 1 <= order)
      J[m - 1] = here;
    if (fabs(here) > TOO_LARGE) {
      above /= TOO_LARGE;
      here /= TOO_LARGE;
      sum /= TOO_LARGE;
      if (m - 1 <= order)
        scale(J + m - 1, order - m + 2, 1.0 / TOO_LARGE);
    }
  }
  scale(J, order + 1, 1.0 / (sum + here));
}

void
debye_legendre(unsigned order, double z, double s, double *p)
{
  p[0] = sqrt(0.25 / PI);
  for (unsigned m = 0; m <= order; m++) {
    if (m > 0)
      p[debye_harmonic_index(m, m)] =
          sqrt((2.0 * m + 1.0) / (2.0 * m)) * s * p[debye_harmonic_index(m - 1, m - 1)];
    if (m < order)
      p[debye_harmonic_index(m + 1, m)] = sqrt(2.0 * m + 3.0) * z * p[debye_harmonic_index(m, m)];
    for (unsigned l = m + 2; l <= order; l++) {
      double l2 = (double)l * l, m2 = (double)m * m, before = (l - 1.0) * (l - 1.0);
      double a = sqrt((4.0 * l2 - 1.0) / (l2 - m2)), b = sqrt((before - m2) / (4.0 * before - 1.0));
      p[debye_harmonic_index(l, m)] =
          a * (z * p[debye_harmonic_index(l - 1, m)] - b * p[debye_harmonic_index(l - 2, m)]);
    }
  }
}
