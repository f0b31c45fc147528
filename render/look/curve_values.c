/* SPDX-License-Identifier: MIT */
/* Implementation of curve_values.h; called by plot_look.c. */
#include "curve_values.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/results/curve_fit.h"
#include "render/plot/plot_text.h"

/* Of the axis of residuals, by the largest one. */
#define ROOM 1.35

/* --- Division --- */

/* The point of the divisor; the number of points: no value is finite. */
static gsize
find_divisor(DebyeCurve *curve, DebyeLookDivisor divisor)
{
  const double *y = debye_curve_get_y(curve);
  const gsize n = debye_curve_get_n_points(curve);
  gsize found = n;
  for (gsize i = 0; i < n && (found == n || divisor == DEBYE_LOOK_BY_LARGEST); i++)
    if (isfinite(y[i]) && (found == n || y[i] > y[found]))
      found = i;
  return found;
}

/* "F(q, 0)" of "F(q, τ)/N", whose last argument is what the curves go over. */
static char *
name_first(const char *symbol, double x)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const char *end = strrchr(symbol, ')'), *bracket = strchr(symbol, '(');
  g_ascii_formatd(number, sizeof number, "%.4g", x);
  if (end == NULL || bracket == NULL)
    return g_strconcat(symbol, "(", number, ")", NULL);
  const char *comma = strrchr(bracket, ',');
  const gsize length = (gsize)((comma != NULL ? comma + 1 : bracket) - symbol) + (comma == NULL);
  g_autofree char *start = g_strndup(symbol, length);
  return g_strconcat(start, comma != NULL ? " " : "", number, ")", NULL);
}

static void
set_label(DebyePlot *plot, DebyeCurve *curve, DebyeLookDivisor divisor, double x)
{
  const DebyeQuantity *y = debye_curve_get_y_quantity(curve);
  const char *bracket = strchr(y->label, ')'), *slash = strchr(bracket != NULL ? bracket : y->label, '/');
  g_autofree char *symbol = g_strndup(y->label, slash != NULL ? (gsize)(slash - y->label) : strlen(y->label));
  g_autofree char *below =
      divisor == DEBYE_LOOK_BY_FIRST ? name_first(symbol, x) : g_strconcat("max ", symbol, NULL);
  g_autofree char *label = g_strconcat(symbol, "/", below, NULL);
  g_autofree char *markup = debye_plot_text_from_quantity(&(DebyeQuantity){y->name, label, ""});
  debye_plot_set_label(plot, DEBYE_PLOT_Y, markup);
}

gboolean
debye_look_divide(DebyePlot *plot, DebyeLookDivisor divisor, GError **error)
{
  gboolean has_label = FALSE;
  for (gsize i = 0; i < debye_plot_get_n_series(plot); i++) {
    const guint series = debye_plot_get_series(plot, i);
    DebyeCurve *curve = debye_plot_get_curve(plot, series);
    const gsize at = find_divisor(curve, divisor);
    if (debye_plot_get_series_axis(plot, series) != DEBYE_PLOT_Y || at == debye_curve_get_n_points(curve))
      continue;
    const double value = debye_curve_get_y(curve)[at];
    if (!isfinite(1.0 / value))
      return debye_error_set(error, DEBYE_ERROR_VALUE,
                             divisor == DEBYE_LOOK_BY_FIRST
                                 ? "--divide first: the first value of %s is 0. Use --divide largest."
                                 : "--divide largest: the largest value of %s is 0. Leave out --divide.",
                             debye_curve_get_name(curve));
    if (!has_label)
      set_label(plot, curve, divisor, debye_curve_get_x(curve)[at]);
    has_label = TRUE;
    g_autoptr(DebyeCurve) divided = debye_curve_scale(curve, 1.0 / value);
    debye_plot_replace_curve(plot, series, divided);
  }
  debye_plot_clear_marks(plot);
  return TRUE;
}

/* --- Residuals --- */

static gboolean
is_measured(DebyeCurve *curve)
{
  return debye_curve_get_style(curve) == DEBYE_CURVE_MARKERS;
}

