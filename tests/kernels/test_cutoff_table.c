/* SPDX-License-Identifier: MIT */
/* The tables of pair functions: read as the vector loops read them, by the bits of d², they are the function
 * to a millionth of 1/d; a function that varies too much has none. */
#include <stdint.h>
#include <string.h>

#include "kernels/cpu/potential/cutoff_table.h"
#include "tests/support/check.h"

static double
look_up(const DebyeCutoffTable *table, float u)
{
  uint32_t bits;
  memcpy(&bits, &u, sizeof bits);
  const uint32_t interval = (bits >> table->shift) % DEBYE_CUTOFF_INTERVALS;
  double value = 0.0;
  for (int n = table->n_terms - 1; n >= 0; n--)
    value = value * (double)u + (double)table->c[n][interval];
  return value;
}

static double
worst_error(const DebyeCutoffTable *table, const DebyePairFunction *function)
{
  double worst = 0.0;
  for (float u = table->low; u < 1.0f; u += 1e-5f) {
    const double exact = debye_pair_value(function, (double)u, 0.0);
    worst = fmax(worst, fabs(look_up(table, u) - exact) * sqrt((double)u));
  }
  return worst;
}

static void
check_function(const char *name, const DebyePairFunction *function)
{
  DebyeCutoffTables tables;
  debye_check_subject("%s", name);
  CHECK(debye_cutoff_tables_set(&tables, function));
  CHECK_AT_MOST(worst_error(&tables.far, function), 1e-6);
  CHECK_AT_MOST(worst_error(&tables.middle, function), 1e-6);
  /* They reach as far inwards as they say, and no less than what the cutoff's lists count on. */
  CHECK(tables.far.low >= 0.5f && tables.far.low < 0.51f);
  CHECK(tables.middle.low >= 0.0625f && tables.middle.low < 0.063f);
}

int
main(void)
{
  DebyePairFunction function;
  DebyeStatus status;
  DebyeCutoffTables tables;
  function = debye_pair_function_smoothing(DEBYE_SMOOTHING_NONE, 1.0);
  check_function("1/d", &function);
  function = debye_pair_function_smoothing(DEBYE_SMOOTHING_SMOOTH, 1.0);
  check_function("smooth", &function);
  function = debye_pair_function_smoothing(DEBYE_SMOOTHING_SHIFT, 1.0);
  check_function("shifted", &function);
  CHECK(debye_pair_function_erfc(3.0, 1.0, 1e-7, &function, &status) == DEBYE_STATUS_OK);
  check_function("erfc", &function);
  /* A polynomial of large coefficients, as steep as no splitting is. */
  function = (DebyePairFunction){.cutoff = 1.0, .n_coefficients = 16};
  function.coefficient[15] = 1e4;
  debye_check_subject("too steep");
  CHECK(!debye_cutoff_tables_set(&tables, &function));
  return debye_check_finish();
}
