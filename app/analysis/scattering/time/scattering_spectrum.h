/* SPDX-License-Identifier: MIT */
/* S(q, ω) from F(q, τ), for scattering_dynamic_result.c: the window, the resolution, the transform, the unit
 * of the axis and detailed balance.
 *
 *   S(q, ω) = 1/2π ∫ F(q, τ) w(τ) R(τ) exp(−iωτ) dτ,   F(q, −τ) = F(q, τ)*
 *
 * ω > 0 is energy that the sample takes up. Classical motion knows no difference between taking and giving;
 * detailed balance S(−ω) = exp(−ħω/kT)·S(ω) is put in by the factor exp(ħω/2kT). That comes last: resolutions
 * are narrow against kT, and before them the factor would spread the noise of the largest ω over all. Near
 * 0 K, where it is beyond a double's range at the largest ω, S has no values there. */
#pragma once

#include "app/analysis/scattering/system/scattering_settings.h"
#include "scattering_resolution.h"

typedef struct {
  DebyeSpectrumWindow window;
  DebyeResolution resolution;
  gboolean in_energy;      /* over ħω in meV, else over ω in 1/ps */
  double temperature;      /* K, of detailed balance; 0: classical */
  double rule_temperature; /* K, of the speeds in sum rules */
} DebyeSpectrumSettings;

/* From the settings of scattering. FALSE with an error that begins with the setting's label. */
gboolean debye_spectrum_settings_init(DebyeSpectrumSettings *settings, const DebyeScatteringSettings *of,
                                      GError **error);
void debye_spectrum_settings_clear(DebyeSpectrumSettings *settings);

typedef struct {
  gsize n_rows, n_channels;
  double *axis;     /* n_channels, ascending, 0 in the middle: meV or 1/ps */
  double *values;   /* [row·n_channels + channel], F's unit per that of the axis */
  double channel;   /* the axis' spacing */
  double deviation; /* of the integral of the classical spectrum from F(q, 0), the largest, as a part of it */
  gsize n_finite;   /* channels in which all rows have values: those behind them are NAN */
} DebyeSpectrum;

/* fqt[row·stride + time], of which the first n_times count, each with its row's factor; `step` in ps. FALSE
 * with an error. */
gboolean debye_spectrum_init(DebyeSpectrum *spectrum, const DebyeSpectrumSettings *settings,
                             const double complex *fqt, const double *factors, gsize n_rows, gsize stride,
                             gsize n_times, double step, GError **error);
void debye_spectrum_clear(DebyeSpectrum *spectrum);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeSpectrum, debye_spectrum_clear)
