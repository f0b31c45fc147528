/* SPDX-License-Identifier: MIT */
/* What a pair of a point and an atom gives within a cutoff: one form for the cutoff method and for the
 * short-range parts of multilevel summation and Ewald's, so that one kernel serves all three.
 *
 *   f(d) = A(s)/d − B(s) for d < cutoff, else 0;   s = d²/cutoff²
 *
 * In A/d, d is max(d, core), as for every potential; B is what a long-range part adds to the map, at the
 * point itself. A is 1 or (1 − s)², B a polynomial. erf(βd)/d and the softened 1/d of multilevel summation
 * are even in d, so both are well described by a polynomial in s. */
#pragma once

#include "potential_math.h"

DEBYE_BEGIN_DECLS

#define DEBYE_PAIR_COEFFICIENTS 16

typedef struct {
  double cutoff;                               /* Å */
  bool screened;                               /* A is (1 − s)² */
  unsigned n_coefficients;                     /* of B; 0: B is 0 */
  double coefficient[DEBYE_PAIR_COEFFICIENTS]; /* of s⁰, s¹ … in 1/Å */
  double beta; /* not 0: f is erfc(βd)/d itself, whatever stands above; for sums in double alone */
} DebyePairFunction;

/* The shapes of f that sums have inner loops for. */
typedef enum {
  DEBYE_PAIR_SCREENED, /* (1 − s)²/d */
  DEBYE_PAIR_STEP,     /* 1/d with its step */
  DEBYE_PAIR_EVEN_4,   /* 1/d − B of at most so many coefficients, ending near 0 */
  DEBYE_PAIR_EVEN_8,
  DEBYE_PAIR_EVEN_12,
  DEBYE_PAIR_EVEN_16,
  DEBYE_PAIR_ANY, /* whatever else: A, B and a step */
} DebyePairForm;

/* The same for sums in float. B is in powers of s − ½ there: in powers of s its terms are many times their
 * sum. */
typedef struct {
  float cutoff2, inverse_cutoff2, core2;
  float screened; /* 1 or 0 */
  float coefficient[DEBYE_PAIR_COEFFICIENTS];
  /* Where f steps at the cutoff, a pair with edge_low ≤ d² ≤ edge_high is decided in double; else both are
   * the cutoff's. */
  float edge_low, edge_high;
} DebyePairFloats;

/* 1/d, (1 − s)²/d, 1/d − 1/cutoff. */
DebyePairFunction debye_pair_function_smoothing(DebyeSmoothing smoothing, double cutoff);
/* erfc(βd)/d = 1/d − erf(βd)/d with an error of f of at most `tolerance` (1/Å). INVALID where 16 coefficients
 * don't reach it: β·cutoff is then above 4 or so. */
DebyeStatusCode debye_pair_function_erfc(double beta, double cutoff, double tolerance,
                                         DebyePairFunction *function, DebyeStatus *status);
/* erfc(βd)/d by the library's function: exact, slow, and for sums in double alone. */
DebyePairFunction debye_pair_function_exact_erfc(double beta, double cutoff);
/* Whether f jumps at the cutoff so far that a pair which rounding puts on its wrong side would be seen. */
bool debye_pair_function_has_step(const DebyePairFunction *function);
DebyePairForm debye_pair_form(const DebyePairFunction *function);
/* `extent`: how long the blocks of points are that positions are relative to. */
DebyePairFloats debye_pair_floats(const DebyePairFunction *function, double core_radius, double extent);

/* erf(βd)/d with its limit at 0. */
DEBYE_SHARED_MATH double
debye_pair_erf(double beta, double distance)
{
  const double two_over_root_pi = 1.12837916709551257390;
  return beta * distance < 1e-8 ? two_over_root_pi * beta : erf(beta * distance) / distance;
}

/* f for a pair within the cutoff, d² = distance2. */
DEBYE_SHARED_MATH double
debye_pair_value(const DebyePairFunction *function, double distance2, double core2)
{
  const double clamped2 = distance2 > core2 ? distance2 : core2;
  if (function->beta > 0.0 && distance2 >= core2)
    return erfc(function->beta * sqrt(distance2)) / sqrt(distance2);
  if (function->beta > 0.0)
    return 1.0 / sqrt(core2) - debye_pair_erf(function->beta, sqrt(distance2));
  const double inverse = 1.0 / (function->cutoff * function->cutoff);
  const double s = distance2 * inverse, t = 1.0 - clamped2 * inverse;
  double b = 0.0;
  for (unsigned i = function->n_coefficients; i-- > 0;)
    b = b * s + function->coefficient[i];
  return (function->screened ? t * t : 1.0) / sqrt(clamped2) - b;
}

DEBYE_END_DECLS
