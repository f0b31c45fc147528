/* SPDX-License-Identifier: MIT */
/* Checks sizes of Fourier transforms and finds good ones; called by the transforms of both back ends. */
#include "fourier_settings.h"

#include <limits.h>
#include <stdint.h>

DebyeStatusCode
debye_fourier_check(const DebyeFourierSettings *settings, DebyeStatus *status)
{
  const size_t *shape = settings->shape;
  size_t n = settings->batch;
  for (int axis = 0; axis < 3; axis++) {
    /* A planner counts in int. */
    const size_t longest = axis == 0 ? INT_MAX - 1 : DEBYE_FOURIER_LONGEST_COLUMN;
    if (shape[axis] == 0 || shape[axis] > longest)
      return debye_status_set(
          status, DEBYE_STATUS_INVALID,
          "A Fourier transform along axis %d of %zu points was asked for; 1 to %zu are possible.", axis + 1,
          shape[axis], longest);
    if (__builtin_mul_overflow(n, shape[axis], &n))
      n = SIZE_MAX;
  }
  if (n == 0 || n > SIZE_MAX / 64)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "%zu Fourier transforms of %zu × %zu × %zu points can't be done at once.",
                            settings->batch, shape[0], shape[1], shape[2]);
  return debye_status_ok(status);
}

size_t
debye_fourier_n_real(const DebyeFourierSettings *settings)
{
  return settings->shape[0] * settings->shape[1] * settings->shape[2] * settings->batch;
}

size_t
debye_fourier_n_complex(const DebyeFourierSettings *settings)
{
  size_t row = settings->real ? settings->shape[0] / 2 + 1 : settings->shape[0];
  return row * settings->shape[1] * settings->shape[2] * settings->batch;
}

static bool
has_small_factors(size_t n)
{
  static const size_t primes[] = {2, 3, 5, 7};
  for (int i = 0; i < 4; i++)
    while (n % primes[i] == 0)
      n /= primes[i];
  return n == 1;
}

size_t
debye_fourier_good_length(size_t length)
{
  size_t n = length < 2 ? 2 : length + length % 2;
  while (!has_small_factors(n))
    n += 2;
  return n;
}
