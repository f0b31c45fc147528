/* SPDX-License-Identifier: MIT */
/* Loops over a row of a grid of the Poisson-Boltzmann equation, called by poisson.c and poisson_levels.c; compiled once per
 * instruction set. */
#include "poisson_block.h"

/* Sums are kept by this many, so that vectors may add them. */
#define LANES 8

static void
relax(const DebyePoissonRow *row, size_t first, const float *restrict right, float *restrict values)
{
  const float *restrict along_x = row->along[0], *restrict along_y = row->along[1];
  const float *restrict along_z = row->along[2], *restrict screening = row->screening;
  const ptrdiff_t y = row->y, z = row->z, end = (ptrdiff_t)row->n - 1;
  for (ptrdiff_t i = (ptrdiff_t)first; i < end; i += 2) {
    const float xl = along_x[i - 1], xh = along_x[i], yl = along_y[i - y], yh = along_y[i];
    const float zl = along_z[i - z], zh = along_z[i];
    const float sum = right[i] + xl * values[i - 1] + xh * values[i + 1] + yl * values[i - y] +
                      yh * values[i + y] + zl * values[i - z] + zh * values[i + z];
    values[i] = sum / (xl + xh + yl + yh + zl + zh + screening[i]);
  }
}

static inline __attribute__((always_inline)) float
apply_at(const DebyePoissonRow *row, const float *values, ptrdiff_t i)
{
  const ptrdiff_t y = row->y, z = row->z;
  const float at = values[i];
  return row->screening[i] * at + row->along[0][i - 1] * (at - values[i - 1]) +
         row->along[0][i] * (at - values[i + 1]) + row->along[1][i - y] * (at - values[i - y]) +
         row->along[1][i] * (at - values[i + y]) + row->along[2][i - z] * (at - values[i - z]) +
         row->along[2][i] * (at - values[i + z]);
}

static void
subtract(const DebyePoissonRow *row, const float *restrict right, const float *restrict values,
         float *restrict out)
{
  const ptrdiff_t end = (ptrdiff_t)row->n - 1;
  for (ptrdiff_t i = 1; i < end; i++)
    out[i] = right[i] - apply_at(row, values, i);
  out[0] = 0.0f;
  out[end] = 0.0f;
}

static double
apply(const DebyePoissonRow *row, const float *restrict values, float *restrict out)
{
  const ptrdiff_t end = (ptrdiff_t)row->n - 1;
  double sum = 0.0;
  for (ptrdiff_t i = 1; i < end; i++)
    out[i] = apply_at(row, values, i);
  out[0] = 0.0f;
  out[end] = 0.0f;
  for (ptrdiff_t i = 1; i < end; i++)
    sum += (double)values[i] * (double)out[i];
  return sum;
}

static double
residual(const DebyePoissonRow *row, const float *restrict source, const double *restrict potential,
         float *restrict out)
{
  const ptrdiff_t y = row->y, z = row->z, end = (ptrdiff_t)row->n - 1;
  const float *restrict along_x = row->along[0], *restrict along_y = row->along[1];
  const float *restrict along_z = row->along[2], *restrict screening = row->screening;
  double sum = 0.0;
  for (ptrdiff_t i = 1; i < end; i++) {
    const double at = potential[i];
    const double left =
        (double)source[i] - (double)screening[i] * at - (double)along_x[i - 1] * (at - potential[i - 1]) -
        (double)along_x[i] * (at - potential[i + 1]) - (double)along_y[i - y] * (at - potential[i - y]) -
        (double)along_y[i] * (at - potential[i + y]) - (double)along_z[i - z] * (at - potential[i - z]) -
        (double)along_z[i] * (at - potential[i + z]);
    out[i] = (float)left;
  }
  for (ptrdiff_t i = 1; i < end; i++)
    sum += (double)out[i] * (double)out[i];
  out[0] = 0.0f;
  out[end] = 0.0f;
  return sum;
}

static void
scale_add(size_t n, float scale, const float *restrict from, float *restrict to)
{
  for (size_t i = 0; i < n; i++)
    to[i] = scale * to[i] + from[i];
}

static double
dot(size_t n, const float *restrict a, const float *restrict b)
{
  double sums[LANES] = {0.0};
  size_t i = 0;
  for (; i + LANES <= n; i += LANES)
    for (size_t lane = 0; lane < LANES; lane++)
      sums[lane] += (double)a[i + lane] * (double)b[i + lane];
  for (; i < n; i++)
    sums[0] += (double)a[i] * (double)b[i];
  for (size_t lane = 1; lane < LANES; lane++)
    sums[0] += sums[lane];
  return sums[0];
}

static double
advance(size_t n, double step, const float *restrict direction, const float *restrict applied,
        double *restrict potential, float *restrict left)
{
  for (size_t i = 0; i < n; i++) {
    potential[i] += step * (double)direction[i];
    left[i] = (float)((double)left[i] - step * (double)applied[i]);
  }
  return dot(n, left, left);
}

const DebyePoissonBlock DEBYE_AT_LEVEL(debye_poisson_block) = {
    .relax = relax,
    .subtract = subtract,
    .apply = apply,
    .residual = residual,
    .scale_add = scale_add,
    .advance = advance,
    .dot = dot,
};
