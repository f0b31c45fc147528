/* SPDX-License-Identifier: MIT */
/* Bessel functions and Legendre functions of all orders up to one, by recurrences in the direction in which
 * they are stable (Abramowitz & Stegun, Handbook of Mathematical Functions, 9.12 and 10.5; W. Gautschi, SIAM
 * Review 9 (1967) 24). One copy for C and CUDA; called by multipole_math.h.
 *
 * Values of neighbouring orders stand `stride` apart, so that those of one order of many atoms are neighbours. */
#pragma once

#include <math.h>
#include <stddef.h>

#include "shared_math.h"

/* Orders at most. */
#define DEBYE_BESSEL_MAX_ORDER 200

/* Orders above the last wanted one at which a downward recurrence begins; values beyond which all is scaled
 * down. */
#define DEBYE_BESSEL_LEAST_START 24
#define DEBYE_BESSEL_TOO_LARGE 1e200

/* For m ≥ 0: where (l, m) is in a table of (order + 1)(order + 2)/2. */
DEBYE_SHARED_MATH size_t
debye_harmonic_index(unsigned l, unsigned m)
{
  return (size_t)l * (l + 1) / 2 + m;
}

DEBYE_SHARED_MATH size_t
debye_harmonic_count(unsigned order)
{
  return (size_t)(order + 1) * (order + 2) / 2;
}

/* Downwards from well above both the order and x, where the functions fall faster than any power: the start's
 * error dies out. */
DEBYE_SHARED_MATH unsigned
debye_bessel_start(unsigned order, double x)
{
  const double above = fmax((double)order, x);
  return (unsigned)(above + DEBYE_BESSEL_LEAST_START + 4.0 * cbrt(above));
}

/* Values of the orders first, …, last. */
DEBYE_SHARED_MATH void
debye_bessel_scale(double *values, size_t stride, unsigned first, unsigned last, double factor)
{
  for (unsigned l = first; l <= last; l++)
    values[l * stride] *= factor;
}

DEBYE_SHARED_MATH void
debye_spherical_bessel_downward(unsigned order, double x, double *j, size_t stride)
{
  double above = 0.0, here = 1e-200;
  for (unsigned l = debye_bessel_start(order, x); l > 0; l--) {
    const double below = (2.0 * l + 1.0) / x * here - above;
    above = here;
    here = below;
    if (l - 1 <= order)
      j[(l - 1) * stride] = here;
    if (fabs(here) > DEBYE_BESSEL_TOO_LARGE) {
      above /= DEBYE_BESSEL_TOO_LARGE;
      here /= DEBYE_BESSEL_TOO_LARGE;
      debye_bessel_scale(j, stride, l - 1, order, 1.0 / DEBYE_BESSEL_TOO_LARGE);
    }
  }
  /* `here` is j_0 and `above` j_1, but for a common factor: the larger of the two is known better. */
  const double first = sin(x) / x, second = (first - cos(x)) / x;
  debye_bessel_scale(j, stride, 0, order, fabs(first) > fabs(second) ? first / here : second / above);
}

/* Spherical Bessel functions j_0 … j_order of x ≥ 0, each right to about 1e-15 of the largest. */
DEBYE_SHARED_MATH void
debye_spherical_bessel(unsigned order, double x, double *j, size_t stride)
{
  /* Below, the second term of the series is lost in rounding; x = 0 must not be divided by. */
  if (x < 1e-6) {
    double power = 1.0;
    for (unsigned l = 0; l <= order; l++) {
      j[l * stride] = power * (1.0 - x * x / (2.0 * (2.0 * l + 3.0)));
      power *= x / (2.0 * l + 3.0);
    }
    return;
  }
  if (x <= (double)order) {
    debye_spherical_bessel_downward(order, x, j, stride);
    return;
  }
  /* Upwards nothing is lost as long as the order is below x. */
  double below = sin(x) / x, here = (below - cos(x)) / x;
  j[0] = below;
  for (unsigned l = 1; l <= order; l++) {
    const double above = (2.0 * l + 1.0) / x * here - below;
    j[l * stride] = here;
    below = here;
    here = above;
  }
}

/* Bessel functions J_0 … J_order of x ≥ 0, likewise. The factor follows from J_0 + 2 Σ J_2k = 1. */
DEBYE_SHARED_MATH void
debye_cylindrical_bessel(unsigned order, double x, double *J, size_t stride)
{
  if (x == 0.0) {
    for (unsigned m = 0; m <= order; m++)
      J[m * stride] = m == 0 ? 1.0 : 0.0;
    return;
  }
  double above = 0.0, here = 1e-200, sum = 0.0;
  for (unsigned m = debye_bessel_start(order, x) & ~1u; m > 0; m--) {
    if (m % 2 == 0)
      sum += 2.0 * here;
    const double below = 2.0 * m / x * here - above;
    above = here;
    here = below;
    if (m - 1 <= order)
      J[(m - 1) * stride] = here;
    if (fabs(here) > DEBYE_BESSEL_TOO_LARGE) {
      above /= DEBYE_BESSEL_TOO_LARGE;
      here /= DEBYE_BESSEL_TOO_LARGE;
      sum /= DEBYE_BESSEL_TOO_LARGE;
      debye_bessel_scale(J, stride, m - 1, order, 1.0 / DEBYE_BESSEL_TOO_LARGE);
    }
  }
  debye_bessel_scale(J, stride, 0, order, 1.0 / (sum + here));
}

/* Legendre functions P of cos θ = z and sin θ = s ≥ 0, so normalised that Y_lm = P_lm(θ) exp(imφ) are
 * orthonormal on the sphere (without the Condon-Shortley sign), for m ≥ 0. */
DEBYE_SHARED_MATH void
debye_legendre(unsigned order, double z, double s, double *p, size_t stride)
{
  double diagonal = sqrt(0.25 / 3.14159265358979323846);
  for (unsigned m = 0; m <= order; m++) {
    if (m > 0)
      diagonal *= sqrt((2.0 * m + 1.0) / (2.0 * m)) * s;
    double before = 0.0, here = diagonal;
    p[debye_harmonic_index(m, m) * stride] = here;
    for (unsigned l = m + 1; l <= order; l++) {
      const double l2 = (double)l * l, m2 = (double)m * m, below2 = (l - 1.0) * (l - 1.0);
      const double a = sqrt((4.0 * l2 - 1.0) / (l2 - m2)), b = sqrt((below2 - m2) / (4.0 * below2 - 1.0));
      const double next = a * (z * here - b * before);
      before = here;
      here = next;
      p[debye_harmonic_index(l, m) * stride] = here;
    }
  }
}
