/* SPDX-License-Identifier: MIT */
/* Spectra of courses whose transforms are known. */
#include <glib/gstdio.h>
#include <math.h>

#include "app/analysis/scattering/system/scattering_settings.h"
#include "app/analysis/scattering/time/scattering_spectrum.h"
#include "data/files/error.h"

#define STEP 0.05 /* ps */
#define N_TIMES 4001

typedef double complex (*CourseFunc)(double time);

static DebyeSpectrum
make_spectrum(DebyeSpectrumSettings settings, CourseFunc scattering, gsize n_times, double factor)
{
  g_autoptr(GError) error = NULL;
  g_autofree double complex *fqt = g_new(double complex, n_times);
  DebyeSpectrum spectrum;
  for (gsize t = 0; t < n_times; t++)
    fqt[t] = scattering(STEP * (double)t);
  debye_spectrum_init(&spectrum, &settings, fqt, &factor, 1, n_times, n_times, STEP, &error);
  g_assert_no_error(error);
  /* The zeroth moment: of sums of some thousand values. */
  g_assert_cmpfloat(spectrum.deviation, <, 1e-12);
  return spectrum;
}

/* The half width at half maximum, between channels by a straight line. */
static double
get_half_width(const DebyeSpectrum *spectrum)
{
  gsize middle = spectrum->n_channels / 2, k = middle;
  double half = 0.5 * spectrum->values[middle];
  while (spectrum->values[k + 1] > half)
    k++;
  double part = (spectrum->values[k] - half) / (spectrum->values[k] - spectrum->values[k + 1]);
  return spectrum->axis[k] + part * (spectrum->axis[k + 1] - spectrum->axis[k]);
}

/* Dq² in 1/ps of the diffusion below, and its Lorentzian in 1/ps. */
#define RATE 0.4

static double complex
diffuse(double time)
{
  return exp(-RATE * time);
}

/* The sum over times instead of the integral adds the tails of all periods 2π/Δ, which is known: compared
 * with the exact sum to rounding, and with the Lorentzian where that is small. */
static void
test_diffusion(void)
{
  g_auto(DebyeSpectrum) spectrum =
      make_spectrum((DebyeSpectrumSettings){.window = DEBYE_SPECTRUM_WINDOW_NONE}, diffuse, N_TIMES, 3.0);
  double a = exp(-RATE * STEP);
  g_assert_cmpuint(spectrum.n_channels, ==, 2 * N_TIMES - 1);
  for (gsize k = 0; k < spectrum.n_channels; k++) {
    double omega = spectrum.axis[k], lorentzian = 3.0 * RATE / G_PI / (RATE * RATE + omega * omega);
    double sum = 3.0 * STEP / (2.0 * G_PI) * (1.0 - a * a) / (1.0 - 2.0 * a * cos(omega * STEP) + a * a);
    g_assert_cmpfloat_with_epsilon(spectrum.values[k], sum, 1e-12);
    if (fabs(omega) < 5.0)
      g_assert_cmpfloat_with_epsilon(spectrum.values[k], lorentzian, 1e-3);
  }
  g_assert_cmpfloat_with_epsilon(get_half_width(&spectrum), RATE, 2e-3);
}

#define SPEED 1.7 /* q·v or its mean square's root, 1/ps */

static double complex
fly(double time)
{
  return cexp(I * SPEED * time);
}

static double complex
fly_all_ways(double time)
{
  return exp(-0.5 * SPEED * SPEED * time * time);
}

/* A particle that flies is a line at ω = q·v; a gas of them a Gaussian. */
static void
test_free_particles(void)
{
  g_auto(DebyeSpectrum) line =
      make_spectrum((DebyeSpectrumSettings){.window = DEBYE_SPECTRUM_WINDOW_HANN}, fly, N_TIMES, 1.0);
  g_auto(DebyeSpectrum) gas = make_spectrum((DebyeSpectrumSettings){.window = DEBYE_SPECTRUM_WINDOW_NONE},
                                            fly_all_ways, N_TIMES, 1.0);
  gsize top = 0;
  for (gsize k = 0; k < line.n_channels; k++)
    top = line.values[k] > line.values[top] ? k : top;
  g_assert_cmpfloat_with_epsilon(line.axis[top], SPEED, 0.5 * line.channel + 1e-9);
  for (gsize k = 0; k < gas.n_channels; k++) {
    double part = gas.axis[k] / SPEED;
    g_assert_cmpfloat_with_epsilon(gas.values[k], exp(-0.5 * part * part) / (SPEED * sqrt(2.0 * G_PI)),
                                   1e-12);
  }
}

