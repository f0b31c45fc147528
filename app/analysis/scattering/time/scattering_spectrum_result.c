/* SPDX-License-Identifier: MIT */
/* Puts S(q, ω) into a result; called by scattering_dynamic_result.c. */
#include "scattering_spectrum_result.h"

#include "scattering_rows.h"
#include "data/files/error.h"
#include "app/analysis/scattering/system/scattering_norm.h"

#define MAX_CURVES 6 /* over ω: more can't be told apart in one plot */

gboolean
debye_scattering_spectrum_check(const DebyeIntermediateScattering *scattering, gsize n_times, GError **error)
{
  if (scattering->signal != DEBYE_SIGNAL_AUTOCORRELATE)
    return debye_error_set_about(error, DEBYE_ERROR_SETTING, "Signal",
                                 "a spectrum needs correlations in time, expected autocorrelate");
  if (!(scattering->step > 0.0))
    return debye_error_set_about(
        error, DEBYE_ERROR_MISSING, "Spectrum",
        "the files don't state the time between frames, expected frames at even steps");
  if (n_times >= 2)
    return TRUE;
  return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Spectrum",
                               "expected F(q, τ) at two or more times, found %" G_GSIZE_FORMAT, n_times);
}

static DebyeQuantity
get_axis_quantity(const DebyeSpectrumSettings *settings)
{
  return settings->in_energy ? (DebyeQuantity){"omega", "ħω", "meV"} : (DebyeQuantity){"omega", "ω", "1/ps"};
}

/* F's unit per meV, or times ps. To be freed. */
static char *
make_unit(const DebyeScatteringPlan *plan, const DebyeSpectrumSettings *settings)
{
  const char *unit = debye_scattering_quantity(plan).unit;
  if (unit == NULL)
    return g_strdup(settings->in_energy ? "1/meV" : "ps");
  return g_strconcat(unit, settings->in_energy ? "/meV" : " ps", NULL);
}

static void
add_curves(DebyeResult *result, const DebyeIntermediateScattering *scattering, const DebyeSpectrum *spectrum,
           const DebyeQuantity *x, const DebyeQuantity *y)
{
  gsize n = MIN(spectrum->n_rows, MAX_CURVES);
  for (gsize i = 0; i < n; i++) {
    gsize row = n > 1 ? i * (spectrum->n_rows - 1) / (n - 1) : 0;
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_autofree char *name =
        g_strdup_printf("S, q = %s Å⁻¹", g_ascii_formatd(number, sizeof number, "%.3g", scattering->q[row]));
    g_autoptr(DebyeCurve) curve =
        debye_curve_new(name, x, y, DEBYE_CURVE_LINE, spectrum->n_channels, spectrum->axis,
                        spectrum->values + row * spectrum->n_channels, NULL);
    debye_result_add_curve(result, curve);
  }
}

/* Long form: q, ω, S. */
static DebyeTable *
make_table(const DebyeIntermediateScattering *scattering, const DebyeSpectrum *spectrum,
           const DebyeQuantity *x, const DebyeQuantity *y)
{
  gsize n = spectrum->n_rows * spectrum->n_channels;
  DebyeTable *table = debye_table_new("spectrum");
  g_autofree double *axis = g_new(double, n);
  for (gsize i = 0; i < n; i++)
    axis[i] = spectrum->axis[i % spectrum->n_channels];
  debye_intermediate_scattering_add_row_names(table, scattering, spectrum->n_channels);
  debye_table_add_numbers(table, x, n, axis);
  debye_table_add_numbers(table, y, n, spectrum->values);
  return table;
}

static void
add_notes(DebyeResult *result, const DebyeSpectrum *spectrum, const DebyeSpectrumSettings *settings)
{
  char channel[G_ASCII_DTOSTR_BUF_SIZE], last[G_ASCII_DTOSTR_BUF_SIZE], off[G_ASCII_DTOSTR_BUF_SIZE];
  const char *unit = settings->in_energy ? "meV" : "1/ps";
  debye_result_add_note_of(
      result, DEBYE_NOTE_CAPTION, "S(q, ω)",
      "S(q, ω): channels of %s %s up to %s %s; the integral over ω is F(q, 0) within a part of %s%s",
      g_ascii_formatd(channel, sizeof channel, "%.3g", spectrum->channel), unit,
      g_ascii_formatd(last, sizeof last, "%.3g", spectrum->axis[spectrum->n_channels - 1]), unit,
      g_ascii_formatd(off, sizeof off, "%.1g", spectrum->deviation),
      settings->temperature > 0.0 ? " before detailed balance, whose factor adds to it" : "");
  if (spectrum->n_finite < spectrum->n_channels)
    debye_result_add_note_of(
        result, DEBYE_NOTE_WARNING, NULL,
        "from %s %s on the factor of detailed balance is too large for a number at %s K: "
        "S(q, ω) has no values there",
        g_ascii_formatd(last, sizeof last, "%.3g", spectrum->axis[spectrum->n_finite]), unit,
        g_ascii_formatd(off, sizeof off, "%g", settings->temperature));
  double width = settings->resolution.width / (settings->in_energy ? 1.0 : DEBYE_HBAR);
  if (settings->resolution.kind != DEBYE_RESOLUTION_NONE &&
      settings->resolution.kind != DEBYE_RESOLUTION_MEASURED && width < spectrum->channel)
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL,
                             "the resolution is finer than a channel: F(q, τ) is too short to show it");
}

void
debye_scattering_spectrum_add(DebyeResult *result, const DebyeIntermediateScattering *scattering,
                              const DebyeSpectrum *spectrum, const DebyeSpectrumSettings *settings)
{
  const DebyeQuantity row = {"q", "q", "Å⁻¹"}, x = get_axis_quantity(settings);
  g_autofree char *unit = make_unit(scattering->plan, settings);
  const DebyeQuantity y = {"S", "S(q, ω)", unit};
  add_curves(result, scattering, spectrum, &x, &y);
  g_autoptr(DebyeMatrix) matrix =
      debye_matrix_new("spectrum", &row, spectrum->n_rows, scattering->q, &x, spectrum->n_channels,
                       spectrum->axis, &y, spectrum->values, NULL);
  g_autoptr(DebyeTable) table = make_table(scattering, spectrum, &x, &y);
  debye_result_add_matrix(result, matrix);
  debye_result_add_table(result, table);
  add_notes(result, spectrum, settings);
}
