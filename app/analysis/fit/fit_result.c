/* SPDX-License-Identifier: MIT */
/* Implementation of fit_result.h. */
#include "fit_result.h"

#include <math.h>

#define LINE_POINTS 201

static const DebyeQuantity q_quantity = {"q", "q", "Å⁻¹"}, q2_quantity = {"q2", "q²", "Å⁻²"};

/* --- The table --- */

static const DebyeQuantity columns[DEBYE_FIT_N_NUMBERS] = {
    [DEBYE_FIT_Q_MIN] = {"q_min", "from q =", "Å⁻¹"},
    [DEBYE_FIT_Q_MAX] = {"q_max", "to", "Å⁻¹"},
    [DEBYE_FIT_POINTS] = {"points", "points", NULL},
    [DEBYE_FIT_RG] = {"Rg", "Rg", "Å"},
    [DEBYE_FIT_RG_ERROR] = {"Rg_error", "±", "Å"},
    [DEBYE_FIT_I0] = {"I0", "I(0)", NULL},
    [DEBYE_FIT_I0_ERROR] = {"I0_error", "±", NULL},
    [DEBYE_FIT_MASS] = {"mass", "M", "g/mol"},
    [DEBYE_FIT_MASS_ERROR] = {"mass_error", "±", "g/mol"},
    [DEBYE_FIT_D] = {"d", "d", NULL},
    [DEBYE_FIT_D_ERROR] = {"d_error", "±", NULL},
    [DEBYE_FIT_DIMENSION] = {"dimension", "fractal dimension", NULL},
    [DEBYE_FIT_POROD_CONSTANT] = {"K", "K", NULL},
    [DEBYE_FIT_POROD_ERROR] = {"K_error", "±", NULL},
    [DEBYE_FIT_INVARIANT] = {"invariant", "Q", NULL},
    [DEBYE_FIT_VOLUME] = {"volume", "V", "Å³"},
    [DEBYE_FIT_VOLUME_ERROR] = {"volume_error", "±", "Å³"},
    [DEBYE_FIT_SURFACE] = {"surface_per_volume", "S/V", "Å⁻¹"},
    [DEBYE_FIT_D_MAX] = {"D_max", "D", "Å"},
    [DEBYE_FIT_D_MAX_ERROR] = {"D_max_error", "±", "Å"},
    [DEBYE_FIT_SCALE] = {"scale", "scale", NULL},
    [DEBYE_FIT_BACKGROUND] = {"background", "background", NULL},
    [DEBYE_FIT_CHI_SQUARE] = {"chi2", "χ²", NULL},
};

static void
row_clear(gpointer data)
{
  g_free(((DebyeFitRow *)data)->curve);
}

GArray *
debye_fit_rows_new(void)
{
  GArray *rows = g_array_new(FALSE, FALSE, sizeof(DebyeFitRow));
  g_array_set_clear_func(rows, row_clear);
  return rows;
}

DebyeFitRow *
debye_fit_rows_add(GArray *rows, const char *fit, const char *curve, const DebyeFitRange *range,
                   gsize n_points, double chi_square)
{
  DebyeFitRow row = {.fit = fit, .curve = g_strdup(curve)};
  for (int i = 0; i < DEBYE_FIT_N_NUMBERS; i++)
    row.numbers[i] = NAN;
  row.numbers[DEBYE_FIT_Q_MIN] = range->low;
  row.numbers[DEBYE_FIT_Q_MAX] = range->high;
  row.numbers[DEBYE_FIT_POINTS] = (double)n_points;
  row.numbers[DEBYE_FIT_CHI_SQUARE] = chi_square;
  g_array_append_val(rows, row);
  return &g_array_index(rows, DebyeFitRow, rows->len - 1);
}

static void
add_texts(DebyeTable *table, const GArray *rows, const char *name, gsize member)
{
  g_autofree const char **texts = g_new0(const char *, rows->len + 1);
  for (guint i = 0; i < rows->len; i++) {
    const char *text = G_STRUCT_MEMBER(const char *, &g_array_index(rows, DebyeFitRow, i), member);
    texts[i] = text != NULL ? text : "";
  }
  debye_table_add_texts(table, &(DebyeQuantity){name, name, NULL}, texts);
}

