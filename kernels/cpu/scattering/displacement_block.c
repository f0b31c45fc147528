/* SPDX-License-Identifier: MIT */
/* The loop of the displacements over the times of one atom, called by displacement_histogram.c; compiled once
 * per instruction set. Sums run in 16 lanes that are added at the end, so that vectors need no leave to
 * reorder and all CPUs add in the same order. */
#include "displacement_block.h"
#include "kernels/scattering/displacement_math.h"

#define LANES 16

static inline __attribute__((always_inline)) float
find_one(const DebyeDisplacementStrip *strip, size_t t, int32_t *bin)
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

static void
find(const DebyeDisplacementStrip *strip, int32_t *bin, double *square, double *fourth)
{
  float two[LANES] = {0.0f}, four[LANES] = {0.0f};
  const size_t whole = strip->n / LANES * LANES;
  for (size_t first = 0; first < whole; first += LANES)
    for (size_t l = 0; l < LANES; l++) {
      const float found = find_one(strip, first + l, &bin[first + l]);
      two[l] += found;
      four[l] += found * found;
    }
  for (size_t t = whole; t < strip->n; t++) {
    const float found = find_one(strip, t, &bin[t]);
    two[t - whole] += found;
    four[t - whole] += found * found;
  }
  for (size_t l = 0; l < LANES; l++) {
    *square += (double)two[l];
    *fourth += (double)four[l];
  }
}

const DebyeDisplacementBlock DEBYE_AT_LEVEL(debye_displacement_block) = {.find = find};
