/* SPDX-License-Identifier: MIT */
/* Sine and cosine in plain C that a compiler makes vectors of; the library's can't be. */
#pragma once

#include <stdint.h>

/* cos and sin of `quarters` quarter turns and an angle within ±π/4, by their Taylor series: good to 6e-8. */
static inline __attribute__((always_inline)) void
debye_self_sincos_float(float angle, int32_t quarters, float *cosine, float *sine)
{
  const float square = angle * angle;
  float s = 1.0f / 362880.0f, c = 1.0f / 40320.0f;
  s = s * square - 1.0f / 5040.0f;
  s = s * square + 1.0f / 120.0f;
  s = s * square - 1.0f / 6.0f;
  s = s * square * angle + angle;
  c = c * square - 1.0f / 720.0f;
  c = c * square + 1.0f / 24.0f;
  c = c * square - 0.5f;
  c = c * square + 1.0f;
  /* Factors of 0, 1 and −1: choices would keep the compiler from making vectors. */
  const float odd = (float)(quarters & 1), even = 1.0f - odd;
  *cosine = (c * even + s * odd) * (float)(1 - ((quarters + 1) & 2));
  *sine = (s * even + c * odd) * (float)(1 - (quarters & 2));
}

/* The same, good to 2e-16. */
static inline __attribute__((always_inline)) void
debye_self_sincos_double(double angle, int32_t quarters, double *cosine, double *sine)
{
  const double square = angle * angle;
  double s = 1.0 / 355687428096000.0, c = 1.0 / 20922789888000.0;
  s = s * square - 1.0 / 1307674368000.0;
  s = s * square + 1.0 / 6227020800.0;
  s = s * square - 1.0 / 39916800.0;
  s = s * square + 1.0 / 362880.0;
  s = s * square - 1.0 / 5040.0;
  s = s * square + 1.0 / 120.0;
  s = s * square - 1.0 / 6.0;
  s = s * square * angle + angle;
  c = c * square - 1.0 / 87178291200.0;
  c = c * square + 1.0 / 479001600.0;
  c = c * square - 1.0 / 3628800.0;
  c = c * square + 1.0 / 40320.0;
  c = c * square - 1.0 / 720.0;
  c = c * square + 1.0 / 24.0;
  c = c * square - 0.5;
  c = c * square + 1.0;
  const double odd = (double)(quarters & 1), even = 1.0 - odd;
  *cosine = (c * even + s * odd) * (double)(1 - ((quarters + 1) & 2));
  *sine = (s * even + c * odd) * (double)(1 - (quarters & 2));
}
