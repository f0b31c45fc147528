/* SPDX-License-Identifier: MIT */
/* Small-angle fits against the formulas of bodies: a sphere, an ellipsoid, a rod, a Gaussian coil and a fractal. */
#include <math.h>
#include <string.h>

#include "app/analysis/fit/fit_compare.h"
#include "app/analysis/fit/fit_distribution.h"
#include "app/analysis/fit/fit_laws.h"
#include "app/analysis/fit/fit_run.h"
#include "app/analysis/fit/fit_settings.h"
#include "tests/support/temporary.h"

#define N_POINTS 300

typedef double (*Body)(double q);

/* --- Bodies; I(0) = 100 --- */

#define SPHERE_RADIUS 30.0

static double
sphere_amplitude(double x)
{
  return x < 1e-3 ? 1.0 - x * x / 10.0 : 3.0 * (sin(x) - x * cos(x)) / (x * x * x);
}

static double
sphere(double q)
{
  const double f = sphere_amplitude(q * SPHERE_RADIUS);
  return 100.0 * f * f;
}

/* Half axes a, a, c; the mean over the angle by the rule of the middle. */
static double
average_spheroid(double q, double a, double c)
{
  double sum = 0.0;
  for (int i = 0; i < 400; i++) {
    const double u = (i + 0.5) / 400.0, f = sphere_amplitude(q * sqrt(a * a * (1.0 - u * u) + c * c * u * u));
    sum += f * f / 400.0;
  }
  return 100.0 * sum;
}

static double
ellipsoid(double q)
{
  return average_spheroid(q, 20.0, 40.0);
}

/* Infinitely thin, 200 Å long (Neugebauer 1943): 2 Si(x)/x − (sin(x/2)/(x/2))². */
static double
rod(double q)
{
  const double x = 200.0 * q, s = sin(0.5 * x) / (0.5 * x);
  double si = 0.0;
  for (int i = 0; i < 2000; i++) {
    const double t = (i + 0.5) / 2000.0 * x;
    si += sin(t) / t * x / 2000.0;
  }
  return 100.0 * (2.0 * si / x - s * s);
}

/* Debye (1947), Rg = 25 Å. */
static double
coil(double q)
{
  const double x = 625.0 * q * q;
  return 100.0 * 2.0 * (exp(-x) + x - 1.0) / (x * x);
}

/* Of dimension 2.1 between its grains and itself. */
static double
fractal(double q)
{
  return 0.01 * pow(q, -2.1);
}

/* --- Points --- */

typedef struct {
  double q[N_POINTS], intensity[N_POINTS], error[N_POINTS], width[N_POINTS];
  DebyeFitPoints points;
} Curve;

/* `noise`: standard deviation over the root of 100 I, 0: errors aren't known. */
static Curve *
make_curve(Body body, double from, double to, double noise)
{
  Curve *curve = g_new0(Curve, 1);
  g_autoptr(GRand) random = g_rand_new_with_seed(7);
  for (int i = 0; i < N_POINTS; i++) {
    const double q = from + (to - from) * i / (N_POINTS - 1.0);
    double normal = -6.0;
    for (int k = 0; k < 12; k++)
      normal += g_rand_double(random);
    curve->q[i] = q;
    curve->error[i] = noise * sqrt(100.0 * body(q) + 1.0);
    curve->intensity[i] = body(q) + normal * curve->error[i];
  }
  curve->points =
      (DebyeFitPoints){N_POINTS, curve->q, curve->intensity, noise > 0.0 ? curve->error : NULL, NULL};
  return curve;
}

/* --- Laws --- */

/* Far below q·Rg = 1 Guinier's law is exact for every body; at 1.3 it is as far off as the next term of the series says. */
static void
test_guinier(void)
{
  static const struct {
    Body body;
    double radius;
  } cases[] = {{sphere, 23.2379000772}, /* R √(3/5) */
               {ellipsoid, 21.9089023}, /* √((2a² + c²)/5) */
               {rod, 57.7350269190},    /* L/√12 */
               {coil, 25.0}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;
    DebyeGuinierFit fit;
    const double unit = 1.0 / cases[i].radius;
    g_autofree Curve *curve = make_curve(cases[i].body, 0.01 * unit, 3.0 * unit, 0.0);
    g_assert_true(debye_fit_guinier(&curve->points, &(DebyeFitRange){0.0, 0.2 * unit}, &fit, &error));
    g_assert_no_error(error);
    g_assert_cmpfloat_with_epsilon(fit.radius, cases[i].radius, 4e-3 * cases[i].radius);
    g_assert_cmpfloat_with_epsilon(fit.zero, 100.0, 0.01);
    g_assert_true(debye_fit_guinier(&curve->points, NULL, &fit, &error));
    g_assert_cmpfloat_with_epsilon(fit.range.high * fit.radius, DEBYE_GUINIER_LIMIT, 0.02);
    g_assert_cmpfloat_with_epsilon(fit.radius, cases[i].radius, 0.1 * cases[i].radius);
  }
}

