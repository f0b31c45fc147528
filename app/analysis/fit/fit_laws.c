/* SPDX-License-Identifier: MIT */
/* Implementation of fit_laws.h. */
#include "fit_laws.h"

#include <math.h>

#include "data/files/error.h"

#define MAX_ITERATIONS 50
/* Of how many σ, and of which part of itself, a first point may be off the line of the others: the law is no better than
 * that up to its limit, and precise points would show it. */
#define MAX_OFF 3.0
#define MAX_PART_OFF 0.02
/* Where I has fallen to this part, q·Rg is about 1.3. */
#define PART_OF_ZERO 0.57

/* A law that is a straight line y(x) after both were transformed. */
typedef struct {
  double (*to_x)(double q);
  DebyeFitLaw law; /* of the line */
} Line;

static double
square(double q)
{
  return q * q;
}

static double
guinier_law(double q, gconstpointer parameters)
{
  const DebyeFitLine *line = parameters;
  return exp(line->intercept + line->slope * q * q);
}

static double
power_law(double q, gconstpointer parameters)
{
  const DebyeFitLine *line = parameters;
  return exp(line->intercept) * pow(q, line->slope);
}

static const Line guinier_line = {square, guinier_law}, power_line = {log, power_law};

/* ln I of points first … end − 1 against x, all widths taken off: by the ratio of the law to its blurred self, which the
 * next fit of the line makes better. Points that aren't positive have no logarithm. */
static gboolean
fit_logarithm(const DebyeFitPoints *points, gsize first, gsize end, const Line *of, DebyeFitLine *line)
{
  const gsize n = end - first;
  g_autofree double *x = g_new(double, n + 1), *y = g_new(double, n + 1);
  g_autofree double *errors = points->error != NULL ? g_new(double, n + 1) : NULL;
  for (gsize i = 0; i < n; i++) {
    const double intensity = points->intensity[first + i];
    x[i] = of->to_x(points->q[first + i]);
    y[i] = intensity > 0.0 ? log(intensity) : (double)NAN;
    if (errors != NULL)
      errors[i] = points->error[first + i] / intensity;
  }
  if (!debye_fit_line(n, x, y, errors, line) || points->width == NULL)
    return line->n >= 3;
  for (int iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    const DebyeFitLine before = *line;
    for (gsize i = 0; i < n; i++) {
      const double q = points->q[first + i], width = points->width[first + i];
      const double ratio = of->law(q, &before) / debye_fit_smear(of->law, &before, q, width);
      if (points->intensity[first + i] > 0.0)
        y[i] = log(points->intensity[first + i] * ratio);
    }
    if (!debye_fit_line(n, x, y, errors, line))
      return FALSE;
    if (fabs(line->slope - before.slope) <= 1e-10 * fabs(line->slope))
      break;
  }
  return TRUE;
}

static gboolean
refuse_few(gsize n, const char *what, GError **error)
{
  return debye_error_set(
      error, DEBYE_ERROR_VALUE,
      "expected %d or more points with a positive intensity for %s, found %" G_GSIZE_FORMAT,
      DEBYE_FIT_LEAST_POINTS, what, n);
}

static gsize
count_positive(const DebyeFitPoints *points, gsize first, gsize end)
{
  gsize n = 0;
  for (gsize i = first; i < end; i++)
    n += points->intensity[i] > 0.0;
  return n;
}

/* --- Guinier --- */

static double
get_radius(const DebyeFitLine *line)
{
  return line->slope < 0.0 ? sqrt(-3.0 * line->slope) : 0.0;
}

/* Where I has fallen to about half of its first values: a beginning that noise of single points doesn't spoil. */
static gsize
guess_end(const DebyeFitPoints *points, gsize first)
{
  const gsize n_first = MIN(points->n - first, DEBYE_FIT_LEAST_POINTS);
  double zero = 0.0;
  for (gsize i = 0; i < n_first; i++)
    zero += points->intensity[first + i] / (double)n_first;
  gsize end = first + n_first;
  while (end < points->n) {
    const double mean =
        (points->intensity[end - 2] + points->intensity[end - 1] + points->intensity[end]) / 3.0;
    if (mean < PART_OF_ZERO * zero)
      break;
    end++;
  }
  return end;
}