void
debye_fit_result_add_table(DebyeResult *result, const GArray *rows, const char *intensity_unit)
{
  g_autoptr(DebyeTable) table = debye_table_new(DEBYE_TABLE_OF_FITS);
  g_autofree double *numbers = g_new(double, rows->len + 1);
  add_texts(table, rows, "fit", G_STRUCT_OFFSET(DebyeFitRow, fit));
  add_texts(table, rows, "curve", G_STRUCT_OFFSET(DebyeFitRow, curve));
  for (int column = 0; column < DEBYE_FIT_N_NUMBERS; column++) {
    DebyeQuantity quantity = columns[column];
    if (column == DEBYE_FIT_I0 || column == DEBYE_FIT_I0_ERROR || column == DEBYE_FIT_BACKGROUND)
      quantity.unit = intensity_unit;
    for (guint i = 0; i < rows->len; i++)
      numbers[i] = g_array_index(rows, DebyeFitRow, i).numbers[column];
    debye_table_add_numbers(table, &quantity, rows->len, numbers);
  }
  add_texts(table, rows, "fractal", G_STRUCT_OFFSET(DebyeFitRow, fractal));
  debye_result_add_table(result, table);
}

/* --- Curves --- */

/* Points with errors, or a line, made one by one. */
typedef struct {
  GArray *x, *y, *errors;
} Series;

static void
series_init(Series *series)
{
  series->x = g_array_new(FALSE, FALSE, sizeof(double));
  series->y = g_array_new(FALSE, FALSE, sizeof(double));
  series->errors = g_array_new(FALSE, FALSE, sizeof(double));
}

static void
series_clear(Series *series)
{
  g_array_unref(series->x);
  g_array_unref(series->y);
  g_array_unref(series->errors);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Series, series_clear)

static void
put(Series *series, double x, double y, double error)
{
  g_array_append_val(series->x, x);
  g_array_append_val(series->y, y);
  g_array_append_val(series->errors, error);
}

/* The error of point i; NAN: not known. */
static double
get_error(const DebyeFitPoints *points, gsize i)
{
  return points->error != NULL ? points->error[i] : (double)NAN;
}

static void
add_series(DebyeResult *result, const Series *series, const char *name, const DebyeQuantity *x,
           const DebyeQuantity *y, DebyeCurveStyle style)
{
  const double *errors = (const double *)(gconstpointer)series->errors->data;
  const gboolean has_errors = series->x->len > 0 && isfinite(errors[0]);
  g_autoptr(DebyeCurve) curve =
      debye_curve_new(name, x, y, style, series->x->len, (const double *)(gconstpointer)series->x->data,
                      (const double *)(gconstpointer)series->y->data, has_errors ? errors : NULL);
  debye_result_add_curve(result, curve);
}

/* Legends name a law and, of several curves, whose it is. */
static char *
name_line(const char *law, const DebyeFitSubject *subject)
{
  return g_strdup_printf("%s, %s", law, subject->name);
}

/* The curve's name and a word: plots take it for another quantity of the curve of that name, see result_plot.c. */
static char *
name_quantity(const DebyeFitSubject *subject, const char *quantity)
{
  return g_strdup_printf("%s %s", subject->name, quantity);
}

/* A law as a line over the range, evenly in q or in its logarithm. */
typedef double (*Law)(double q, gconstpointer fit);

static void
add_line(DebyeResult *result, const char *name, const DebyeFitRange *range, Law law, gconstpointer fit,
         double (*to_x)(double), const DebyeQuantity *x, const DebyeQuantity *y)
{
  g_auto(Series) line;
  series_init(&line);
  for (int i = 0; i < LINE_POINTS; i++) {
    const double part = i / (LINE_POINTS - 1.0), q = range->low * pow(range->high / range->low, part);
    put(&line, to_x(q), law(q, fit), NAN);
  }
  add_series(result, &line, name, x, y, DEBYE_CURVE_LINE);
}

static double
same(double q)
{
  return q;
}

static double
square(double q)
{
  return q * q;
}

static void
add_caption(DebyeResult *result, const char *label, const char *law, const DebyeFitSubject *subject,
            const DebyeFitRange *range, const char *numbers)
{
  char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE];
  debye_result_add_note_of(result, DEBYE_NOTE_CAPTION, label, "%s: %s, from %s to %s Å⁻¹ (%s)", law, numbers,
                           g_ascii_formatd(low, sizeof low, "%.4g", range->low),
                           g_ascii_formatd(high, sizeof high, "%.4g", range->high), subject->name);
}

