/* SPDX-License-Identifier: MIT */
/* Tables of a pair function: polynomials through a few points of each interval; called by cutoff_frame.c. */
#include "cutoff_table.h"

#include <stdint.h>
#include <string.h>

#define LARGEST_ERROR 1e-6
/* Of an interval, to see the error. */
#define SAMPLES 16

typedef struct {
  double low, width;
} Interval;

static float
number_of(uint32_t bits)
{
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static uint32_t
bits_of(float number)
{
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

/* (Σ factor[n]·uⁿ)·(u − root) in place; `degree` is that of the product. */
static void
multiply(double factor[DEBYE_CUTOFF_TABLE_TERMS], int degree, double root)
{
  for (int n = degree; n >= 0; n--)
    factor[n] = (n > 0 ? factor[n - 1] : 0.0) - (n < degree ? root * factor[n] : 0.0);
}

/* Newton's form through the function at Chebyshev's points, where a polynomial is nearly as good as the best,
 * and from it the powers of u. */
static void
fit(const DebyePairFunction *function, Interval part, int n_terms, double c[DEBYE_CUTOFF_TABLE_TERMS])
{
  const double pi = 3.14159265358979323846;
  double at[DEBYE_CUTOFF_TABLE_TERMS], difference[DEBYE_CUTOFF_TABLE_TERMS];
  for (int i = 0; i < n_terms; i++) {
    at[i] = part.low + part.width * (0.5 + 0.5 * cos(pi * (i + 0.5) / n_terms));
    difference[i] = debye_pair_value(function, at[i], 0.0);
  }
  for (int order = 1; order < n_terms; order++)
    for (int i = n_terms - 1; i >= order; i--)
      difference[i] = (difference[i] - difference[i - 1]) / (at[i] - at[i - order]);
  double factor[DEBYE_CUTOFF_TABLE_TERMS] = {1.0};
  memset(c, 0, DEBYE_CUTOFF_TABLE_TERMS * sizeof *c);
  for (int i = 0; i < n_terms; i++) {
    for (int n = 0; n <= i; n++)
      c[n] += difference[i] * factor[n];
    if (i + 1 < n_terms)
      multiply(factor, i + 1, at[i]);
  }
}

static bool
is_near(const DebyePairFunction *function, Interval part, const DebyeCutoffTable *table, int i)
{
  for (int sample = 0; sample < SAMPLES; sample++) {
    const double u = part.low + part.width * (sample + 0.5) / SAMPLES;
    double value = 0.0;
    for (int n = table->n_terms - 1; n >= 0; n--)
      value = value * u + (double)table->c[n][i];
    if (!(fabs(value - debye_pair_value(function, u, 0.0)) * sqrt(u) <= LARGEST_ERROR))
      return false;
  }
  return true;
}

static bool
set_table(DebyeCutoffTable *table, const DebyePairFunction *function, float begin)
{
  const uint32_t step = (uint32_t)1 << table->shift;
  /* A little above where the intervals begin, so that rounding leaves no u below. */
  table->low = begin * 1.0002f;
  for (uint32_t bits = bits_of(begin); bits < bits_of(1.0f); bits += step) {
    const double low = (double)number_of(bits);
    const Interval part = {low, (double)number_of(bits + step) - low};
    const int i = (int)(bits >> table->shift) % DEBYE_CUTOFF_INTERVALS;
    double c[DEBYE_CUTOFF_TABLE_TERMS];
    fit(function, part, table->n_terms, c);
    for (int n = 0; n < table->n_terms; n++)
      table->c[n][i] = (float)c[n];
    if (!is_near(function, part, table, i))
      return false;
  }
  return true;
}

bool
debye_cutoff_tables_set(DebyeCutoffTables *tables, const DebyePairFunction *function)
{
  tables->far = (DebyeCutoffTable){.n_terms = DEBYE_CUTOFF_FAR_TERMS, .shift = DEBYE_CUTOFF_FAR_SHIFT};
  tables->middle =
      (DebyeCutoffTable){.n_terms = DEBYE_CUTOFF_MIDDLE_TERMS, .shift = DEBYE_CUTOFF_MIDDLE_SHIFT};
  return set_table(&tables->far, function, 0.5f) && set_table(&tables->middle, function, 0.0625f);
}