static DebyeResolution
parse(const char *text)
{
  g_autoptr(GError) error = NULL;
  DebyeResolution resolution;
  debye_resolution_parse(&resolution, text, &error);
  g_assert_no_error(error);
  return resolution;
}

/* Widths of Lorentzians add; a Gaussian on what doesn't move is itself, with its width in meV. */
static void
test_resolutions(void)
{
  DebyeSpectrumSettings settings = {
      .window = DEBYE_SPECTRUM_WINDOW_NONE, .in_energy = TRUE, .resolution = parse("lorentzian:0.3")};
  g_auto(DebyeSpectrum) sum = make_spectrum(settings, diffuse, N_TIMES, 1.0);
  g_assert_cmpfloat_with_epsilon(get_half_width(&sum), DEBYE_HBAR * RATE + 0.15, 1e-3);
  settings.resolution = parse("gaussian:0.5");
  g_auto(DebyeSpectrum) gaussian = make_spectrum(settings, fly_all_ways, N_TIMES, 1.0);
  double sigma = 0.5 / sqrt(8.0 * G_LN2), width = hypot(sigma, DEBYE_HBAR * SPEED);
  for (gsize k = 0; k < gaussian.n_channels; k++) {
    double part = gaussian.axis[k] / width;
    g_assert_cmpfloat_with_epsilon(gaussian.values[k], exp(-0.5 * part * part) / (width * sqrt(2.0 * G_PI)),
                                   1e-12);
  }
}

static char *
write_file(const char *text)
{
  char *path = NULL;
  g_autoptr(GError) error = NULL;
  int fd = g_file_open_tmp("debye-resolution-XXXXXX.dat", &path, &error);
  g_assert_no_error(error);
  g_close(fd, NULL);
  g_file_set_contents(path, text, -1, &error);
  g_assert_no_error(error);
  return path;
}

static DebyeResolution
read_text(const char *text, GError **error)
{
  g_autofree char *path = write_file(text);
  g_autofree char *setting = g_strconcat("file:", path, NULL);
  DebyeResolution resolution;
  gboolean good = debye_resolution_parse(&resolution, setting, error);
  g_assert_true(good == (error == NULL || *error == NULL));
  g_unlink(path);
  return resolution;
}

/* A triangle of half base 2 µeV, whose transform is (sin x/x)², x = τ·1 µeV/ħ; beside the middle it turns. */
static void
test_measured(void)
{
  g_auto(DebyeResolution) triangle =
      read_text("# unit of E: µeV\nE, I\n-2, 0\n-1.5, 2\n0, 8\n1, 4\n2, 0\n", NULL);
  g_auto(DebyeResolution) shifted = read_text("0.999 0 0.1\n1 4 0.1\n1.001 0 0.1\n", NULL);
  for (double time = 0.0; time < 5000.0; time += 123.4) {
    double x = 1e-3 * time / DEBYE_HBAR, half = 0.5 * x;
    double expected = x > 0.0 ? sin(x) * sin(x) / (x * x) : 1.0;
    double narrow = x > 0.0 ? sin(half) * sin(half) / (half * half) : 1.0;
    double complex value = debye_resolution_transform(&triangle, time);
    g_assert_cmpfloat_with_epsilon(creal(value), expected, 1e-12);
    g_assert_cmpfloat_with_epsilon(cimag(value), 0.0, 1e-12);
    value = debye_resolution_transform(&shifted, time) / (narrow * cexp(I * time / DEBYE_HBAR));
    g_assert_cmpfloat_with_epsilon(cabs(value - 1.0), 0.0, 1e-6);
  }
}

