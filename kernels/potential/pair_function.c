/* SPDX-License-Identifier: MIT */
/* The polynomials of the pair functions; called by the cutoff and Ewald kernels. */
#include "pair_function.h"

#include <string.h>

/* Nodes of the fit: far more than coefficients, so that what is left out can be seen. */
#define NODES 64

DebyePairFunction
debye_pair_function_smoothing(DebyeSmoothing smoothing, double cutoff)
{
  DebyePairFunction function = {.cutoff = cutoff, .screened = smoothing == DEBYE_SMOOTHING_SMOOTH};
  if (smoothing == DEBYE_SMOOTHING_SHIFT) {
    function.n_coefficients = 1;
    function.coefficient[0] = 1.0 / cutoff;
  }
  return function;
}

/* Coefficients of Chebyshev's polynomials in 2s − 1, by the sum over their nodes. */
static void
fit_chebyshev(double beta, double cutoff, double chebyshev[NODES])
{
  const double pi = 3.14159265358979323846;
  double value[NODES];
  for (int node = 0; node < NODES; node++) {
    double s = 0.5 + 0.5 * cos(pi * (node + 0.5) / NODES);
    value[node] = debye_pair_erf(beta, cutoff * sqrt(s));
  }
  for (int n = 0; n < NODES; n++) {
    double sum = 0.0;
    for (int node = 0; node < NODES; node++)
      sum += value[node] * cos(pi * n * (node + 0.5) / NODES);
    chebyshev[n] = sum * (n == 0 ? 1.0 : 2.0) / NODES;
  }
}

/* Σ chebyshev[n]·Tₙ(2s − 1) in powers of s, by Tₙ₊₁ = 2(2s − 1)·Tₙ − Tₙ₋₁. */
static void
to_powers(const double chebyshev[], unsigned n_coefficients, double power[DEBYE_PAIR_COEFFICIENTS])
{
  double before[DEBYE_PAIR_COEFFICIENTS + 1] = {1.0}, now[DEBYE_PAIR_COEFFICIENTS + 1] = {-1.0, 2.0};
  memset(power, 0, DEBYE_PAIR_COEFFICIENTS * sizeof *power);
  for (unsigned n = 0; n < n_coefficients; n++) {
    double next[DEBYE_PAIR_COEFFICIENTS + 1];
    for (unsigned i = 0; i <= n; i++)
      power[i] += chebyshev[n] * before[i];
    for (unsigned i = 0; i <= DEBYE_PAIR_COEFFICIENTS; i++)
      next[i] = (i > 0 ? 4.0 * now[i - 1] : 0.0) - 2.0 * now[i] - before[i];
    memcpy(before, now, sizeof before);
    memcpy(now, next, sizeof now);
  }
}

DebyeStatusCode
debye_pair_function_erfc(double beta, double cutoff, double tolerance, DebyePairFunction *function,
                         DebyeStatus *status)
{
  double chebyshev[NODES], rest = 0.0;
  unsigned n = NODES;
  *function = (DebyePairFunction){.cutoff = cutoff};
  if (!(beta > 0.0 && cutoff > 0.0 && tolerance > 0.0 && isfinite(beta * cutoff)))
    return debye_status_set(
        status, DEBYE_STATUS_INVALID,
        "A width of %g 1/Å, a cutoff of %g Å and a tolerance of %g give no pair function.", beta, cutoff,
        tolerance);
  fit_chebyshev(beta, cutoff, chebyshev);
  /* |Tₙ| ≤ 1: what is left out is at most the sum of its coefficients. */
  while (n > 1 && rest + fabs(chebyshev[n - 1]) <= tolerance)
    rest += fabs(chebyshev[--n]);
  if (n > DEBYE_PAIR_COEFFICIENTS)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "Between 0 and %g Å, erf(%g d)/d needs more than %d coefficients for an error of "
                            "%g 1/Å.",
                            cutoff, beta, DEBYE_PAIR_COEFFICIENTS, tolerance);
  function->n_coefficients = n;
  to_powers(chebyshev, n, function->coefficient);
  return debye_status_ok(status);
}

DebyePairFunction
debye_pair_function_exact_erfc(double beta, double cutoff)
{
  return (DebyePairFunction){.cutoff = cutoff, .beta = beta};
}

bool
debye_pair_function_has_step(const DebyePairFunction *function)
{
  /* In float about one point in ten thousand has an atom so near to the cutoff that rounding decides, so a
   * step of a thousandth of 1/cutoff is a hundred thousandth of it in the map's root mean square. */
  double cutoff = function->cutoff;
  return fabs(debye_pair_value(function, cutoff * cutoff, 0.0)) * cutoff > 1e-3;
}

DebyePairForm
debye_pair_form(const DebyePairFunction *function)
{
  const unsigned n = function->n_coefficients;
  if (function->screened)
    return n == 0 ? DEBYE_PAIR_SCREENED : DEBYE_PAIR_ANY;
  if (debye_pair_function_has_step(function))
    return n == 0 ? DEBYE_PAIR_STEP : DEBYE_PAIR_ANY;
  return n <= 4    ? DEBYE_PAIR_EVEN_4
         : n <= 8  ? DEBYE_PAIR_EVEN_8
         : n <= 12 ? DEBYE_PAIR_EVEN_12
                   : DEBYE_PAIR_EVEN_16;
}

DebyePairFloats
debye_pair_floats(const DebyePairFunction *function, double core_radius, double extent)
{
  const double cutoff2 = function->cutoff * function->cutoff;
  DebyePairFloats floats = {.cutoff2 = (float)cutoff2,
                            .inverse_cutoff2 = (float)(1.0 / cutoff2),
                            .core2 = (float)(core_radius * core_radius),
                            .screened = function->screened ? 1.0f : 0.0f};
  /* A coordinate is good to 1e-7 of the block and the cutoff, d² to three times twice that. */
  const double rounding = 2e-6 * (2.0 + extent / function->cutoff);
  const double width = debye_pair_function_has_step(function) ? rounding : 0.0;
  floats.edge_low = (float)(cutoff2 * (1.0 - width));
  floats.edge_high = (float)(cutoff2 * (1.0 + width));
  /* About ½ by dividing by (s − ½) again and again: what is left over is the next coefficient. */
  double power[DEBYE_PAIR_COEFFICIENTS];
  memcpy(power, function->coefficient, sizeof power);
  for (unsigned low = 0; low < function->n_coefficients; low++) {
    for (unsigned i = function->n_coefficients - 1; i > low; i--)
      power[i - 1] += 0.5 * power[i];
    floats.coefficient[low] = (float)power[low];
  }
  return floats;
}