static gboolean
is_model(DebyePlot *plot, guint series)
{
  DebyeCurve *curve = debye_plot_get_curve(plot, series);
  return !is_measured(curve) && debye_curve_is_ordered(curve) &&
         debye_plot_get_series_visible(plot, series) &&
         debye_plot_get_series_axis(plot, series) == DEBYE_PLOT_Y && debye_curve_get_n_points(curve) > 0;
}

/* "O–O" of “300 K: O–O”, see result_plot.c. */
static const char *
get_own_name(DebyeCurve *curve)
{
  const char *of = debye_curve_get_of(curve);
  return of != NULL ? of : debye_curve_get_name(curve);
}

/* The first computed curve, of that name unless it is NULL. */
static DebyeCurve *
find_model(DebyePlot *plot, const char *name)
{
  for (gsize i = 0; i < debye_plot_get_n_series(plot); i++) {
    const guint series = debye_plot_get_series(plot, i);
    DebyeCurve *curve = debye_plot_get_curve(plot, series);
    if (is_model(plot, series) && (name == NULL || strcmp(get_own_name(curve), name) == 0))
      return curve;
  }
  return NULL;
}

/* Linear between its points; NAN beyond them. */
static double
interpolate(DebyeCurve *model, double at)
{
  const double *x = debye_curve_get_x(model), *y = debye_curve_get_y(model);
  gsize low = 0, high = debye_curve_get_n_points(model) - 1;
  if (!(at >= x[low] && at <= x[high]))
    return NAN;
  while (high - low > 1) {
    const gsize middle = (low + high) / 2;
    *(x[middle] <= at ? &low : &high) = middle;
  }
  if (high == low || x[high] == x[low])
    return y[low];
  return y[low] + (at - x[low]) / (x[high] - x[low]) * (y[high] - y[low]);
}

static gboolean
has_errors(DebyeCurve *curve)
{
  const double *errors = debye_curve_get_errors(curve);
  gboolean are_known = errors != NULL;
  for (gsize i = 0; are_known && i < debye_curve_get_n_points(curve); i++)
    are_known = isfinite(errors[i]) && errors[i] > 0.0;
  return are_known;
}

static DebyeCurve *
create_residual(DebyeCurve *measured, DebyeCurve *model)
{
  static const DebyeQuantity in_errors = {"residual", "Δ/σ", ""};
  const gsize n = debye_curve_get_n_points(measured);
  const double *x = debye_curve_get_x(measured), *y = debye_curve_get_y(measured);
  const double *errors = has_errors(measured) ? debye_curve_get_errors(measured) : NULL;
  const DebyeQuantity plain = {"residual", "Δ", debye_curve_get_y_quantity(model)->unit};
  g_autofree double *off = g_new(double, n + 1);
  for (gsize i = 0; i < n; i++)
    off[i] = (y[i] - interpolate(model, x[i])) / (errors != NULL ? errors[i] : 1.0);
  return debye_curve_new(debye_curve_get_name(measured), debye_curve_get_x_quantity(measured),
                         errors != NULL ? &in_errors : &plain, DEBYE_CURVE_MARKERS, n, x, off, NULL);
}

/* Even about zero, with a number on each side: a frame as low as that has room for no more. */
static void
set_residual_axis(DebyePlot *below)
{
  static const double steps[] = {5.0, 3.0, 2.0, 1.0};
  double largest = 0.0;
  for (gsize i = 0; i < debye_plot_get_n_series(below); i++) {
    DebyeCurve *curve = debye_plot_get_curve(below, debye_plot_get_series(below, i));
    for (gsize k = 0; k < debye_curve_get_n_points(curve); k++)
      if (isfinite(debye_curve_get_y(curve)[k]))
        largest = fmax(largest, fabs(debye_curve_get_y(curve)[k]));
  }
  if (!(largest > 0.0))
    return;
  const double end = ROOM * largest, power = pow(10.0, floor(log10(end)));
  double step = 10.0 * power;
  for (gsize i = 0; i < G_N_ELEMENTS(steps); i++)
    step = 2.0 * steps[i] * power > end ? steps[i] * power : step;
  debye_plot_set_view(below, DEBYE_PLOT_Y, -end, end);
  debye_plot_set_ticks(below, DEBYE_PLOT_Y, &(DebyePlotTickChoice){.step = step});
}

