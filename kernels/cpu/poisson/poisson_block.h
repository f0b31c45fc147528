/* SPDX-License-Identifier: MIT */
/* Loops over a row of a grid of the Poisson-Boltzmann equation, one version for each instruction set. Who calls them:
 * poisson.c and poisson_levels.c. */
#pragma once

#include <stddef.h>

#include "kernels/cpu/common/cpu_level.h"

/* A row's first point, within arrays that hold the whole grid; neighbors along y and z are that far away. */
typedef struct {
  const float *along[3], *screening;
  ptrdiff_t y, z;
  size_t n; /* of the row, outer points with them */
} DebyePoissonRow;

typedef struct {
  /* One colour of a row of Gauss-Seidel: points first, first + 2, …; values and right at the row's first point. */
  void (*relax)(const DebyePoissonRow *row, size_t first, const float *right, float *values);
  /* right − A·values, within; 0 on the outer points. */
  void (*subtract)(const DebyePoissonRow *row, const float *right, const float *values, float *out);
  /* A·values, within; returns Σ values·A·values. */
  double (*apply)(const DebyePoissonRow *row, const float *values, float *out);
  /* source − A·potential in double, within; 0 on the outer points. Returns the sum of its squares. */
  double (*residual)(const DebyePoissonRow *row, const float *source, const double *potential, float *out);
  /* to[i] = scale·to[i] + from[i] */
  void (*scale_add)(size_t n, float scale, const float *from, float *to);
  /* potential += step·direction, residual −= step·applied; returns Σ residual² as it is then. */
  double (*advance)(size_t n, double step, const float *direction, const float *applied, double *potential,
                    float *residual);
  double (*dot)(size_t n, const float *a, const float *b);
} DebyePoissonBlock;

DEBYE_DECLARE_LEVELS(DebyePoissonBlock, debye_poisson_block)
