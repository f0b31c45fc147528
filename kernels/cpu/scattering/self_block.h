/* SPDX-License-Identifier: MIT */
/* The loops of self scattering over the frames of one atom, one version for each instruction set. Who calls
 * them: scattering_self.c. Complex values are pairs. */
#pragma once

#include <stddef.h>

#include "kernels/cpu/common/cpu_level.h"

/* Vectors are given in quarter turns for each Å: 4q/2π. */
typedef struct {
  /* exp(i q·r(t)), n of them. */
  void (*phases_float)(const float *x, const float *y, const float *z, size_t n, const double quarter[3],
                       float *out);
  void (*phases_double)(const float *x, const float *y, const float *z, size_t n, const double quarter[3],
                        double *out);
  /* sum[k] += weight·|values[k]|². */
  void (*add_power_float)(const float *values, size_t n, float weight, float *sum);
  void (*add_power_double)(const double *values, size_t n, double weight, double *sum);
  /* mean = Σ_k |values[k]|²·W(k), W's real and imaginary parts in arrays of their own. */
  void (*mean_float)(const float *values, size_t n, const float *real, const float *imaginary,
                     double mean[2]);
  void (*mean_double)(const double *values, size_t n, const double *real, const double *imaginary,
                      double mean[2]);
  void (*add)(const float *from, size_t n, double *sum); /* sum[k] += from[k] */
} DebyeSelfBlockLoops;

DEBYE_DECLARE_LEVELS(DebyeSelfBlockLoops, debye_self_block_loops)