static char *
format(const char *symbol, double value, double error, const char *unit)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE], deviation[G_ASCII_DTOSTR_BUF_SIZE];
  if (error == 0.0) /* it was given */
    return g_strdup_printf("%s = %s%s%s", symbol, g_ascii_formatd(number, sizeof number, "%.5g", value),
                           *unit != '\0' ? " " : "", unit);
  return g_strdup_printf("%s = %s ± %s%s%s", symbol, g_ascii_formatd(number, sizeof number, "%.5g", value),
                         g_ascii_formatd(deviation, sizeof deviation, "%.2g", error),
                         *unit != '\0' ? " " : "", unit);
}

/* --- Guinier --- */

#define SHOWN_BEYOND 1.5 /* of the range's end: where the law ceases to hold is seen */

static double
guinier_line(double q, gconstpointer data)
{
  const DebyeGuinierFit *fit = data;
  return log(fit->zero) - q * q * fit->radius * fit->radius / 3.0;
}

void
debye_fit_result_add_guinier(DebyeResult *result, const DebyeFitSubject *subject, const DebyeGuinierFit *fit)
{
  static const DebyeQuantity logarithm = {"guinier", "ln I(q)", NULL},
                             residual = {"guinier_residuals", "Δ ln I(q)", NULL},
                             in_errors = {"guinier_residuals", "Δ ln I(q)/σ", NULL};
  const DebyeFitPoints *points = subject->points;
  g_auto(Series) values, residuals;
  series_init(&values);
  series_init(&residuals);
  for (gsize i = 0; i < points->n; i++) {
    const double q = points->q[i], intensity = points->intensity[i];
    if (q > SHOWN_BEYOND * fit->range.high || !(intensity > 0.0))
      continue;
    const double error = get_error(points, i) / intensity, off = log(intensity) - guinier_line(q, fit);
    put(&values, q * q, log(intensity), error);
    if (q >= fit->range.low && q <= fit->range.high)
      put(&residuals, q * q, isfinite(error) ? off / error : off, NAN);
  }
  g_autofree char *line = name_line("Guinier", subject);
  g_autofree char *radius = format("Rg", fit->radius, fit->radius_error, "Å");
  g_autofree char *zero = format("I(0)", fit->zero, fit->zero_error, subject->unit);
  g_autofree char *numbers = g_strdup_printf("%s, %s", radius, zero);
  g_autofree char *name = name_quantity(subject, logarithm.name),
                  *rest = name_quantity(subject, residual.name);
  add_series(result, &values, name, &q2_quantity, &logarithm, DEBYE_CURVE_MARKERS);
  add_line(result, line, &fit->range, guinier_line, fit, square, &q2_quantity, &logarithm);
  add_series(result, &residuals, rest, &q2_quantity, points->error != NULL ? &in_errors : &residual,
             DEBYE_CURVE_MARKERS);
  add_caption(result, logarithm.label, "Guinier", subject, &fit->range, numbers);
}

/* --- Kratky --- */

static void
add_points(DebyeResult *result, const DebyeFitSubject *subject, const DebyeFitPoints *points,
           const DebyeQuantity *x, const DebyeQuantity *y, double q_factor, double intensity_factor,
           int power)
{
  g_auto(Series) values;
  series_init(&values);
  for (gsize i = 0; i < points->n; i++) {
    const double q = q_factor * points->q[i], factor = intensity_factor * pow(q, power);
    put(&values, q, factor * points->intensity[i], factor * get_error(points, i));
  }
  g_autofree char *name = name_quantity(subject, y->name);
  add_series(result, &values, name, x, y, DEBYE_CURVE_MARKERS);
}

void
debye_fit_result_add_intensity(DebyeResult *result, const DebyeFitSubject *subject)
{
  const DebyeQuantity intensity = {"intensity", "I(q)", subject->unit};
  const DebyeFitPoints *points = subject->points;
  g_autoptr(DebyeCurve) curve = debye_curve_new(subject->name, &q_quantity, &intensity, DEBYE_CURVE_MARKERS,
                                                points->n, points->q, points->intensity, points->error);
  debye_result_add_curve(result, curve);
}

