/* SPDX-License-Identifier: MIT */
/* The loops over a row of a map with ions, one version for each instruction set. Who calls them: ion_field.c.
 */
#pragma once

#include "kernels/cpu/common/cpu_level.h"
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

DEBYE_DECLARE_LEVELS(DebyeIonFieldBlock, debye_ion_field_block)
