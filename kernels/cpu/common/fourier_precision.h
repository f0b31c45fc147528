/* SPDX-License-Identifier: MIT */
/* FFTW's calls for one precision; included once for each by fourier.c, with REAL and FFTW(name) defined. No
 * guard, on purpose. */

static void *
NAMED(plan_rows)(DebyeFourierRows kind, size_t length, size_t n_rows, bool unaligned)
{
  const int n = (int)length, many = (int)n_rows, half = n / 2 + 1;
  const unsigned flags = FFTW_ESTIMATE | (unaligned ? FFTW_UNALIGNED : 0);
  /* Estimating looks at where the arrays are and how they are aligned, not at what is in them. */
  FFTW(complex) *values = FFTW(alloc_complex)(length * n_rows);
  REAL *reals = FFTW(alloc_real)(length * n_rows);
  void *plan = NULL;
  if (values != NULL && reals != NULL && kind == DEBYE_FOURIER_REAL_FORWARD)
    plan = FFTW(plan_many_dft_r2c)(1, &n, many, reals, NULL, 1, n, values, NULL, 1, half, flags);
  else if (values != NULL && reals != NULL && kind == DEBYE_FOURIER_REAL_BACKWARD)
    plan = FFTW(plan_many_dft_c2r)(1, &n, many, values, NULL, 1, half, reals, NULL, 1, n,
                                   flags | FFTW_DESTROY_INPUT);
  else if (values != NULL && reals != NULL)
    plan = FFTW(plan_many_dft)(1, &n, many, values, NULL, 1, n, values, NULL, 1, n,
                               kind == DEBYE_FOURIER_FORWARD ? FFTW_FORWARD : FFTW_BACKWARD, flags);
  FFTW(free)(values);
  FFTW(free)(reals);
  return plan;
}

/* `width` columns side by side, in place in a strip without gaps. */
static void *
NAMED(plan_columns)(DebyeFourierRows direction, size_t length, size_t n_columns)
{
  const int n = (int)length, width = (int)n_columns;
  FFTW(complex) *strip = FFTW(alloc_complex)(length * n_columns);
  if (strip == NULL)
    return NULL;
  void *plan =
      FFTW(plan_many_dft)(1, &n, width, strip, NULL, width, 1, strip, NULL, width, 1,
                          direction == DEBYE_FOURIER_FORWARD ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
  FFTW(free)(strip);
  return plan;
}

static void
NAMED(execute)(DebyeFourierRows kind, void *plan, void *in, void *out)
{
  if (kind == DEBYE_FOURIER_REAL_FORWARD)
    FFTW(execute_dft_r2c)(plan, in, out);
  else if (kind == DEBYE_FOURIER_REAL_BACKWARD)
    FFTW(execute_dft_c2r)(plan, in, out);
  else
    FFTW(execute_dft)(plan, in, out);
}

static void
NAMED(destroy_plan)(void *plan)
{
  if (plan != NULL)
    FFTW(destroy_plan)(plan);
}

static const Precision NAMED(precision) = {
    .real_bytes = sizeof(REAL),
    .plan_rows = NAMED(plan_rows),
    .plan_columns = NAMED(plan_columns),
    .execute = NAMED(execute),
    .destroy_plan = NAMED(destroy_plan),
};
