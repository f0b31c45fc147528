/* SPDX-License-Identifier: MIT */
/* Puts S(q, ω) into a result; called by scattering_dynamic_result.c. */
#include "scattering_spectrum_result.h"

#include <math.h>

#include "app/analysis/scattering/system/scattering_norm.h"
#include "data/files/error.h"
#include "data/tables/elements.h"
#include "intermediate_scattering.h"
#include "scattering_rows.h"
#include "scattering_spectrum.h"

/* --- Sum rules --- */

/* CODATA 2018, of atomic mass units: ħ in u Å²/ps, k in u Å²/(ps² K). */
#define HBAR_IN_U 6.350779924
#define BOLTZMANN_IN_U 0.8314462618
#define DEUTERIUM_MASS 2.01410178

enum { ZEROTH, ZEROTH_RULE, FIRST, FIRST_RULE, SECOND, SECOND_RULE, N_MOMENTS };

/* That of the simulation where the files say it, else that of the element or isotope. */
static double
get_mass(const DebyeScatteringPlan *plan, guint species)
{
  const DebyeScatterer *scatterer = debye_scatterers_get(&plan->scatterers, species);
  const float *masses = debye_topology_get_masses(plan->topology);
  float own = masses != NULL ? masses[g_array_index(scatterer->atoms, guint32, 0)] : 0.0f;
  double mass = debye_element_get(scatterer->element)->mass;
  if (own > 0.0f)
    return own;
  if (scatterer->length != NULL && scatterer->length->mass_number > 0)
    mass = scatterer->length->mass_number;
  return scatterer->is_exchangeable ? mass + scatterer->exchanged * (DEUTERIUM_MASS - mass) : mass;
}

/* Σ N w²/m of what scatters, at a q. */
static double
sum_over_masses(const DebyeScatteringPlan *plan, double q)
{
  double sum = 0.0;
  for (guint s = 0; s < plan->scatterers.species->len; s++) {
    double b = cabs(debye_scatterers_coherent(&plan->scatterers, s, q)), weight = 0.0;
    if (plan->with_coherent)
      weight += b * b;
    if (plan->with_incoherent)
      weight += debye_scatterers_incoherent(&plan->scatterers, s);
    sum += weight * (double)debye_scatterers_get(&plan->scatterers, s)->atoms->len / get_mass(plan, s);
  }
  return sum;
}

static void
sum_moments(const DebyeSpectrum *spectrum, gsize row, double moments[3])
{
  moments[0] = moments[1] = moments[2] = 0.0;
  for (gsize k = 0; k < spectrum->n_channels; k++) {
    double omega = spectrum->axis[k],
           value = spectrum->values[row * spectrum->n_channels + k] * spectrum->channel;
    moments[0] += value;
    moments[1] += omega * value;
    moments[2] += omega * omega * value;
  }
}

static void
fill_row(const DebyeIntermediateScattering *scattering, const DebyeSpectrum *spectrum,
         const DebyeSpectrumSettings *settings, double f_zero, double factor, gsize row, double *values)
{
  double q = scattering->q[row], moments[3], unit = settings->in_energy ? DEBYE_HBAR : 1.0;
  double masses = factor * sum_over_masses(scattering->plan, q) * q * q;
  sum_moments(spectrum, row, moments);
  values[ZEROTH] = moments[0];
  values[ZEROTH_RULE] = f_zero;
  values[FIRST] = moments[1];
  values[FIRST_RULE] = settings->temperature > 0.0 ? 0.5 * HBAR_IN_U * unit * masses : 0.0;
  values[SECOND] = moments[2];
  values[SECOND_RULE] = BOLTZMANN_IN_U * settings->rule_temperature * unit * unit * masses;
}

