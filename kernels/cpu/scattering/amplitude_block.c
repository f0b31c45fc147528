/* SPDX-License-Identifier: MIT */
/* The amplitudes' inner loops, called by scattering_amplitude.c; compiled once per instruction set. Plain C
 * that the compiler vectorises: the lanes are q, so that they are independent. */
#include "amplitude_block.h"
#include "kernels/scattering/amplitude_math.h"

#define LANES DEBYE_AMPLITUDE_STRIP

static inline __attribute__((always_inline)) void
add_run(const DebyeAmplitudeTile *tile, size_t first, size_t end, const DebyeAmplitudeStrip *strip,
        DebyeAmplitudeSums *sums)
{
  float real[LANES] = {0.0f}, imaginary[LANES] = {0.0f};
  for (size_t atom = first; atom < end; atom++) {
    const double x = tile->x[atom], y = tile->y[atom], z = tile->z[atom];
    const float weight = tile->weight[atom];
    float fraction[LANES];
    for (int i = 0; i < LANES; i++)
      fraction[i] = debye_turn_signed_fraction(strip->x[i] * x +
                                               (strip->y[i] * y + (strip->z[i] * z + DEBYE_TURN_PLAIN_BASE)));
    for (int i = 0; i < LANES; i++) {
      float sine, cosine;
      debye_turn_sine_cosine(fraction[i], &sine, &cosine);
      real[i] += weight * cosine;
      imaginary[i] += weight * sine;
    }
  }
  for (int i = 0; i < LANES; i++) {
    sums->real[i] += (double)real[i];
    sums->imaginary[i] += (double)imaginary[i];
  }
}

static void
add_float(const DebyeAmplitudeTile *tile, const DebyeAmplitudeStrip *strip, DebyeAmplitudeSums *sums)
{
  for (size_t first = 0; first < tile->n; first += DEBYE_AMPLITUDE_RUN) {
    const size_t left = tile->n - first;
    add_run(tile, first, first + (left < DEBYE_AMPLITUDE_RUN ? left : DEBYE_AMPLITUDE_RUN), strip, sums);
  }
}

static void
add_double(const DebyeAmplitudeTile *tile, const DebyeAmplitudeStrip *strip, DebyeAmplitudeSums *sums)
{
  double real[LANES] = {0.0}, imaginary[LANES] = {0.0};
  for (size_t atom = 0; atom < tile->n; atom++) {
    const double x = tile->x[atom], y = tile->y[atom], z = tile->z[atom];
    const double weight = (double)tile->weight[atom];
    for (int i = 0; i < LANES; i++) {
      const DebyeTurnVector q = {strip->x[i],      strip->y[i],      strip->z[i],
                                 strip->rest_x[i], strip->rest_y[i], strip->rest_z[i]};
      double sine, cosine;
      debye_exact_sine_cosine(debye_exact_fraction(&q, x, y, z), &sine, &cosine);
      real[i] += weight * cosine;
      imaginary[i] += weight * sine;
    }
  }
  for (int i = 0; i < LANES; i++) {
    sums->real[i] += real[i];
    sums->imaginary[i] += imaginary[i];
  }
}

const DebyeAmplitudeBlock DEBYE_AT_LEVEL(debye_amplitude_block) = {.add_float = add_float,
                                                                   .add_double = add_double};