/* The end for which q·Rg is 1.3 by the line up to it. FALSE where that leaves too few points or no fall. */
static gboolean
find_end(const DebyeFitPoints *points, gsize first, gsize *end, DebyeFitLine *line)
{
  *end = guess_end(points, first);
  for (int iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    if (count_positive(points, first, *end) < DEBYE_FIT_LEAST_POINTS ||
        !fit_logarithm(points, first, *end, &guinier_line, line) || get_radius(line) == 0.0)
      return FALSE;
    const double limit = DEBYE_GUINIER_LIMIT / get_radius(line);
    gsize next = first;
    while (next < points->n && points->q[next] <= limit)
      next++;
    if (next == *end)
      return TRUE;
    /* One that goes to and fro ends at the nearer. */
    *end = iteration > MAX_ITERATIONS / 2 ? MIN(next, *end) : next;
  }
  return TRUE;
}

/* Whether the first point lies off the line of those behind it: the beam's edge, or aggregates. */
static gboolean
is_first_off(const DebyeFitPoints *points, gsize first, gsize end)
{
  DebyeFitLine line;
  if (points->error == NULL || count_positive(points, first + 1, end) < DEBYE_FIT_LEAST_POINTS ||
      !fit_logarithm(points, first + 1, end, &guinier_line, &line))
    return FALSE;
  const double width = points->width != NULL ? points->width[first] : 0.0;
  const double expected = debye_fit_smear(guinier_law, &line, points->q[first], width);
  const double own = points->error[first], of_line = expected * line.intercept_error;
  return fabs(points->intensity[first] - expected) >
         MAX(MAX_OFF * hypot(own, of_line), MAX_PART_OFF * expected);
}

static gboolean
find_range(const DebyeFitPoints *points, gsize *first, gsize *end, DebyeFitLine *line, GError **error)
{
  const gsize limit = points->n / 3;
  for (*first = 0; *first <= limit; ++*first)
    if (find_end(points, *first, end, line) && !is_first_off(points, *first, *end))
      return TRUE;
  if (find_end(points, 0, end, line)) {
    *first = 0;
    return TRUE;
  }
  return debye_error_set(
      error, DEBYE_ERROR_VALUE,
      "expected %d or more points of a falling intensity below q·Rg = %.1f for Guinier's law, found fewer",
      DEBYE_FIT_LEAST_POINTS, DEBYE_GUINIER_LIMIT);
}

static gboolean
take_range(const DebyeFitPoints *points, const DebyeFitRange *range, gsize *first, gsize *end,
           DebyeFitLine *line, GError **error)
{
  debye_fit_points_find(points, range, first, end);
  const gsize n = count_positive(points, *first, *end);
  if (n < DEBYE_FIT_LEAST_POINTS || !fit_logarithm(points, *first, *end, &guinier_line, line))
    return refuse_few(n, "Guinier's law", error);
  return get_radius(line) > 0.0 ||
         debye_error_set(error, DEBYE_ERROR_VALUE,
                         "expected an intensity that falls with q for Guinier's law, found one that doesn't");
}

gboolean
debye_fit_guinier(const DebyeFitPoints *points, const DebyeFitRange *range, DebyeGuinierFit *fit,
                  GError **error)
{
  gsize first, end;
  DebyeFitLine line;
  if (points->n < DEBYE_FIT_LEAST_POINTS)
    return refuse_few(points->n, "Guinier's law", error);
  if (!(range != NULL ? take_range(points, range, &first, &end, &line, error)
                      : find_range(points, &first, &end, &line, error)))
    return FALSE;
  const double radius = get_radius(&line), zero = exp(line.intercept);
  *fit = (DebyeGuinierFit){
      .range = {points->q[first], points->q[end - 1]},
      .n = line.n,
      .radius = radius,
      .radius_error = 1.5 * line.slope_error / radius,
      .zero = zero,
      .zero_error = zero * line.intercept_error,
      .chi_square = line.chi_square,
  };
  return TRUE;
}

/* --- A power --- */

gboolean
debye_fit_power(const DebyeFitPoints *points, const DebyeFitRange *range, DebyePowerFit *fit, GError **error)
{
  gsize first, end;
  DebyeFitLine line;
  debye_fit_points_find(points, range, &first, &end);
  const gsize n = count_positive(points, first, end);
  if (n < DEBYE_FIT_LEAST_POINTS || !fit_logarithm(points, first, end, &power_line, &line))
    return refuse_few(n, "a power law", error);
  *fit = (DebyePowerFit){
      .range = {points->q[first], points->q[end - 1]},
      .n = line.n,
      .exponent = -line.slope,
      .exponent_error = line.slope_error,
      .factor = exp(line.intercept),
      .chi_square = line.chi_square,
  };
  return TRUE;
}

/* --- Porod --- */

static double
inverse_fourth(double q, gconstpointer parameters G_GNUC_UNUSED)
{
  return 1.0 / (q * q * q * q);
}

