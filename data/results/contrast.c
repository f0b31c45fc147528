/* SPDX-License-Identifier: MIT */
/* Implementation of contrast.h: mixes scattering curves for another deuterium fraction; used by plots and
 * scattering. */
#include "contrast.h"

#include <string.h>

/* Settings of the scattering analysis. */
#define EXCHANGE "exchange"
#define SERIES "contrast-series"

const double debye_contrast_fractions[DEBYE_CONTRAST_N] = {0.0, 0.5, 1.0};

gboolean
debye_contrast_owns(DebyeMatrix *matrix)
{
  g_return_val_if_fail(DEBYE_IS_MATRIX(matrix), FALSE);
  return strcmp(debye_matrix_get_row_quantity(matrix)->name, DEBYE_CONTRAST_ROW) == 0;
}

/* The matrix of a curve; NULL: none of its size. A file can say anything. */
static DebyeMatrix *
find_matrix(DebyeResult *result, const char *prefix, DebyeCurve *curve)
{
  GListModel *matrices = debye_result_get_matrices(result);
  g_autofree char *name = g_strconcat(prefix, debye_curve_get_name(curve), NULL);
  for (guint i = 0; i < g_list_model_get_n_items(matrices); i++) {
    g_autoptr(DebyeMatrix) matrix = g_list_model_get_item(matrices, i);
    if (strcmp(debye_matrix_get_name(matrix), name) == 0 && debye_contrast_owns(matrix) &&
        debye_matrix_get_n_rows(matrix) == DEBYE_CONTRAST_N &&
        debye_matrix_get_n_columns(matrix) == debye_curve_get_n_points(curve))
      return matrix; /* the result keeps it */
  }
  return NULL;
}

gboolean
debye_contrast_is_known(DebyeResult *result)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(result), FALSE);
  GListModel *curves = debye_result_get_curves(result);
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    if (find_matrix(result, DEBYE_CONTRAST_VALUES, curve) != NULL)
      return TRUE;
  }
  return FALSE;
}

/* The parabola through its values at 0, ½ and 1. */
static double
interpolate(const double values[DEBYE_CONTRAST_N], double x)
{
  return values[0] * (1.0 - x) * (1.0 - 2.0 * x) + values[1] * 4.0 * x * (1.0 - x) +
         values[2] * x * (2.0 * x - 1.0);
}

static double
mix_point(DebyeMatrix *matrix, DebyeMatrix *divisor, gsize k, double x)
{
  gsize n = debye_matrix_get_n_columns(matrix);
  double values[DEBYE_CONTRAST_N], divisors[DEBYE_CONTRAST_N];
  for (gsize i = 0; i < DEBYE_CONTRAST_N; i++) {
    divisors[i] = divisor != NULL ? debye_matrix_get_values(divisor)[i * n + k] : 1.0;
    values[i] = debye_matrix_get_values(matrix)[i * n + k] * divisors[i];
  }
  return interpolate(values, x) / interpolate(divisors, x);
}

/* NULL: this curve doesn't depend on it. */
static DebyeCurve *
mix_curve(DebyeResult *result, DebyeCurve *curve, double fraction, const char *name)
{
  DebyeMatrix *matrix = find_matrix(result, DEBYE_CONTRAST_VALUES, curve);
  DebyeMatrix *divisor = find_matrix(result, DEBYE_CONTRAST_DIVISOR, curve);
  if (matrix == NULL)
    return NULL;
  gsize n = debye_curve_get_n_points(curve);
  g_autofree double *values = g_new(double, n + 1);
  for (gsize k = 0; k < n; k++)
    values[k] = mix_point(matrix, divisor, k, fraction);
  return debye_curve_new(name, debye_curve_get_x_quantity(curve), debye_curve_get_y_quantity(curve),
                         debye_curve_get_style(curve), n, debye_curve_get_x(curve), values, NULL);
}

/* "resname SOL=0.4" */
static const char *
find_fraction(const char *exchange)
{
  const char *sign = exchange != NULL ? strrchr(exchange, '=') : NULL;
  return sign != NULL ? sign + 1 : NULL;
}

double
debye_contrast_get_fraction(DebyeResult *result)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(result), 0.0);
  DebyeRequest *request = debye_result_get_request(result);
  if (debye_setting_table_find(debye_request_get_table(request), EXCHANGE) == NULL)
    return 0.0;
  const char *text = find_fraction(debye_request_get(request, EXCHANGE));
  double fraction = text != NULL ? g_ascii_strtod(text, NULL) : 0.0;
  return fraction >= 0.0 && fraction <= 1.0 ? fraction : 0.0;
}

