/* SPDX-License-Identifier: MIT */
/* Curves for another fraction of deuterium, against parabolas that are known everywhere. */
#include <math.h>

#include "data/results/contrast.h"

#define N 4
/* Some tens of roundings of numbers below 100. */
#define EXACT 1e-12

static const DebyeSetting settings[] = {
    {.key = "exchange", .label = "H/D exchange", .kind = DEBYE_SETTING_TEXT, .repeated = TRUE, .help = "-"},
    {.key = "contrast-series",
     .label = "Series",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "-"},
};
static const DebyeSettingTable table = {
    .id = "scattering", .title = "Scattering", .settings = settings, .n_settings = G_N_ELEMENTS(settings)};

static const double q[N] = {0.5, 1.0, 2.0, 4.0};
static const DebyeQuantity q_quantity = {"q", "q", "Å⁻¹"}, intensity = {"intensity", "I(q)", "fm²"},
                           structure = {"structure_factor", "S(q)", NULL};

static double
numerator(double x, gsize k)
{
  return 3.0 + q[k] - 7.0 * x + (2.0 + q[k] * q[k]) * x * x;
}

static double
divisor(double x, gsize k)
{
  return 5.0 + x * x + 0.1 * q[k];
}

static void
add_matrix(DebyeResult *result, const char *prefix, const char *curve, const DebyeQuantity *quantity,
           double (*get)(double x, gsize k), double (*per)(double x, gsize k))
{
  static const DebyeQuantity row = {DEBYE_CONTRAST_ROW, NULL, NULL};
  g_autofree char *name = g_strconcat(prefix, curve, NULL);
  double values[DEBYE_CONTRAST_N * N];
  for (gsize i = 0; i < DEBYE_CONTRAST_N; i++)
    for (gsize k = 0; k < N; k++) {
      double x = debye_contrast_fractions[i];
      values[i * N + k] = get(x, k) / (per != NULL ? per(x, k) : 1.0);
    }
  g_autoptr(DebyeMatrix) matrix = debye_matrix_new(name, &row, DEBYE_CONTRAST_N, debye_contrast_fractions,
                                                   &q_quantity, N, q, quantity, values, NULL);
  debye_result_add_matrix(result, matrix);
}

static void
add_curve(DebyeResult *result, const char *name, const DebyeQuantity *quantity)
{
  static const double zeros[N] = {0.0};
  g_autoptr(DebyeCurve) curve =
      debye_curve_new(name, &q_quantity, quantity, DEBYE_CURVE_LINE, N, q, zeros, NULL);
  debye_curve_set_of(curve, quantity == &structure ? "total" : NULL);
  debye_result_add_curve(result, curve);
}

static DebyeResult *
make_result(const char *exchange)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  if (exchange != NULL)
    g_assert_true(debye_request_set(request, "exchange", exchange, NULL));
  DebyeResult *result = debye_result_new(request, "Neutron scattering");
  add_curve(result, "total", &intensity);
  add_matrix(result, DEBYE_CONTRAST_VALUES, "total", &intensity, numerator, NULL);
  add_curve(result, "total structure_factor", &structure);
  add_matrix(result, DEBYE_CONTRAST_VALUES, "total structure_factor", &structure, numerator, divisor);
  add_matrix(result, DEBYE_CONTRAST_DIVISOR, "total structure_factor", &structure, divisor, NULL);
  add_curve(result, "H-O", &intensity);
  return result;
}

static DebyeCurve *
find(DebyeResult *result, const char *name)
{
  GListModel *curves = debye_result_get_curves(result);
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    if (g_strcmp0(debye_curve_get_name(curve), name) == 0)
      return curve;
  }
  return NULL;
}

static void
test_fractions(void)
{
  g_autoptr(DebyeResult) result = make_result(NULL);
  for (double x = 0.0; x <= 1.0; x += 0.1) {
    g_autoptr(DebyeResult) mixed = debye_contrast_mix(result, x, FALSE);
    const double *total = debye_curve_get_y(find(mixed, "total"));
    const double *ratio = debye_curve_get_y(find(mixed, "total structure_factor"));
    for (gsize k = 0; k < N; k++) {
      g_assert_cmpfloat_with_epsilon(total[k], numerator(x, k), EXACT);
      g_assert_cmpfloat_with_epsilon(ratio[k], numerator(x, k) / divisor(x, k), EXACT);
    }
    g_assert_null(find(mixed, "H-O"));
  }
}

static void
test_request(void)
{
  g_autoptr(DebyeResult) result = make_result("resname SOL=0.5\nname H1=0.25");
  g_assert_cmpfloat(debye_contrast_get_fraction(result), ==, 0.25);
  g_autoptr(DebyeResult) mixed = debye_contrast_mix(result, 0.75, TRUE);
  DebyeRequest *request = debye_result_get_request(mixed);
  g_assert_cmpstr(debye_request_get(request, "exchange"), ==, "resname SOL=0.75\nname H1=0.75");
  g_assert_true(debye_contrast_has_series(mixed));
  g_assert_false(debye_contrast_has_series(result));
}

static void
test_series(void)
{
  g_autoptr(DebyeResult) result = make_result(NULL);
  g_autoptr(DebyeResult) mixed = debye_contrast_mix(result, 0.1, TRUE);
  const double *light = debye_curve_get_y(find(mixed, "0 % D"));
  const double *heavy = debye_curve_get_y(find(mixed, "100 % D structure_factor"));
  g_assert_cmpfloat_with_epsilon(light[2], numerator(0.0, 2), EXACT);
  g_assert_cmpfloat_with_epsilon(heavy[2], numerator(1.0, 2) / divisor(1.0, 2), EXACT);
  g_assert_cmpuint(g_list_model_get_n_items(debye_result_get_curves(mixed)), ==, 2 + 2 * 5);
}

/* What a file may say: matrices of another size, or none. */
static void
test_unknown(void)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(DebyeResult) result = debye_result_new(request, "X-ray scattering");
  static const DebyeQuantity row = {DEBYE_CONTRAST_ROW, NULL, NULL};
  g_autoptr(DebyeMatrix) matrix =
      debye_matrix_new(DEBYE_CONTRAST_VALUES "total", &row, 2, q, &q_quantity, 2, q, &intensity, q, NULL);
  add_curve(result, "total", &intensity);
  debye_result_add_matrix(result, matrix);
  g_assert_false(debye_contrast_is_known(result));
  g_assert_null(debye_contrast_mix(result, 0.5, TRUE));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/contrast/fractions", test_fractions);
  g_test_add_func("/contrast/request", test_request);
  g_test_add_func("/contrast/series", test_series);
  g_test_add_func("/contrast/unknown", test_unknown);
  return g_test_run();
}
