/* SPDX-License-Identifier: MIT */
/* Implementation of curve_fit.h: least squares with a factor, or a factor and a background, for measured
 * curves. */
#include "curve_fit.h"

#include <math.h>

/* The model at x, on the straight line between its neighbours; NAN outside and in gaps. `near` is where the
 * last search ended. */
static double
interpolate(DebyeCurve *model, double x, gsize *near)
{
  const double *xs = debye_curve_get_x(model), *ys = debye_curve_get_y(model);
  gsize n = debye_curve_get_n_points(model);
  while (*near + 1 < n && xs[*near + 1] < x)
    (*near)++;
  gsize i = *near;
  if (i + 1 >= n || x < xs[i])
    return NAN;
  double width = xs[i + 1] - xs[i];
  double part = width > 0.0 ? (x - xs[i]) / width : 0.0;
  return ys[i] + part * (ys[i + 1] - ys[i]);
}

static gboolean
has_weights(DebyeCurve *curve)
{
  const double *errors = debye_curve_get_errors(curve);
  for (gsize i = 0; errors != NULL && i < debye_curve_get_n_points(curve); i++)
    if (!(errors[i] > 0.0) || !isfinite(errors[i]))
      return FALSE;
  return errors != NULL;
}

gboolean
debye_curve_fit_scale(DebyeCurve *measured, DebyeCurve *model, double *factor)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(measured) && DEBYE_IS_CURVE(model) && factor != NULL, FALSE);
  const double *x = debye_curve_get_x(measured), *y = debye_curve_get_y(measured);
  const double *errors = has_weights(measured) ? debye_curve_get_errors(measured) : NULL;
  double cross = 0.0, square = 0.0;
  gsize near = 0;
  if (!debye_curve_is_ordered(measured) || !debye_curve_is_ordered(model))
    return FALSE;
  for (gsize i = 0; i < debye_curve_get_n_points(measured); i++) {
    double f = interpolate(model, x[i], &near);
    double weight = errors != NULL ? 1.0 / (errors[i] * errors[i]) : 1.0;
    if (!isfinite(f) || !isfinite(y[i]))
      continue;
    cross += weight * y[i] * f;
    square += weight * y[i] * y[i];
  }
  *factor = cross / square;
  return isfinite(*factor) && *factor != 0.0;
}

/* Sums about the means, so that a background much above the signal costs no digits. */
typedef struct {
  double weight, model, value;     /* Σw, Σwf, Σwy */
  double square, cross, deviation; /* Σw(f − f̄)², Σw(f − f̄)(y − ȳ), Σw(y − s·f − b)² */
  gsize n;
} LineSums;

typedef void (*PointFunc)(LineSums *sums, double weight, double f, double y, const DebyeCurveFit *fit);

static void
add_mean(LineSums *sums, double weight, double f, double y, const DebyeCurveFit *fit G_GNUC_UNUSED)
{
  sums->weight += weight;
  sums->model += weight * f;
  sums->value += weight * y;
  sums->n++;
}

static void
add_moment(LineSums *sums, double weight, double f, double y, const DebyeCurveFit *fit G_GNUC_UNUSED)
{
  double df = f - sums->model / sums->weight;
  sums->square += weight * df * df;
  sums->cross += weight * df * (y - sums->value / sums->weight);
}

static void
add_deviation(LineSums *sums, double weight, double f, double y, const DebyeCurveFit *fit)
{
  double d = y - fit->scale * f - fit->background;
  sums->deviation += weight * d * d;
}

static void
for_each_shared_point(DebyeCurve *measured, DebyeCurve *model, PointFunc add, LineSums *sums,
                      const DebyeCurveFit *fit)
{
  const double *x = debye_curve_get_x(measured), *y = debye_curve_get_y(measured);
  const double *errors = has_weights(measured) ? debye_curve_get_errors(measured) : NULL;
  gsize near = 0;
  for (gsize i = 0; i < debye_curve_get_n_points(measured); i++) {
    double f = interpolate(model, x[i], &near);
    if (isfinite(f) && isfinite(y[i]))
      add(sums, errors != NULL ? 1.0 / (errors[i] * errors[i]) : 1.0, f, y[i], fit);
  }
}

gboolean
debye_curve_fit_line(DebyeCurve *measured, DebyeCurve *model, DebyeCurveFit *fit)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(measured) && DEBYE_IS_CURVE(model) && fit != NULL, FALSE);
  LineSums sums = {0};
  if (!debye_curve_is_ordered(measured) || !debye_curve_is_ordered(model))
    return FALSE;
  for_each_shared_point(measured, model, add_mean, &sums, NULL);
  if (sums.n < 3)
    return FALSE;
  for_each_shared_point(measured, model, add_moment, &sums, NULL);
  fit->scale = sums.cross / sums.square;
  fit->background = (sums.value - fit->scale * sums.model) / sums.weight;
  fit->n_points = sums.n;
  if (!isfinite(fit->scale) || !(fit->scale > 0.0) || !isfinite(fit->background))
    return FALSE;
  for_each_shared_point(measured, model, add_deviation, &sums, fit);
  fit->chi_square = has_weights(measured) ? sums.deviation / (double)(sums.n - 2) : (double)NAN;
  return TRUE;
}

static DebyeCurve *
transform(DebyeCurve *curve, double factor, double offset)
{
  gsize n = debye_curve_get_n_points(curve);
  const double *y = debye_curve_get_y(curve), *errors = debye_curve_get_errors(curve);
  g_autofree double *values = g_new(double, n + 1);
  g_autofree double *deviations = errors != NULL ? g_new(double, n + 1) : NULL;
  for (gsize i = 0; i < n; i++) {
    values[i] = factor * y[i] + offset;
    if (errors != NULL)
      deviations[i] = fabs(factor) * errors[i];
  }
  return debye_curve_new(debye_curve_get_name(curve), debye_curve_get_x_quantity(curve),
                         debye_curve_get_y_quantity(curve), debye_curve_get_style(curve), n,
                         debye_curve_get_x(curve), values, deviations);
}

DebyeCurve *
debye_curve_apply_fit(DebyeCurve *curve, const DebyeCurveFit *fit)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(curve) && fit != NULL, NULL);
  return transform(curve, 1.0 / fit->scale, -fit->background / fit->scale);
}

DebyeCurve *
debye_curve_scale(DebyeCurve *curve, double factor)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(curve), NULL);
  return transform(curve, factor, 0.0);
}
