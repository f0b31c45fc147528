/* SPDX-License-Identifier: MIT */
/* Bessel functions and Legendre functions of all orders up to one, by recurrences in the direction in which
 * they are stable (Abramowitz & Stegun, Handbook of Mathematical Functions, 9.12 and 10.5; W. Gautschi, SIAM
 * Review 9 (1967) 24). */
#pragma once

#include <stddef.h>

/* Orders at most. */
#define DEBYE_BESSEL_MAX_ORDER 200

/* Spherical Bessel functions j_0 … j_order of x ≥ 0 into j[order + 1], each right to about 1e-15 of the
 * largest. */
void debye_spherical_bessel(unsigned order, double x, double *j);
/* Bessel functions J_0 … J_order of x ≥ 0 into J[order + 1], likewise. */
void debye_cylindrical_bessel(unsigned order, double x, double *J);

/* For m ≥ 0: where (l, m) is in a table of (order + 1)(order + 2)/2. */
static inline size_t
debye_harmonic_index(unsigned l, unsigned m)
{
  return (size_t)l * (l + 1) / 2 + m;
}

static inline size_t
debye_harmonic_count(unsigned order)
{
  return (size_t)(order + 1) * (order + 2) / 2;
}

/* Legendre functions P of cos θ = z and sin θ = s ≥ 0, so normalised that Y_lm = P_lm(θ) exp(imφ) are
 * orthonormal on the sphere (without the Condon-Shortley sign), for m ≥ 0. */
void debye_legendre(unsigned order, double z, double s, double *p);