/* With noise the value lies within its errors; a beam's edge at the first points is left out. */
static void
test_guinier_noise(void)
{
  DebyeGuinierFit fit, edge;
  g_autofree Curve *curve = make_curve(sphere, 0.003, 0.2, 0.003);
  g_assert_true(debye_fit_guinier(&curve->points, &(DebyeFitRange){0.0, 0.03}, &fit, NULL));
  g_assert_cmpfloat(fabs(fit.radius - 23.2379), <, 3.5 * fit.radius_error + 0.1);
  g_assert_cmpfloat(fabs(fit.chi_square - 1.0), <, 0.5);
  for (int i = 0; i < 4; i++)
    curve->intensity[i] *= 1.5;
  g_assert_true(debye_fit_guinier(&curve->points, NULL, &edge, NULL));
  g_assert_cmpfloat(edge.range.low, >, curve->q[3]);
  g_assert_cmpfloat_with_epsilon(edge.radius, 23.6, 0.4);
}

static void
test_power(void)
{
  DebyePowerFit fit;
  g_autofree Curve *grains = make_curve(fractal, 0.001, 0.1, 0.0);
  g_assert_true(debye_fit_power(&grains->points, &(DebyeFitRange){0.002, 0.05}, &fit, NULL));
  g_assert_cmpfloat_with_epsilon(fit.exponent, 2.1, 1e-10);
  /* A thin rod: q^−1 at large q; a coil: q^−2. */
  g_autofree Curve *thin = make_curve(rod, 0.5, 2.0, 0.0);
  g_assert_true(debye_fit_power(&thin->points, &(DebyeFitRange){0.5, 2.0}, &fit, NULL));
  g_assert_cmpfloat_with_epsilon(fit.exponent, 1.0, 0.02);
  g_autofree Curve *chain = make_curve(coil, 1.0, 5.0, 0.0);
  g_assert_true(debye_fit_power(&chain->points, &(DebyeFitRange){1.0, 5.0}, &fit, NULL));
  g_assert_cmpfloat_with_epsilon(fit.exponent, 2.0, 0.01);
}

static void
test_porod(void)
{
  DebyeGuinierFit guinier;
  DebyePorodFit fit;
  const double volume = 4.0 / 3.0 * G_PI * pow(SPHERE_RADIUS, 3);
  g_autofree Curve *curve = make_curve(sphere, 0.004, 1.2, 0.0);
  g_assert_true(debye_fit_guinier(&curve->points, NULL, &guinier, NULL));
  g_assert_true(debye_fit_porod(&curve->points, NULL, &guinier, &fit, NULL));
  g_assert_cmpfloat_with_epsilon(fit.volume, volume, 0.02 * volume);
  g_assert_cmpfloat_with_epsilon(fit.surface_per_volume, 3.0 / SPHERE_RADIUS, 0.1 * 3.0 / SPHERE_RADIUS);
}

/* --- Resolution --- */

/* A law that was blurred is fitted as what it was. */
static void
test_blur(void)
{
  DebyePowerFit fit, naive;
  g_autofree Curve *curve = make_curve(fractal, 0.01, 0.1, 0.0);
  for (int i = 0; i < N_POINTS; i++) {
    const double q = curve->q[i], width = curve->width[i] = 0.15 * q;
    double sum = 0.0, weight = 0.0;
    for (int k = -400; k <= 400; k++) {
      const double t = k / 80.0, w = exp(-0.5 * t * t);
      sum += w * fractal(q + t * width);
      weight += w;
    }
    curve->intensity[i] = sum / weight * (1.0 + 0.002 * sin(40.0 * q));
  }
  const DebyeFitRange range = {0.01, 0.1};
  g_assert_true(debye_fit_power(&curve->points, &range, &naive, NULL));
  curve->points.width = curve->width;
  g_assert_true(debye_fit_power(&curve->points, &range, &fit, NULL));
  g_assert_cmpfloat_with_epsilon(fit.exponent, 2.1, 0.005);
  g_assert_cmpfloat_with_epsilon(fit.factor, 0.01, 2e-4);
  g_assert_cmpfloat(fabs(naive.factor - 0.01), >, 4e-4);
}