/* The same exchange with another fraction, line by line; of all hydrogens where there is none. */
static DebyeRequest *
make_request(DebyeResult *result, double fraction, gboolean series)
{
  DebyeRequest *request = debye_request_copy(debye_result_get_request(result));
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (debye_setting_table_find(debye_request_get_table(request), EXCHANGE) == NULL)
    return request;
  const char *asked = debye_request_get(request, EXCHANGE);
  g_auto(GStrv) lines = g_strsplit(asked != NULL && *asked != '\0' ? asked : "element H=0", "\n", -1);
  g_autoptr(GString) text = g_string_new(NULL);
  g_ascii_formatd(number, sizeof number, "%.6g", fraction);
  for (gsize i = 0; lines[i] != NULL; i++) {
    const char *sign = strrchr(lines[i], '=');
    int length = sign != NULL ? (int)(sign - lines[i]) : (int)strlen(lines[i]);
    g_string_append_printf(text, "%s%.*s=%s", i > 0 ? "\n" : "", length, lines[i], number);
  }
  debye_request_set(request, EXCHANGE, text->str, NULL);
  if (debye_setting_table_find(debye_request_get_table(request), SERIES) != NULL)
    debye_request_set(request, SERIES, series ? "true" : NULL, NULL);
  return request;
}

/* --- Series --- */

/* "25 % D" of a curve that is of none, "25 % D cross_section" of another quantity of it. */
static DebyeCurve *
mix_named(DebyeResult *from, DebyeCurve *curve, double fraction)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const char *of = debye_curve_get_of(curve), *quantity = debye_curve_get_y_quantity(curve)->name;
  g_autofree char *base =
      g_strdup_printf("%s %% D", g_ascii_formatd(number, sizeof number, "%.3g", 100.0 * fraction));
  g_autofree char *name = of != NULL ? g_strdup_printf("%s %s", base, quantity) : NULL;
  DebyeCurve *mixed = mix_curve(from, curve, fraction, name != NULL ? name : base);
  debye_curve_set_of(mixed, of != NULL ? base : NULL);
  return mixed;
}

/* Of a curve of `from`, which tells its other fractions, into `to`. */
static void
add_series_of(DebyeResult *to, DebyeResult *from, DebyeCurve *curve)
{
  static const double fractions[] = {0.0, 0.25, 0.5, 0.75, 1.0};
  for (gsize i = 0; i < G_N_ELEMENTS(fractions); i++) {
    g_autoptr(DebyeCurve) other = mix_named(from, curve, fractions[i]);
    debye_result_add_curve(to, other);
  }
}

static void
add_series(DebyeResult *to, DebyeResult *from)
{
  GListModel *curves = debye_result_get_curves(from);
  guint n = g_list_model_get_n_items(curves); /* of before, where both are the same result */
  g_autoptr(GHashTable) quantities = g_hash_table_new(g_str_hash, g_str_equal);
  for (guint i = 0; i < n; i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    if (find_matrix(from, DEBYE_CONTRAST_VALUES, curve) != NULL &&
        g_hash_table_add(quantities, (gpointer)debye_curve_get_y_quantity(curve)->name))
      add_series_of(to, from, curve);
  }
}

void
debye_contrast_add_series(DebyeResult *result)
{
  g_return_if_fail(DEBYE_IS_RESULT(result));
  add_series(result, result);
}

gboolean
debye_contrast_has_series(DebyeResult *result)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(result), FALSE);
  DebyeRequest *request = debye_result_get_request(result);
  return debye_setting_table_find(debye_request_get_table(request), SERIES) != NULL &&
         debye_request_get_boolean(request, SERIES);
}

/* --- The whole --- */

static void
tell_story(DebyeResult *mixed, DebyeResult *result, double fraction)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  debye_result_copy_notes(mixed, debye_result_get_notes(result));
  debye_result_add_note_of(mixed, DEBYE_NOTE_CAPTION, NULL,
                           "Contrast: %s %% of the exchangeable hydrogens are deuterium",
                           g_ascii_formatd(number, sizeof number, "%.3g", 100.0 * fraction));
  debye_result_set_inputs(mixed, debye_result_get_inputs(result));
  debye_result_set_origin(mixed, debye_result_get_created(result), debye_result_get_version(result));
  debye_result_set_wall_time(mixed, debye_result_get_wall_time(result));
  debye_result_set_partial(mixed, debye_result_is_partial(result));
}

DebyeResult *
debye_contrast_mix(DebyeResult *result, double fraction, gboolean series)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(result), NULL);
  if (!debye_contrast_is_known(result))
    return NULL;
  g_autoptr(DebyeRequest) request = make_request(result, fraction, series);
  DebyeResult *mixed = debye_result_new(request, debye_result_get_title(result));
  GListModel *curves = debye_result_get_curves(result);
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    g_autoptr(DebyeCurve) other = mix_curve(result, curve, fraction, debye_curve_get_name(curve));
    if (other == NULL)
      continue;
    debye_curve_set_of(other, debye_curve_get_of(curve));
    debye_result_add_curve(mixed, other);
  }
  if (series)
    add_series(mixed, result);
  tell_story(mixed, result, fraction);
  return mixed;
}
