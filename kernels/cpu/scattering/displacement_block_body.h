/* SPDX-License-Identifier: MIT */
/* The loop of displacement_block.h, compiled once for each instruction set. Sums run in 16 lanes that are
 * added at the end, so that vectors need no leave to reorder and all CPUs add in the same order. */
#pragma once

#include "displacement_block.h"
#include "kernels/scattering/displacement_math.h"

#define DEBYE_DISPLACEMENT_LANES 16

static inline __attribute__((always_inline)) float
debye_displacement_find(const DebyeDisplacementStrip *strip, size_t t, int32_t *bin)
{
  const float *x = strip->x + t, *y = strip->y + t, *z = strip->z + t;
  const size_t lag = strip->lag;
  const float dx = x[lag] - x[0], dy = y[lag] - y[0], dz = z[lag] - z[0];
  const float square = dx * dx + dy * dy + dz * dz;
  const float place = __builtin_sqrtf(square) * strip->scale;
  const float inside = place < strip->end ? place : strip->end;
  const int32_t k = (int32_t)inside;
  const float middle = inside - (float)k - 0.5f;
  const float clear = 0.5f - inside * DEBYE_DISPLACEMENT_ERROR;
  *bin = (middle < 0.0f ? -middle : middle) < clear ? k : ~k;
  return square;
}

static inline __attribute__((always_inline)) void
debye_displacement_body(const DebyeDisplacementStrip *strip, int32_t *bin, double *square, double *fourth)
{
  float two[DEBYE_DISPLACEMENT_LANES] = {0.0f}, four[DEBYE_DISPLACEMENT_LANES] = {0.0f};
  const size_t whole = strip->n / DEBYE_DISPLACEMENT_LANES * DEBYE_DISPLACEMENT_LANES;
  for (size_t first = 0; first < whole; first += DEBYE_DISPLACEMENT_LANES)
    for (size_t l = 0; l < DEBYE_DISPLACEMENT_LANES; l++) {
      const float found = debye_displacement_find(strip, first + l, &bin[first + l]);
      two[l] += found;
      four[l] += found * found;
    }
  for (size_t t = whole; t < strip->n; t++) {
    const float found = debye_displacement_find(strip, t, &bin[t]);
    two[t - whole] += found;
    four[t - whole] += found * found;
  }
  for (size_t l = 0; l < DEBYE_DISPLACEMENT_LANES; l++) {
    *square += (double)two[l];
    *fourth += (double)four[l];
  }
}