static double
square_law(double q, gconstpointer data G_GNUC_UNUSED)
{
  return q * q;
}

static void
test_smear(void)
{
  g_assert_cmpfloat_with_epsilon(debye_fit_smear(square_law, NULL, 3.0, 0.5), 9.25, 1e-12);
  g_assert_cmpfloat(debye_fit_smear(square_law, NULL, 3.0, 0.0), ==, 9.0);
}

/* --- Distances --- */

/* P(r) of a sphere: 12 x² (2 − 3x + x³)/(2R) · I(0)/4π, x = r/2R. */
static void
test_distances(void)
{
  g_auto(DebyeDistanceFit) fit = {0};
  double off = 0.0, square = 0.0;
  g_autofree Curve *curve = make_curve(sphere, 0.004, 0.3, 0.003);
  g_assert_true(debye_fit_distances(&curve->points, 23.6, NAN, &fit, NULL));
  for (int j = 0; j < DEBYE_FIT_DISTANCES + 2; j++) {
    const double x = fit.r[j] / (2.0 * SPHERE_RADIUS);
    const double p =
        x < 1.0 ? 12.0 * x * x * (2.0 - 3.0 * x + x * x * x) / (2.0 * SPHERE_RADIUS) * 100.0 / (4.0 * G_PI)
                : 0.0;
    off += (fit.p[j] - p) * (fit.p[j] - p);
    square += p * p;
  }
  g_assert_cmpfloat(sqrt(off / square), <, 0.02);
  g_assert_cmpfloat_with_epsilon(fit.greatest, 60.0, 4.0);
  g_assert_cmpfloat_with_epsilon(fit.radius, 23.2379, 0.1);
  g_assert_cmpfloat_with_epsilon(fit.zero, 100.0, 0.3);
  g_assert_cmpfloat_with_epsilon(fit.chi_square, 1.0, 0.3);
}

static void
test_distances_coil(void)
{
  g_auto(DebyeDistanceFit) fit = {0};
  g_autofree Curve *curve = make_curve(coil, 0.004, 0.3, 0.003);
  g_assert_true(debye_fit_distances(&curve->points, 25.0, NAN, &fit, NULL));
  g_assert_cmpfloat_with_epsilon(fit.radius, 25.0, 0.5);
  g_auto(DebyeDistanceFit) given = {0};
  g_assert_true(debye_fit_distances(&curve->points, 25.0, 140.0, &given, NULL));
  g_assert_cmpfloat(given.greatest, ==, 140.0);
  g_assert_cmpfloat_with_epsilon(given.radius, 25.0, 0.5);
}

/* --- The run --- */

static DebyeTemporaryFolder *folder;

static DebyeResult *
fit_text(const char *text, const char *const *settings, GError **error)
{
  g_autofree char *path = debye_temporary_write(folder, "curve.dat", text, strlen(text));
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_fit_table);
  for (; *settings != NULL; settings += 2)
    g_assert_true(debye_request_set(request, settings[0], settings[1], NULL));
  return debye_fit_run(request, path, error);
}

static char *
write_sphere(const char *header, double per_unit)
{
  GString *text = g_string_new(header);
  for (int i = 0; i < N_POINTS; i++) {
    const double q = 0.004 + 0.0005 * i;
    g_string_append_printf(text, "%.17g %.17g %.17g\n", q * per_unit, 1e-3 * sphere(q), 1e-5);
  }
  return g_string_free(text, FALSE);
}

static double
get_number(DebyeResult *result, const char *name)
{
  g_autoptr(DebyeTable) table = g_list_model_get_item(debye_result_get_tables(result), 0);
  for (gsize i = 0; i < debye_table_get_n_columns(table); i++)
    if (strcmp(debye_table_get_quantity(table, i)->name, name) == 0)
      return debye_table_get_numbers(table, i)[0];
  return NAN;
}

