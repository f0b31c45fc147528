/* SPDX-License-Identifier: MIT */
/* The loops over a row of a map with ions, one version for each instruction set. Who calls them: ion_field.c.
 */
#pragma once

#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/potential/ion_field_math.h"

/* A row of points and the ion that is added to it. */
typedef struct {
  int32_t n;
  double start[3]; /* from the ion to the row's first point */
  double step_x;
  float charge, core2;
  const DebyeNearestImage *image; /* of add_nearest */
} DebyeIonRow;

typedef struct {
  void (*add)(const DebyeIonRow *row, float *values);
  void (*add_nearest)(const DebyeIonRow *row, float *values);
  /* values += charge · unit, n of each. */
  void (*add_unit)(float charge, const float *unit, int32_t n, float *values);
  /* The largest of sign·value over open points, −INFINITY with none, and how many are open. */
  float (*find)(const float *values, const uint8_t *open, int32_t n, float sign, size_t *n_open);
} DebyeIonFieldBlock;

const DebyeIonFieldBlock *debye_ion_field_block(DebyeCpuLevel level);

#if defined(__x86_64__)
extern const DebyeIonFieldBlock debye_ion_field_block_avx2, debye_ion_field_block_avx512;
#endif
