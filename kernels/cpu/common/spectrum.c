/* SPDX-License-Identifier: MIT */
/* Implementation of kernels/spectrum.h through FFTW: spectra of functions of time; called by
 * scattering_spectrum.c. */
#include "spectrum.h"

#include <math.h>
#include <stdlib.h>

#include "fourier.h"

size_t
debye_spectrum_length(size_t n_times)
{
  return 2 * n_times - 1;
}

/* 2π/((2n − 1)Δ) */
static double
get_spacing(size_t n_times, double step)
{
  return 8.0 * atan(1.0) / ((double)debye_spectrum_length(n_times) * step);
}

void
debye_spectrum_frequencies(size_t n_times, double step, double *frequencies)
{
  double spacing = get_spacing(n_times, step);
  for (size_t k = 0; k < debye_spectrum_length(n_times); k++)
    frequencies[k] = spacing * ((double)k - (double)(n_times - 1));
}

/* Both halves, τ = 0 first, the negative ones from the end backwards. */
static void
unfold(const double *f, size_t n_times, double *whole)
{
  size_t length = debye_spectrum_length(n_times);
  whole[0] = f[0];
  whole[1] = 0.0;
  for (size_t t = 1; t < n_times; t++) {
    whole[2 * t] = whole[2 * (length - t)] = f[2 * t];
    whole[2 * t + 1] = f[2 * t + 1];
    whole[2 * (length - t) + 1] = -f[2 * t + 1];
  }
}

static void
transform_row(const DebyeFourier *fourier, const double *f, size_t n_times, double step, double *work,
              double *spectrum)
{
  size_t length = debye_spectrum_length(n_times);
  double scale = 1.0 / (get_spacing(n_times, step) * (double)length);
  unfold(f, n_times, work);
  debye_fourier_forward(fourier, work);
  for (size_t k = 0; k < length; k++)
    spectrum[k] = scale * work[2 * ((k + n_times) % length)];
}

DebyeStatusCode
debye_spectrum_transform(const double *f, size_t n_times, size_t n_rows, double step, double *spectra,
                         DebyeStatus *status)
{
  size_t length = debye_spectrum_length(n_times);
  const DebyeFourierSettings settings = {.double_precision = true, .shape = {length, 1, 1}, .batch = 1};
  DebyeFourier *fourier = NULL;
  DebyeStatusCode code = debye_fourier_create(&settings, NULL, &fourier, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  double *work = malloc(2 * length * sizeof *work);
  for (size_t row = 0; row < n_rows && work != NULL; row++)
    transform_row(fourier, f + 2 * row * n_times, n_times, step, work, spectra + row * length);
  debye_fourier_destroy(fourier);
  if (work == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "No memory for a spectrum of %zu channels.",
                            length);
  free(work);
  return debye_status_ok(status);
}
