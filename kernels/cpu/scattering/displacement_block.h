/* SPDX-License-Identifier: MIT */
/* The loop of the displacements over the times of one atom, one version for each instruction set. Who calls
 * it: displacement_histogram.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernels/cpu/common/cpu_settings.h"

/* Pairs of times of one call at most, so that sums in float stay short. */
#define DEBYE_DISPLACEMENT_STRIP 256

typedef struct {
  const float *x, *y, *z; /* the first time's place; the second's is `lag` further */
  size_t lag, n;          /* n pairs of times */
  float scale;            /* bins an Å */
  float end;              /* n_bins + 1/2: bins beyond end there */
} DebyeDisplacementStrip;

/* Writes the bin of each pair, ~bin where it is in doubt, and adds to the sums of d² and d⁴. */
typedef void (*DebyeDisplacementLoop)(const DebyeDisplacementStrip *strip, int32_t *bin, double *square,
                                      double *fourth);

DebyeDisplacementLoop debye_displacement_loop(DebyeCpuLevel level);

#if defined(__x86_64__)
void debye_displacement_loop_avx2(const DebyeDisplacementStrip *strip, int32_t *bin, double *square,
                                  double *fourth);
void debye_displacement_loop_avx512(const DebyeDisplacementStrip *strip, int32_t *bin, double *square,
                                    double *fourth);
#endif