void
debye_fit_result_add_kratky(DebyeResult *result, const DebyeFitSubject *subject, const DebyeGuinierFit *fit)
{
  static const DebyeQuantity kratky = {"kratky", "q²I(q)", NULL}, reduced = {"q_rg", "qRg", NULL},
                             normalised = {"kratky_normalised", "(qRg)²I(q)/I(0)", NULL};
  add_points(result, subject, subject->points, &q_quantity, &kratky, 1.0, 1.0, 2);
  if (fit != NULL)
    add_points(result, subject, subject->points, &reduced, &normalised, fit->radius, 1.0 / fit->zero, 2);
}

/* --- A power and Porod --- */

static double
power_line(double q, gconstpointer data)
{
  const DebyePowerFit *fit = data;
  return fit->factor * pow(q, -fit->exponent);
}

void
debye_fit_result_add_power(DebyeResult *result, const DebyeFitSubject *subject, const DebyePowerFit *fit)
{
  const DebyeQuantity intensity = {"power_law", "I(q)", subject->unit};
  g_autofree char *line = name_line("Power law", subject);
  g_autofree char *numbers = format("d", fit->exponent, fit->exponent_error, "");
  add_points(result, subject, subject->points, &q_quantity, &intensity, 1.0, 1.0, 0);
  add_line(result, line, &fit->range, power_line, fit, same, &q_quantity, &intensity);
  add_caption(result, intensity.label, "Power law", subject, &fit->range, numbers);
}

static double
porod_line(double q, gconstpointer data)
{
  const DebyePorodFit *fit = data;
  return fit->constant + fit->background * pow(q, 4);
}

void
debye_fit_result_add_porod(DebyeResult *result, const DebyeFitSubject *subject, const DebyePorodFit *fit)
{
  static const DebyeQuantity porod = {"porod", "q⁴I(q)", NULL};
  g_autofree char *line = name_line("Porod", subject);
  /* In a range without the law there is no volume. */
  g_autofree char *numbers = isfinite(fit->volume) ? format("V", fit->volume, fit->volume_error, "Å³")
                                                   : format("K", fit->constant, fit->constant_error, "");
  add_points(result, subject, subject->points, &q_quantity, &porod, 1.0, 1.0, 4);
  add_line(result, line, &fit->range, porod_line, fit, same, &q_quantity, &porod);
  add_caption(result, porod.label, "Porod", subject, &fit->range, numbers);
}

/* --- Distances --- */

void
debye_fit_result_add_distances(DebyeResult *result, const DebyeFitSubject *subject,
                               const DebyeDistanceFit *fit)
{
  static const DebyeQuantity r = {"r", "r", "Å"}, distribution = {"pr", "P(r)", NULL};
  const DebyeQuantity intensity = {"pr_intensity", "I(q), P(r)", subject->unit};
  const DebyeFitPoints *points = subject->points;
  g_autofree char *line = name_line("P(r)", subject);
  g_autofree char *radius = format("Rg", fit->radius, fit->radius_error, "Å");
  g_autofree char *greatest = format("D", fit->greatest, fit->greatest_error, "Å");
  g_autofree char *numbers = g_strdup_printf("%s, %s", radius, greatest);
  g_autofree char *name = name_quantity(subject, distribution.name);
  g_autoptr(DebyeCurve) curve = debye_curve_new(name, &r, &distribution, DEBYE_CURVE_LINE,
                                                DEBYE_FIT_DISTANCES + 2, fit->r, fit->p, fit->error);
  g_autoptr(DebyeCurve) model = debye_curve_new(line, &q_quantity, &intensity, DEBYE_CURVE_LINE, points->n,
                                                points->q, fit->intensity, NULL);
  debye_result_add_curve(result, curve);
  /* A range of q that leaves points out is seen, and can be widened. */
  add_points(result, subject, subject->all, &q_quantity, &intensity, 1.0, 1.0, 0);
  debye_result_add_curve(result, model);
  const DebyeFitRange range = {points->q[0], points->q[points->n - 1]};
  add_caption(result, distribution.label, "P(r)", subject, &range, numbers);
  add_caption(result, intensity.label, "P(r)", subject, &range, numbers);
}
