/* SPDX-License-Identifier: MIT */
/* Checks and helpers of signal processing that both back ends share: what each does before it starts, and
 * what is made of the results. */
#include "correlation.h"

#include <math.h>

#include "kernels/fourier_settings.h"

DebyeStatusCode
debye_correlation_settings_check(const DebyeCorrelationSettings *settings, DebyeStatus *status)
{
  if (settings->n_frames == 0 || settings->n_frames > DEBYE_SIGNAL_MAX_FRAMES)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "A series has %zu frames; there must be 1 to %zu.",
                            settings->n_frames, DEBYE_SIGNAL_MAX_FRAMES);
  if (settings->max_series == 0 || settings->max_series > SIZE_MAX / 64 / settings->n_frames)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "%zu series of %zu frames can't be processed at once.", settings->max_series,
                            settings->n_frames);
  if ((unsigned)settings->signal > DEBYE_SIGNAL_PLAIN)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There is no signal processing number %d.",
                            (int)settings->signal);
  return debye_status_ok(status);
}

static DebyeStatusCode
check_values(const double *values, size_t n_frames, size_t n_series, DebyeStatus *status)
{
  for (size_t i = 0; i < 2 * n_frames * n_series; i++)
    if (!isfinite(values[i]))
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "Frame %zu of series %zu has the value %g, which can't be correlated.",
                              i / 2 % n_frames + 1, i / 2 / n_frames + 1, values[i]);
  return debye_status_ok(status);
}

DebyeStatusCode
debye_correlation_series_check(const DebyeCorrelationSettings *settings, const double *a, const double *b,
                               size_t n_series, DebyeStatus *status)
{
  if (n_series > settings->max_series)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "%zu series were given to a plan for %zu.",
                            n_series, settings->max_series);
  DebyeStatusCode code = check_values(a, settings->n_frames, n_series, status);
  if (code == DEBYE_STATUS_OK && b != NULL)
    code = check_values(b, settings->n_frames, n_series, status);
  return code;
}

/* Lengths that are powers of two take about half as long a point as others. */
#define POWER_OF_TWO_GAIN 1.6

size_t
debye_correlation_length(size_t n_frames)
{
  const size_t least = 2 * n_frames - 1, good = debye_fourier_good_length(least);
  size_t power = 2;
  while (power < least)
    power *= 2;
  return (double)power <= POWER_OF_TWO_GAIN * (double)good ? power : good;
}

/* Halves down to short runs: the error grows with the logarithm of n. */
static void
sum_pairwise(const double *f, size_t n, double sum[2])
{
  sum[0] = sum[1] = 0.0;
  if (n <= 32) {
    for (size_t i = 0; i < n; i++) {
      sum[0] += f[2 * i];
      sum[1] += f[2 * i + 1];
    }
    return;
  }
  double other[2];
  sum_pairwise(f, n / 2, sum);
  sum_pairwise(f + n / 2 * 2, n - n / 2, other);
  sum[0] += other[0];
  sum[1] += other[1];
}

void
debye_signal_mean(const double *f, size_t n, double mean[2])
{
  sum_pairwise(f, n, mean);
  mean[0] /= (double)n;
  mean[1] /= (double)n;
}
