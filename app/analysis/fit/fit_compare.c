/* SPDX-License-Identifier: MIT */
/* Implementation of fit_compare.h. */
#include "fit_compare.h"

#include <math.h>

#include "data/files/error.h"

/* The model as a law: linear between its points, and level before the first, as I(q) is at small q. */
static double
interpolate(double q, gconstpointer data)
{
  DebyeCurve *model = (DebyeCurve *)data;
  const double *x = debye_curve_get_x(model), *y = debye_curve_get_y(model);
  gsize low = 0, high = debye_curve_get_n_points(model) - 1;
  if (q <= x[low])
    return y[low];
  if (q > x[high])
    return NAN;
  while (high - low > 1) {
    const gsize middle = (low + high) / 2;
    if (x[middle] < q)
      low = middle;
    else
      high = middle;
  }
  return y[low] + (q - x[low]) / (x[high] - x[low]) * (y[high] - y[low]);
}

/* The model at the q of the points, blurred as they are; NAN outside the model. Linear between its points. */
static DebyeCurve *
blur_model(DebyeCurve *model, const DebyeFitPoints *points)
{
  const gsize n_model = debye_curve_get_n_points(model);
  const double first = n_model > 0 ? debye_curve_get_x(model)[0] : INFINITY;
  g_autofree double *y = g_new(double, points->n + 1);
  for (gsize i = 0; i < points->n; i++)
    y[i] = points->q[i] < first ? (double)NAN
                                : debye_fit_smear(interpolate, model, points->q[i],
                                                  points->width != NULL ? points->width[i] : 0.0);
  return debye_curve_new(debye_curve_get_name(model), debye_curve_get_x_quantity(model),
                         debye_curve_get_y_quantity(model), DEBYE_CURVE_LINE, points->n, points->q, y, NULL);
}

gboolean
debye_fit_compare(DebyeCurve *model, const DebyeFitPoints *points, const char *name, const char *unit,
                  DebyeCurveFit *fit, DebyeCurve **curve, GError **error)
{
  const DebyeQuantity q = {"q", "q", "Å⁻¹"}, intensity = {"comparison", "I(q)", unit};
  g_autoptr(DebyeCurve) blurred = blur_model(model, points);
  g_autoptr(DebyeCurve) measured = debye_curve_new(name, &q, &intensity, DEBYE_CURVE_MARKERS, points->n,
                                                   points->q, points->intensity, points->error);
  if (!debye_curve_fit_line(measured, blurred, fit))
    return debye_error_set(
        error, DEBYE_ERROR_VALUE,
        "%s can't be fitted to %s: expected three or more q that both have, and a positive scale",
        debye_curve_get_name(model), name);
  g_autofree double *y = g_new(double, points->n + 1);
  for (gsize i = 0; i < points->n; i++)
    y[i] = fit->scale * debye_curve_get_y(blurred)[i] + fit->background;
  *curve = debye_curve_new(debye_curve_get_name(model), &q, &intensity, DEBYE_CURVE_LINE, points->n,
                           points->q, y, NULL);
  return TRUE;
}