static void
add_columns(DebyeTable *table, const DebyeIntermediateScattering *scattering, const double *moments,
            const char *unit)
{
  static const struct {
    const char *name;
    int power; /* of the axis' unit */
  } columns[N_MOMENTS] = {
      [ZEROTH] = {"zeroth_moment", 0}, [ZEROTH_RULE] = {"F_zero", 0},
      [FIRST] = {"first_moment", 1},   [FIRST_RULE] = {"first_moment_rule", 1},
      [SECOND] = {"second_moment", 2}, [SECOND_RULE] = {"second_moment_free_atoms", 2},
  };
  const char *intensity = debye_scattering_quantity(scattering->plan).unit;
  static const char *const powers[] = {"", " ", " ", "²"};
  g_autofree double *values = g_new(double, scattering->n_rows);
  debye_intermediate_scattering_add_row_names(table, scattering, 1);
  for (guint c = 0; c < N_MOMENTS; c++) {
    g_autofree char *own =
        g_strconcat(intensity != NULL ? intensity : "", intensity != NULL ? powers[columns[c].power] : "",
                    columns[c].power > 0 ? unit : "", columns[c].power == 2 ? powers[3] : "", NULL);
    for (gsize row = 0; row < scattering->n_rows; row++)
      values[row] = moments[row * N_MOMENTS + c];
    debye_table_add_numbers(table,
                            &(DebyeQuantity){columns[c].name, columns[c].name, own[0] != '\0' ? own : NULL},
                            scattering->n_rows, values);
  }
}

/* The least and the largest of a moment against its rule. */
static void
find_ratios(const double *moments, gsize n_rows, guint moment, guint rule, double ratios[2])
{
  ratios[0] = INFINITY;
  ratios[1] = -INFINITY;
  for (gsize row = 0; row < n_rows; row++) {
    double ratio = moments[row * N_MOMENTS + moment] / moments[row * N_MOMENTS + rule];
    ratios[0] = fmin(ratios[0], ratio);
    ratios[1] = fmax(ratios[1], ratio);
  }
}

static void
add_note(DebyeResult *result, const DebyeSpectrumSettings *settings, const double *moments, gsize n_rows)
{
  char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE], kelvin[G_ASCII_DTOSTR_BUF_SIZE];
  gboolean balanced = settings->temperature > 0.0;
  double ratios[2];
  find_ratios(moments, n_rows, balanced ? FIRST : SECOND, balanced ? FIRST_RULE : SECOND_RULE, ratios);
  if (!isfinite(ratios[0]) || !isfinite(ratios[1]))
    return;
  debye_result_add_note(result,
                        balanced ? "Sum rules: the first moment is %s to %s of free atoms' at %s K; rigid "
                                   "bonds and frames too far apart reduce it (table sum_rules)"
                                 : "Sum rules: the second moment is %s to %s of free atoms' at %s K; rigid "
                                   "bonds and frames too far apart reduce it (table sum_rules)",
                        g_ascii_formatd(low, sizeof low, "%.3g", ratios[0]),
                        g_ascii_formatd(high, sizeof high, "%.3g", ratios[1]),
                        g_ascii_formatd(kelvin, sizeof kelvin, "%g", settings->rule_temperature));
}

void
debye_scattering_sum_rules_add(DebyeResult *result, const DebyeIntermediateScattering *scattering,
                               const DebyeSpectrum *spectrum, const DebyeSpectrumSettings *settings,
                               const double complex *fqt, gsize stride, const double *factors)
{
  g_autofree double *moments = g_new(double, N_MOMENTS * scattering->n_rows);
  g_autoptr(DebyeTable) table = debye_table_new("sum_rules");
  for (gsize row = 0; row < scattering->n_rows; row++)
    fill_row(scattering, spectrum, settings, factors[row] * creal(fqt[row * stride]), factors[row], row,
             moments + row * N_MOMENTS);
  add_columns(table, scattering, moments, settings->in_energy ? "meV" : "ps⁻¹");
  debye_result_add_table(result, table);
  add_note(result, settings, moments, scattering->n_rows);
}

/* --- The spectrum --- */

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
  return n_times >= 2 ||
         debye_error_set_about(error, DEBYE_ERROR_VALUE, "Spectrum",
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
