/* SPDX-License-Identifier: MIT */
/* Transforms F(q, t) into S(q, ω); called by scattering_spectrum_result.c. */
#include "scattering_spectrum.h"

#include <math.h>

#include "data/files/error.h"
#include "kernels/cpu/common/spectrum.h"

/* --- What is asked for --- */

gboolean
debye_spectrum_settings_init(DebyeSpectrumSettings *settings, const DebyeScatteringSettings *of,
                             GError **error)
{
  *settings = (DebyeSpectrumSettings){
      .window = of->window,
      .in_energy = of->frequency == DEBYE_FREQUENCY_MEV,
      .temperature = of->detailed_balance ? of->temperature : 0.0,
      .rule_temperature = of->temperature,
  };
  return debye_resolution_parse(&settings->resolution, of->resolution, error);
}

void
debye_spectrum_settings_clear(DebyeSpectrumSettings *settings)
{
  debye_resolution_clear(&settings->resolution);
}

/* --- In time --- */

/* At 0 it is 1; `longest` is the last time. */
static double
window_at(DebyeSpectrumWindow window, double time, double longest)
{
  double part = longest > 0.0 ? time / longest : 0.0;
  switch (window) {
  case DEBYE_SPECTRUM_WINDOW_HANN:
    return 0.5 * (1.0 + cos(G_PI * part));
  case DEBYE_SPECTRUM_WINDOW_GAUSSIAN:
    return exp(-4.5 * part * part);
  case DEBYE_SPECTRUM_WINDOW_NONE:
    break;
  }
  return 1.0;
}

/* Rows times their factors, the window and the resolution; NULL without the memory. */
static double complex *
make_functions(const DebyeSpectrumSettings *settings, const double complex *fqt, const double *factors,
               gsize n_rows, gsize stride, gsize n_times, double step)
{
  double complex *functions = g_try_new(double complex, n_rows *n_times);
  double longest = step * (double)(n_times - 1);
  for (gsize t = 0; t < n_times && functions != NULL; t++) {
    double time = step * (double)t;
    double complex filter =
        window_at(settings->window, time, longest) * debye_resolution_transform(&settings->resolution, time);
    for (gsize row = 0; row < n_rows; row++)
      functions[row * n_times + t] = factors[row] * filter * fqt[row * stride + t];
  }
  return functions;
}

/* --- In frequency --- */

/* How much the integral of a row is off F(q, 0). */
static double
get_deviation(const DebyeSpectrum *spectrum, gsize row, double expected)
{
  double sum = 0.0;
  for (gsize k = 0; k < spectrum->n_channels; k++)
    sum += spectrum->values[row * spectrum->n_channels + k];
  sum *= spectrum->channel;
  return expected != 0.0 ? fabs(sum / expected - 1.0) : fabs(sum);
}

static void
weigh(DebyeSpectrum *spectrum, gsize row, const double *factors)
{
  double *values = spectrum->values + row * spectrum->n_channels;
  for (gsize k = 0; k < spectrum->n_channels; k++) {
    values[k] *= factors[k];
    if (isfinite(values[k]) && isfinite(factors[k]))
      continue;
    values[k] = NAN;
    spectrum->n_finite = MIN(spectrum->n_finite, k);
  }
}

/* The axis ends at one place for all rows. */
static void
cut(DebyeSpectrum *spectrum)
{
  for (gsize row = 0; row < spectrum->n_rows; row++)
    for (gsize k = spectrum->n_finite; k < spectrum->n_channels; k++)
      spectrum->values[row * spectrum->n_channels + k] = NAN;
}

/* From ω in 1/ps to what is asked for. */
static void
finish(DebyeSpectrum *spectrum, const DebyeSpectrumSettings *settings)
{
  double unit = settings->in_energy ? DEBYE_HBAR : 1.0;
  g_autofree double *factors = g_new(double, spectrum->n_channels);
  for (gsize k = 0; k < spectrum->n_channels; k++) {
    double energy = DEBYE_HBAR * spectrum->axis[k];
    factors[k] = 1.0 / unit;
    if (settings->temperature > 0.0)
      factors[k] *= exp(energy / (2.0 * DEBYE_BOLTZMANN * settings->temperature));
    spectrum->axis[k] *= unit;
  }
  spectrum->channel *= unit;
  for (gsize row = 0; row < spectrum->n_rows; row++)
    weigh(spectrum, row, factors);
  cut(spectrum);
}

static gboolean
allocate(DebyeSpectrum *spectrum, gsize n_rows, gsize n_times, GError **error)
{
  *spectrum = (DebyeSpectrum){.n_rows = n_rows, .n_channels = debye_spectrum_length(n_times)};
  spectrum->n_finite = spectrum->n_channels;
  spectrum->axis = g_try_new(double, spectrum->n_channels);
  spectrum->values = g_try_new(double, n_rows * spectrum->n_channels);
  if (spectrum->axis != NULL && spectrum->values != NULL)
    return TRUE;
  return debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Spectrum",
                               "no memory for %" G_GSIZE_FORMAT " values of q at %" G_GSIZE_FORMAT
                               " frequencies",
                               n_rows, spectrum->n_channels);
}

gboolean
debye_spectrum_init(DebyeSpectrum *spectrum, const DebyeSpectrumSettings *settings, const double complex *fqt,
                    const double *factors, gsize n_rows, gsize stride, gsize n_times, double step,
                    GError **error)
{
  DebyeStatus status = {0};
  if (!allocate(spectrum, n_rows, n_times, error))
    return FALSE;
  g_autofree double complex *functions =
      make_functions(settings, fqt, factors, n_rows, stride, n_times, step);
  debye_spectrum_frequencies(n_times, step, spectrum->axis);
  spectrum->channel = 2.0 * G_PI / ((double)spectrum->n_channels * step);
  if (functions == NULL || debye_spectrum_transform((const double *)functions, n_times, n_rows, step,
                                                    spectrum->values, &status) != DEBYE_STATUS_OK)
    return debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Spectrum",
                                 "%" G_GSIZE_FORMAT " values of q at %" G_GSIZE_FORMAT " times: %s", n_rows,
                                 n_times, functions == NULL ? "no memory" : status.message);
  for (gsize row = 0; row < n_rows; row++)
    spectrum->deviation =
        fmax(spectrum->deviation, get_deviation(spectrum, row, factors[row] * creal(fqt[row * stride])));
  finish(spectrum, settings);
  return TRUE;
}

void
debye_spectrum_clear(DebyeSpectrum *spectrum)
{
  g_clear_pointer(&spectrum->axis, g_free);
  g_clear_pointer(&spectrum->values, g_free);
}
