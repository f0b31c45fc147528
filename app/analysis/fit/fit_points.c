/* SPDX-License-Identifier: MIT */
/* Implementation of fit_points.h: which points of a curve count, straight lines, and the blur of an instrument. */
#include "fit_points.h"

#include <math.h>

#include "data/files/error.h"

/* --- Points --- */

static gboolean
is_masked(double q, const GArray *masks)
{
  for (guint i = 0; masks != NULL && i < masks->len; i++) {
    const DebyeFitRange *mask = &g_array_index(masks, DebyeFitRange, i);
    if (q >= mask->low && q <= mask->high)
      return TRUE;
  }
  return FALSE;
}

/* One error that isn't known makes all weights meaningless. */
static void
drop_unknown(double **values, gsize n, double least)
{
  for (gsize i = 0; *values != NULL && i < n; i++)
    if (!isfinite((*values)[i]) || (*values)[i] < least)
      g_clear_pointer(values, g_free);
}

gboolean
debye_fit_points_init(DebyeFitPoints *points, DebyeCurve *curve, const DebyeFitRange *range,
                      const GArray *masks, GError **error)
{
  const double *x = debye_curve_get_x(curve), *y = debye_curve_get_y(curve);
  const double *errors = debye_curve_get_errors(curve), *widths = debye_curve_get_resolution(curve);
  const gsize n = debye_curve_get_n_points(curve);
  *points = (DebyeFitPoints){.q = g_new(double, n + 1), .intensity = g_new(double, n + 1)};
  points->error = errors != NULL ? g_new(double, n + 1) : NULL;
  points->width = widths != NULL ? g_new(double, n + 1) : NULL;
  if (!debye_curve_is_ordered(curve))
    return debye_error_set(error, DEBYE_ERROR_VALUE, "%s: expected q in ascending order, found others",
                           debye_curve_get_name(curve));
  for (gsize i = 0; i < n; i++) {
    if (!(x[i] > 0.0) || !isfinite(y[i]) || x[i] < range->low || x[i] > range->high || is_masked(x[i], masks))
      continue;
    points->q[points->n] = x[i];
    points->intensity[points->n] = y[i];
    if (errors != NULL)
      points->error[points->n] = errors[i];
    if (widths != NULL)
      points->width[points->n] = widths[i];
    points->n++;
  }
  drop_unknown(&points->error, points->n, G_MINDOUBLE);
  drop_unknown(&points->width, points->n, 0.0);
  return TRUE;
}

void
debye_fit_points_clear(DebyeFitPoints *points)
{
  g_clear_pointer(&points->q, g_free);
  g_clear_pointer(&points->intensity, g_free);
  g_clear_pointer(&points->error, g_free);
  g_clear_pointer(&points->width, g_free);
  points->n = 0;
}

void
debye_fit_points_find(const DebyeFitPoints *points, const DebyeFitRange *range, gsize *first, gsize *end)
{
  *first = 0;
  while (*first < points->n && points->q[*first] < range->low)
    ++*first;
  *end = *first;
  while (*end < points->n && points->q[*end] <= range->high)
    ++*end;
}

/* --- Lines --- */

static double
get_weight(const double *x, const double *y, const double *errors, gsize i)
{
  if (!isfinite(x[i]) || !isfinite(y[i]))
    return 0.0;
  if (errors == NULL)
    return 1.0;
  return errors[i] > 0.0 && isfinite(errors[i]) ? 1.0 / (errors[i] * errors[i]) : 0.0;
}

/* About the means, which costs no digits. */
gboolean
debye_fit_line(gsize n, const double *x, const double *y, const double *errors, DebyeFitLine *line)
{
  double weight = 0.0, mean_x = 0.0, mean_y = 0.0, square = 0.0, cross = 0.0, residual = 0.0;
  *line = (DebyeFitLine){0};
  for (gsize i = 0; i < n; i++) {
    const double w = get_weight(x, y, errors, i);
    if (w == 0.0)
      continue;
    weight += w;
    mean_x += w * (x[i] - mean_x) / weight;
    mean_y += w * (y[i] - mean_y) / weight;
    line->n++;
  }
  for (gsize i = 0; i < n; i++) {
    const double w = get_weight(x, y, errors, i);
    square += w > 0.0 ? w * (x[i] - mean_x) * (x[i] - mean_x) : 0.0;
    cross += w > 0.0 ? w * (x[i] - mean_x) * (y[i] - mean_y) : 0.0;
  }
  if (line->n < 3 || !(square > 0.0))
    return FALSE;
  line->slope = cross / square;
  line->intercept = mean_y - line->slope * mean_x;
  for (gsize i = 0; i < n; i++) {
    const double w = get_weight(x, y, errors, i), d = y[i] - line->intercept - line->slope * x[i];
    residual += w > 0.0 ? w * d * d : 0.0;
  }
  const double reduced = residual / (double)(line->n - 2), scale = errors != NULL ? 1.0 : reduced;
  line->chi_square = errors != NULL ? reduced : (double)NAN;
  line->deviation = sqrt(residual / weight);
  line->slope_error = sqrt(scale / square);
  line->intercept_error = sqrt(scale * (1.0 / weight + mean_x * mean_x / square));
  return TRUE;
}

/* --- Resolution --- */

/* Abramowitz and Stegun, table 25.10, n = 9: zeros and weights/√π, for ∫ exp(−t²) f(t) dt/√π. */
static const double nodes[] = {0.0, 0.723551018752838, 1.468553289216668, 2.266580584531843,
                               3.190993201781528};
static const double weights[] = {0.40634920634920635, 0.24409750289493944, 0.04991640676521788,
                                 0.002789141321231769, 2.234584400774658e-05};

double
debye_fit_smear(DebyeFitLaw law, gconstpointer parameters, double q, double width)
{
  double sum = weights[0] * law(q, parameters);
  if (!(width > 0.0))
    return law(q, parameters);
  for (gsize i = 1; i < G_N_ELEMENTS(nodes); i++) {
    const double step = G_SQRT2 * width * nodes[i];
    sum += weights[i] * (law(q + step, parameters) + law(fabs(q - step), parameters));
  }
  return sum;
}