static void
fit_without_background(gsize n, const double *x, const double *y, const double *errors, DebyeFitLine *line)
{
  double cross = 0.0, square = 0.0, residual = 0.0;
  for (gsize i = 0; i < n; i++) {
    const double w = 1.0 / (errors[i] * errors[i]);
    cross += w * x[i] * y[i];
    square += w * x[i] * x[i];
  }
  line->intercept = 0.0;
  line->slope = cross / square;
  for (gsize i = 0; i < n; i++) {
    const double d = (y[i] - line->slope * x[i]) / errors[i];
    residual += d * d / (double)(n - 1);
  }
  line->slope_error = sqrt(1.0 / square);
  line->chi_square = residual;
}

/* Where errors aren't known, they are taken to fall as the law does: K is then the level of q⁴I. */
static gboolean
fit_tail(const DebyeFitPoints *points, gsize first, gsize end, DebyeFitLine *line)
{
  const gsize n = end - first;
  g_autofree double *x = g_new(double, n + 1);
  const double *errors = points->error != NULL ? points->error + first : x;
  for (gsize i = 0; i < n; i++)
    x[i] = debye_fit_smear(inverse_fourth, NULL, points->q[first + i],
                           points->width != NULL ? points->width[first + i] : 0.0);
  if (!debye_fit_line(n, x, points->intensity + first, errors, line))
    return FALSE;
  /* The oscillations of a compact particle would be taken for a background below zero. */
  if (line->intercept < 0.0)
    fit_without_background(n, x, points->intensity + first, errors, line);
  if (points->error == NULL) {
    line->slope_error *= sqrt(line->chi_square);
    line->chi_square = NAN;
  }
  return TRUE;
}

/* ∫ exp(−(q Rg)²/3) q² dq from 0 to q, by parts. */
static double
integrate_guinier(double radius, double q)
{
  const double a = radius * radius / 3.0;
  return sqrt(G_PI) / (4.0 * pow(a, 1.5)) * erf(sqrt(a) * q) - q * exp(-a * q * q) / (2.0 * a);
}

/* Trapezia over the points; *variance: of the sum, from the points' errors. */
static double
integrate_points(const DebyeFitPoints *points, double background, double *variance)
{
  double sum = 0.0;
  *variance = 0.0;
  for (gsize i = 0; i < points->n; i++) {
    const double low = points->q[i > 0 ? i - 1 : 0], high = points->q[MIN(i + 1, points->n - 1)];
    const double weight = 0.5 * (high - low) * points->q[i] * points->q[i];
    sum += weight * (points->intensity[i] - background);
    if (points->error != NULL)
      *variance += weight * weight * points->error[i] * points->error[i];
  }
  return sum;
}

static void
complete_porod(const DebyeFitPoints *points, const DebyeGuinierFit *guinier, DebyePorodFit *fit)
{
  double variance;
  const double zero = guinier->zero - fit->background;
  fit->invariant = integrate_points(points, fit->background, &variance) +
                   zero * integrate_guinier(guinier->radius, points->q[0]) +
                   MAX(fit->constant, 0.0) / points->q[points->n - 1];
  fit->volume = fit->invariant > 0.0 ? 2.0 * G_PI * G_PI * zero / fit->invariant : (double)NAN;
  fit->volume_error = fit->volume * hypot(guinier->zero_error / zero, sqrt(variance) / fit->invariant);
  fit->surface_per_volume = fit->constant > 0.0 ? G_PI * fit->constant / fit->invariant : (double)NAN;
}

gboolean
debye_fit_porod(const DebyeFitPoints *points, const DebyeFitRange *range, const DebyeGuinierFit *guinier,
                DebyePorodFit *fit, GError **error)
{
  gsize first, end;
  DebyeFitLine line = {0};
  const double last = points->n > 0 ? points->q[points->n - 1] : 0.0;
  const DebyeFitRange found = {last - (last - points->q[0]) / 3.0, last};
  debye_fit_points_find(points, range != NULL ? range : &found, &first, &end);
  if (end - first < DEBYE_FIT_LEAST_POINTS || !fit_tail(points, first, end, &line))
    return refuse_few(end - first, "Porod's law", error);
  *fit = (DebyePorodFit){
      .range = {points->q[first], points->q[end - 1]},
      .n = line.n,
      .constant = line.slope,
      .constant_error = line.slope_error,
      .background = line.intercept,
      .chi_square = line.chi_square,
  };
  complete_porod(points, guinier, fit);
  return TRUE;
}
