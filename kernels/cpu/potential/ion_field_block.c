/* SPDX-License-Identifier: MIT */
/* The loops over a row of a map with ions, called by ion_field.c; compiled once per instruction set. No loop
 * below runs a sum over the index that the vectors run over. */
#include "ion_field_block.h"

#define INLINE inline __attribute__((always_inline))
#define LANES 16

static void
add(const DebyeIonRow *row, float *values)
{
  const float across = (float)debye_ion_across(row->start);
  const double start = row->start[0], step = row->step_x;
  const float charge = row->charge, core2 = row->core2;
  for (int32_t i = 0; i < row->n; i++) {
    const float x = (float)fma((double)i, step, start);
    values[i] = debye_ion_add(values[i], charge, fmaf(x, x, across), core2);
  }
}

/* Squared distances to the nearest images of LANES points from `first` on. */
static INLINE void
find_nearest(const DebyeIonRow *row, int32_t first, double *square)
{
  const DebyeNearestImage *image = row->image;
  double x[LANES], y[LANES], z[LANES], least[LANES];
  for (int lane = 0; lane < LANES; lane++) {
    const double from[3] = {fma((double)(first + lane), row->step_x, row->start[0]), row->start[1],
                            row->start[2]};
    const double n[3] = {debye_ion_image(image, 0, from[0], from[1], from[2]),
                         debye_ion_image(image, 1, from[0], from[1], from[2]),
                         debye_ion_image(image, 2, from[0], from[1], from[2])};
    x[lane] = debye_ion_without(image, 0, from[0], n);
    y[lane] = debye_ion_without(image, 1, from[1], n);
    z[lane] = debye_ion_without(image, 2, from[2], n);
    square[lane] = fma(z[lane], z[lane], fma(y[lane], y[lane], x[lane] * x[lane]));
    least[lane] = 0.0;
  }
  for (int candidate = 0; candidate < image->n_candidates; candidate++)
    for (int lane = 0; lane < LANES; lane++) {
      const double gain = debye_ion_gain(image, candidate, x[lane], y[lane], z[lane]);
      least[lane] = gain < least[lane] ? gain : least[lane];
    }
  for (int lane = 0; lane < LANES; lane++)
    square[lane] += least[lane];
}

static void
add_nearest(const DebyeIonRow *row, float *values)
{
  for (int32_t first = 0; first < row->n; first += LANES) {
    const int32_t left = row->n - first, count = left < LANES ? left : LANES;
    double square[LANES];
    find_nearest(row, first, square);
    for (int32_t lane = 0; lane < count; lane++)
      values[first + lane] =
          debye_ion_add(values[first + lane], row->charge, (float)square[lane], row->core2);
  }
}

static void
add_unit(float charge, const float *unit, int32_t n, float *values)
{
  for (int32_t i = 0; i < n; i++)
    values[i] = fmaf(charge, unit[i], values[i]);
}

static float
find(const float *values, const uint8_t *open, int32_t n, float sign, size_t *n_open)
{
  float best[LANES];
  int32_t count[LANES] = {0}, first = 0;
  for (int lane = 0; lane < LANES; lane++)
    best[lane] = -INFINITY;
  for (; first + LANES <= n; first += LANES)
    for (int lane = 0; lane < LANES; lane++) {
      const float value = open[first + lane] != 0 ? sign * values[first + lane] : -INFINITY;
      best[lane] = value > best[lane] ? value : best[lane];
      count[lane] += open[first + lane];
    }
  for (int lane = 0; first + lane < n; lane++) {
    const float value = open[first + lane] != 0 ? sign * values[first + lane] : -INFINITY;
    best[lane] = value > best[lane] ? value : best[lane];
    count[lane] += open[first + lane];
  }
  for (int lane = 0; lane < LANES; lane++) {
    best[0] = best[lane] > best[0] ? best[lane] : best[0];
    *n_open += (size_t)count[lane];
  }
  return best[0];
}

const DebyeIonFieldBlock DEBYE_AT_LEVEL(debye_ion_field_block) = {
    .add = add, .add_nearest = add_nearest, .add_unit = add_unit, .find = find};