static void
test_detailed_balance(void)
{
  const DebyeSpectrumSettings settings = {
      .window = DEBYE_SPECTRUM_WINDOW_HANN, .in_energy = TRUE, .temperature = 280.0};
  g_auto(DebyeSpectrum) spectrum = make_spectrum(settings, diffuse, 401, 1.0);
  gsize last = spectrum.n_channels - 1;
  for (gsize k = 0; k < spectrum.n_channels / 2; k++) {
    double energy = spectrum.axis[last - k];
    g_assert_cmpfloat_with_epsilon(energy, -spectrum.axis[k], 1e-12);
    double ratio = spectrum.values[k] / spectrum.values[last - k];
    double expected = exp(-energy / (DEBYE_BOLTZMANN * 280.0));
    g_assert_cmpfloat_with_epsilon(ratio / expected, 1.0, 1e-9);
  }
}

/* Near 0 K the factor is beyond a double at the largest ω: no value, and all others as they are. */
static void
test_balance_near_zero(void)
{
  const DebyeSpectrumSettings cold = {.window = DEBYE_SPECTRUM_WINDOW_HANN,
                                      .in_energy = TRUE,
                                      .temperature = 0.02},
                              classical = {.window = DEBYE_SPECTRUM_WINDOW_HANN, .in_energy = TRUE};
  g_auto(DebyeSpectrum) spectrum = make_spectrum(cold, diffuse, 401, 1.0);
  g_auto(DebyeSpectrum) plain = make_spectrum(classical, diffuse, 401, 1.0);
  g_assert_cmpuint(plain.n_finite, ==, plain.n_channels);
  g_assert_cmpuint(spectrum.n_finite, <, spectrum.n_channels);
  g_assert_cmpfloat(spectrum.axis[spectrum.n_finite], >, 0.0);
  for (gsize k = 0; k < spectrum.n_channels; k++) {
    const double factor = exp(spectrum.axis[k] / (2.0 * DEBYE_BOLTZMANN * 0.02));
    g_assert_true(isnan(spectrum.values[k]) == (k >= spectrum.n_finite));
    if (k < spectrum.n_finite)
      g_assert_cmpfloat_with_epsilon(spectrum.values[k], factor * plain.values[k],
                                     1e-9 * fabs(factor * plain.values[k]) + 1e-300);
    else
      g_assert_true(!isfinite(factor) || !isfinite(factor * plain.values[k]));
  }
}

static void
expect_error(const char *text, const char *part)
{
  g_autoptr(GError) error = NULL;
  DebyeResolution resolution;
  g_assert_false(debye_resolution_parse(&resolution, text, &error));
  g_assert_nonnull(strstr(error->message, part));
  g_assert_true(g_str_has_prefix(error->message, "Resolution: "));
  debye_resolution_clear(&resolution);
}

static void
expect_bad_file(const char *text, const char *part)
{
  g_autoptr(GError) error = NULL;
  g_auto(DebyeResolution) resolution = read_text(text, &error);
  g_assert_nonnull(error);
  g_assert_nonnull(strstr(error->message, part));
  g_assert_true(g_str_has_prefix(error->message, "Resolution: "));
}

static void
test_bad_resolutions(void)
{
  expect_error("box:3", "expected none, gaussian:FWHM");
  expect_error("gaussian:wide", "found “wide”");
  expect_error("lorentzian:-1", "above 0");
  expect_error("file:/no/such/file", "file");
  expect_bad_file("this is\nno line\n", "expected rows of two or more numbers");
  expect_bad_file("0 1\n1 2\n0.5 1\n", "ascending");
  expect_bad_file("0 1\n1 nan\n2 1\n", "finite");
  expect_bad_file("-1 0\n0 0\n1 0\n", "area above 0");
  expect_bad_file("0 1\n1 2\n", "three or more points");
  expect_bad_file("# unit of t: ps\nt, I\n0, 1\n1, 2\n2, 1\n", "expected energies in meV");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/spectrum/diffusion", test_diffusion);
  g_test_add_func("/spectrum/free-particles", test_free_particles);
  g_test_add_func("/spectrum/resolutions", test_resolutions);
  g_test_add_func("/spectrum/measured", test_measured);
  g_test_add_func("/spectrum/detailed-balance", test_detailed_balance);
  g_test_add_func("/spectrum/balance-near-zero", test_balance_near_zero);
  g_test_add_func("/spectrum/bad-resolutions", test_bad_resolutions);
  return g_test_run();
}