static void
add_below(DebyePlot *plot, guint series, DebyePlot *below, DebyeCurve *difference)
{
  const guint own = debye_plot_add_curve(below, difference, DEBYE_PLOT_Y);
  debye_plot_copy_series_look(plot, series, below, own);
}

/* FALSE: nothing was measured. */
static gboolean
add_measured(DebyePlot *plot, DebyePlot *below)
{
  DebyeCurve *model = find_model(plot, NULL);
  gboolean are_any = FALSE;
  for (gsize i = 0; i < debye_plot_get_n_series(plot); i++) {
    const guint series = debye_plot_get_series(plot, i);
    DebyeCurve *curve = debye_plot_get_curve(plot, series);
    if (!is_measured(curve) || !debye_plot_get_series_visible(plot, series))
      continue;
    are_any = TRUE;
    if (model == NULL)
      continue;
    g_autoptr(DebyeCurve) residual = create_residual(curve, model);
    add_below(plot, series, below, residual);
  }
  return are_any;
}

/* --- Differences of computed curves --- */

/* Both errors; NULL: they are not known of both over the same points. */
static double *
combine_errors(DebyeCurve *curve, DebyeCurve *first)
{
  const gsize n = debye_curve_get_n_points(curve);
  const double *own = debye_curve_get_errors(curve), *other = debye_curve_get_errors(first);
  if (own == NULL || other == NULL || debye_curve_get_n_points(first) != n ||
      memcmp(debye_curve_get_x(curve), debye_curve_get_x(first), n * sizeof *own) != 0)
    return NULL;
  double *errors = g_new(double, n);
  for (gsize i = 0; i < n; i++)
    errors[i] = hypot(own[i], other[i]);
  return errors;
}

static DebyeCurve *
create_difference(DebyeCurve *curve, DebyeCurve *first)
{
  const gsize n = debye_curve_get_n_points(curve);
  const double *x = debye_curve_get_x(curve), *y = debye_curve_get_y(curve);
  const DebyeQuantity delta = {"difference", "Δ", debye_curve_get_y_quantity(first)->unit};
  g_autofree double *off = g_new(double, n + 1), *errors = combine_errors(curve, first);
  for (gsize i = 0; i < n; i++)
    off[i] = y[i] - interpolate(first, x[i]);
  return debye_curve_new(debye_curve_get_name(curve), debye_curve_get_x_quantity(curve), &delta,
                         debye_curve_get_style(curve), n, x, off, errors);
}

static void
add_computed(DebyePlot *plot, DebyePlot *below, gboolean by_name)
{
  for (gsize i = 0; i < debye_plot_get_n_series(plot); i++) {
    const guint series = debye_plot_get_series(plot, i);
    DebyeCurve *curve = debye_plot_get_curve(plot, series);
    DebyeCurve *first =
        is_model(plot, series) ? find_model(plot, by_name ? get_own_name(curve) : NULL) : NULL;
    if (first == NULL || first == curve)
      continue;
    g_autoptr(DebyeCurve) difference = create_difference(curve, first);
    add_below(plot, series, below, difference);
  }
}

gboolean
debye_look_add_residuals(DebyePlot *plot)
{
  g_autoptr(DebyePlot) below = debye_plot_new();
  if (!add_measured(plot, below)) {
    add_computed(plot, below, TRUE);
    if (debye_plot_get_n_series(below) == 0)
      add_computed(plot, below, FALSE);
  }
  if (debye_plot_get_n_series(below) == 0)
    return FALSE;
  set_residual_axis(below);
  debye_plot_add_reference(below, DEBYE_PLOT_Y, 0.0, NULL);
  debye_plot_set_below(plot, below);
  return TRUE;
}
