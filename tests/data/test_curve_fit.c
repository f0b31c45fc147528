/* SPDX-License-Identifier: MIT */
/* A factor and a background found again, with the χ² that the deviations were made with. */
#include <math.h>

#include "data/results/curve_fit.h"

#define N 50

static const DebyeQuantity x_quantity = {"q", "q", "Å⁻¹"}, y_quantity = {"intensity", "I(q)", NULL};

static double
model_at(double x)
{
  return 1.0 + 2.0 * x; /* straight: interpolation is exact */
}

static DebyeCurve *
make_model(void)
{
  double x[N], y[N];
  for (gsize i = 0; i < N; i++) {
    x[i] = 0.1 * (double)i;
    y[i] = model_at(x[i]);
  }
  return debye_curve_new("model", &x_quantity, &y_quantity, DEBYE_CURVE_LINE, N, x, y, NULL);
}

/* Pairs of points at ± deviation errors from the line: each counts deviation², and the line stays the best.
 */
static DebyeCurve *
make_measured(double scale, double background, double deviation, gboolean with_errors)
{
  double x[2 * N], y[2 * N], errors[2 * N];
  for (gsize i = 0; i < 2 * N; i++) {
    x[i] = 0.05 + 0.09 * (double)(i / 2);
    errors[i] = 0.01 * (1.0 + (double)(i / 2 % 3));
    y[i] = scale * model_at(x[i]) + background + (i % 2 == 0 ? deviation : -deviation) * errors[i];
  }
  return debye_curve_new("measured", &x_quantity, &y_quantity, DEBYE_CURVE_MARKERS, 2 * N, x, y,
                         with_errors ? errors : NULL);
}

static void
test_line(void)
{
  g_autoptr(DebyeCurve) model = make_model();
  g_autoptr(DebyeCurve) measured = make_measured(3.5, 1000.0, 1.5, TRUE);
  DebyeCurveFit fit;
  g_assert_true(debye_curve_fit_line(measured, model, &fit));
  /* Rounding of values about 1e3, weighed by 1e4. */
  g_assert_cmpfloat_with_epsilon(fit.scale, 3.5, 1e-9);
  g_assert_cmpfloat_with_epsilon(fit.background, 1000.0, 1e-8);
  g_assert_cmpuint(fit.n_points, ==, 2 * N);
  g_assert_cmpfloat_with_epsilon(fit.chi_square, 1.5 * 1.5 * 2.0 * N / (2.0 * N - 2.0), 1e-7);
  g_autoptr(DebyeCurve) applied = debye_curve_apply_fit(measured, &fit);
  const double *x = debye_curve_get_x(applied), *y = debye_curve_get_y(applied);
  g_assert_cmpfloat_with_epsilon(0.5 * (y[10] + y[11]), model_at(x[10]), 1e-8);
  g_assert_cmpfloat_with_epsilon(debye_curve_get_errors(applied)[0], 0.01 / 3.5, 1e-12);
}

static void
test_without_errors(void)
{
  g_autoptr(DebyeCurve) model = make_model();
  g_autoptr(DebyeCurve) measured = make_measured(0.25, -2.0, 0.0, FALSE);
  DebyeCurveFit fit;
  g_assert_true(debye_curve_fit_line(measured, model, &fit));
  g_assert_cmpfloat_with_epsilon(fit.scale, 0.25, 1e-12);
  g_assert_cmpfloat_with_epsilon(fit.background, -2.0, 1e-12);
  g_assert_true(isnan(fit.chi_square));
}

/* A constant has no shape to scale, and a mirrored curve is no fit. */
static void
test_refusals(void)
{
  static const double x[] = {0.0, 1.0, 2.0, 3.0}, ones[] = {1.0, 1.0, 1.0, 1.0},
                      far[] = {7.0, 8.0, 9.0, 10.0};
  g_autoptr(DebyeCurve) model = make_model();
  g_autoptr(DebyeCurve) mirrored = make_measured(-1.0, 0.0, 0.0, TRUE);
  g_autoptr(DebyeCurve) flat =
      debye_curve_new("flat", &x_quantity, &y_quantity, DEBYE_CURVE_LINE, 4, x, ones, NULL);
  g_autoptr(DebyeCurve) apart =
      debye_curve_new("apart", &x_quantity, &y_quantity, DEBYE_CURVE_LINE, 4, far, ones, NULL);
  DebyeCurveFit fit;
  g_assert_false(debye_curve_fit_line(mirrored, model, &fit));
  g_assert_false(debye_curve_fit_line(model, flat, &fit));
  g_assert_false(debye_curve_fit_line(apart, model, &fit));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/curve-fit/line", test_line);
  g_test_add_func("/curve-fit/without-errors", test_without_errors);
  g_test_add_func("/curve-fit/refusals", test_refusals);
  return g_test_run();
}
