/* SPDX-License-Identifier: MIT */
/* The amplitudes' inner loops on the CPU: a strip of q against a tile of atoms, one version for each
 * instruction set. Who calls them: scattering_amplitude.c. */
#pragma once

#include <stddef.h>

#include "kernels/cpu/common/cpu_level.h"

/* q side by side, one a lane. */
#define DEBYE_AMPLITUDE_STRIP 16
#define DEBYE_AMPLITUDE_TILE 256
/* Atoms summed in float before the sum is added to the total in double. In a crystal all terms are alike, and
 * so is the rounding of each addition: 32 of them keep it below 1e-6 of the sum. */
#define DEBYE_AMPLITUDE_RUN 32

typedef struct {
  size_t n;
  double x[DEBYE_AMPLITUDE_TILE], y[DEBYE_AMPLITUDE_TILE], z[DEBYE_AMPLITUDE_TILE]; /* Å */
  float weight[DEBYE_AMPLITUDE_TILE];
} DebyeAmplitudeTile;

/* In turns per Å; rest as in DebyeTurnVector. */
typedef struct {
  double x[DEBYE_AMPLITUDE_STRIP], y[DEBYE_AMPLITUDE_STRIP], z[DEBYE_AMPLITUDE_STRIP];
  double rest_x[DEBYE_AMPLITUDE_STRIP], rest_y[DEBYE_AMPLITUDE_STRIP], rest_z[DEBYE_AMPLITUDE_STRIP];
} DebyeAmplitudeStrip;

typedef struct {
  double real[DEBYE_AMPLITUDE_STRIP], imaginary[DEBYE_AMPLITUDE_STRIP];
} DebyeAmplitudeSums;

typedef struct {
  /* Add a tile's sums. */
  void (*add_float)(const DebyeAmplitudeTile *tile, const DebyeAmplitudeStrip *strip,
                    DebyeAmplitudeSums *sums);
  void (*add_double)(const DebyeAmplitudeTile *tile, const DebyeAmplitudeStrip *strip,
                     DebyeAmplitudeSums *sums);
} DebyeAmplitudeBlock;

DEBYE_DECLARE_LEVELS(DebyeAmplitudeBlock, debye_amplitude_block)
