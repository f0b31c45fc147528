/* SPDX-License-Identifier: MIT */
/* Pair functions, which the sums of several methods are made of. */
#include "kernels/potential/pair_function.h"
#include "tests/support/check.h"

#define CORE 1e-3

/* The longest distance between the fit and erfc(βd)/d, in double and in the powers that float uses. */
static void
test_erfc(double beta, double cutoff, double tolerance)
{
  DebyePairFunction function;
  DebyeStatus status;
  debye_check_subject("erfc, beta %g, cutoff %g, tolerance %g", beta, cutoff, tolerance);
  CHECK_THAT(debye_pair_function_erfc(beta, cutoff, tolerance, &function, &status) == DEBYE_STATUS_OK, "%s",
             status.text);
  DebyePairFloats floats = debye_pair_floats(&function, CORE, 8.0);
  double worst = 0.0, worst_float = 0.0;
  for (int i = 1; i < 2000; i++) {
    double d = cutoff * i / 2000.0, expected = erfc(beta * d) / d;
    float v = (float)(d * d / (cutoff * cutoff)) - 0.5f, b = 0.0f;
    for (int n = DEBYE_PAIR_COEFFICIENTS; n-- > 0;)
      b = b * v + floats.coefficient[n];
    worst = fmax(worst, fabs(debye_pair_value(&function, d * d, 0.0) - expected));
    worst_float = fmax(worst_float, fabs((1.0 / d - (double)b) - expected));
  }
  CHECK_AT_MOST(worst, tolerance);
  /* Of B's largest value, 2β/√π, a few roundings more. */
  CHECK_AT_MOST(worst_float, tolerance + 2e-6 * beta);
}

int
main(void)
{
  DebyePairFunction function;
  DebyeStatus status;
  test_erfc(0.2, 10.0, 1e-4);
  test_erfc(0.3, 10.0, 1e-5);
  test_erfc(0.35, 9.0, 1e-6);
  test_erfc(0.4, 10.0, 1e-6);
  debye_check_subject("erfc, refused");
  CHECK(debye_pair_function_erfc(1.0, 30.0, 1e-6, &function, &status) == DEBYE_STATUS_INVALID);
  CHECK(debye_pair_function_erfc(0.0, 10.0, 1e-6, &function, &status) == DEBYE_STATUS_INVALID);
  return debye_check_finish();
}