/* The same curve in nm⁻¹, the unit found or given; the mass of what scatters 0.1 cm⁻¹ at 5 mg/ml. */
static void
test_run(void)
{
  static const char *const found[] = {"guinier", "0:0.04", "concentration", "5", "intensity-unit",
                                      "1/cm",    NULL};
  static const char *const given[] = {"guinier", "0:0.04", "data-unit", "nm^-1", NULL};
  g_autoptr(GError) error = NULL;
  g_autofree char *with_unit = write_sphere("# q in nm^-1\n", 10.0), *without = write_sphere("", 10.0);
  g_autoptr(DebyeResult) one = fit_text(with_unit, found, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeResult) other = fit_text(without, given, &error);
  g_assert_no_error(error);
  g_assert_cmpfloat_with_epsilon(get_number(one, "Rg"), 23.35, 0.15);
  g_assert_cmpfloat(get_number(one, "Rg"), ==, get_number(other, "Rg"));
  const double mass = get_number(one, "I0") * 6.02214076e23 / (5e-3 * 2.085e10 * 2.085e10);
  g_assert_cmpfloat_with_epsilon(get_number(one, "mass"), mass, 1e-9 * mass);
  g_assert_true(isnan(get_number(other, "mass")));
}

static void
test_refusals(void)
{
  static const struct {
    const char *text, *settings[5], *part;
  } cases[] = {
      {"1 2\n2 1\n", {"guinier", "auto"}, "curve.dat doesn't state the unit of q"},
      {"1 2\n2 1\n",
       {"guinier", "auto", "data-unit", "parsec"},
       "expected 1/A or 1/nm for curve.dat, found “parsec”"},
      {"# 1/A\n1 2\n2 1\n",
       {"guinier", "auto"},
       "curve: expected 5 or more points with a positive intensity"},
      {"# 1/A\n1 1\n2 2\n3 3\n4 4\n5 5\n6 6\n", {"guinier", "auto"}, "points of a falling intensity"},
      {"# 1/A\n1 1\n2 2\n", {"guinier", "wide"}, "Guinier: expected QMIN:QMAX in Å⁻¹, found “wide”"},
      {"# 1/A\n1 1\n2 2\n", {"power-law", "3:1"}, "Power law: expected QMIN:QMAX"},
      {"# 1/A\n1 1\n2 2\n", {NULL}, "expected a fit"},
      {"# 1/A\n1 1\n2 2\n",
       {"kratky", "true", "concentration", "5"},
       "expected an absolute one (1/cm) of curve"},
      {"# 1/A\n2 1\n1 2\n", {"kratky", "true"}, "curve: expected q in ascending order"},
      {"# 1/A\n1 1\n2 2\n", {"kratky", "true", "q-range", "3:"}, "curve: expected points in the range of q"},
      {"# 1/A\n1 1 1\n", {"kratky", "true", "data-columns", "1"}, "Columns: expected two to four numbers"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(DebyeResult) result = fit_text(cases[i].text, cases[i].settings, &error);
    g_assert_null(result);
    g_assert_nonnull(error);
    if (strstr(error->message, cases[i].part) == NULL)
      g_error("“%s” lacks “%s”", error->message, cases[i].part);
  }
}

/* Points that a person masks don't count. */
static void
test_mask(void)
{
  static const char *const settings[] = {
      "kratky", "true", "mask", "0.015:0.025\n0.05:", "data-unit", "1/A", NULL};
  g_autoptr(DebyeResult) result = fit_text("0.01 9\n0.02 1e9\n0.03 8\n0.04 7\n0.06 1\n", settings, NULL);
  g_autoptr(DebyeCurve) curve = g_list_model_get_item(debye_result_get_curves(result), 0);
  g_assert_cmpuint(debye_curve_get_n_points(curve), ==, 3);
  g_assert_cmpfloat_with_epsilon(debye_curve_get_y(curve)[1], 0.0072, 1e-12);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = debye_temporary_folder_new();
  g_test_add_func("/fit/guinier", test_guinier);
  g_test_add_func("/fit/guinier-noise", test_guinier_noise);
  g_test_add_func("/fit/power", test_power);
  g_test_add_func("/fit/porod", test_porod);
  g_test_add_func("/fit/blur", test_blur);
  g_test_add_func("/fit/smear", test_smear);
  g_test_add_func("/fit/distances", test_distances);
  g_test_add_func("/fit/distances-coil", test_distances_coil);
  g_test_add_func("/fit/run", test_run);
  g_test_add_func("/fit/refusals", test_refusals);
  g_test_add_func("/fit/mask", test_mask);
  const int status = g_test_run();
  debye_temporary_folder_free(folder);
  return status;
}
