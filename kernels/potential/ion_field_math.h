/* SPDX-License-Identifier: MIT */
/* What an ion adds to a point, and which points are too near: one copy for C and CUDA, the same to the last
 * bit in both. */
#pragma once

#include "nearest_image.h"

/* From a place to the first point of row j in plane k. Point i is i·step_x further along x. */
DEBYE_SHARED_MATH void
debye_ion_row_start(const DebyeTurnedGrid *grid, size_t j, size_t k, const double *place, double *start)
{
  const double row = (double)j, plane = (double)k;
  start[0] = fma(row, grid->row_x, fma(plane, grid->plane_x, -place[0]));
  start[1] = fma(row, grid->row_y, fma(plane, grid->plane_y, -place[1]));
  start[2] = fma(plane, grid->plane_z, -place[2]);
}

DEBYE_SHARED_MATH float
debye_ion_add(float value, float charge, float square, float core2)
{
  const float clamped = square < core2 ? core2 : square;
  return fmaf(charge, 1.0f / sqrtf(clamped), value);
}

/* In the plane across x, of all points of a row. */
DEBYE_SHARED_MATH double
debye_ion_across(const double *start)
{
  return fma(start[1], start[1], start[2] * start[2]);
}

DEBYE_SHARED_MATH bool
debye_ion_is_near(double x, double across, double distance2)
{
  return fma(x, x, across) < distance2;
}

/* The points of n, `step` apart from `start` on, that can be within `reach` of zero: [*first, *end), one too
 * many on either side, so that rounding loses none. */
DEBYE_SHARED_MATH void
debye_ion_reach(double start, double step, double reach, size_t n, size_t *first, size_t *end)
{
  *first = 0;
  *end = n;
  if (step == 0.0)
    return;
  const double middle = -start / step, half = fabs(reach / step);
  const double low = floor(middle - half) - 1.0, high = ceil(middle + half) + 2.0;
  const double last = (double)n;
  *first = low > 0.0 ? (low < last ? (size_t)low : n) : 0;
  *end = high > 0.0 ? (high < last ? (size_t)high : n) : 0;
}

/* Of the difference (x, y, z) the coefficient of edge i in the nearest image's shift, to be improved by the
 * candidates. */
DEBYE_SHARED_MATH double
debye_ion_image(const DebyeNearestImage *image, int i, double x, double y, double z)
{
  const double *reciprocal = image->reciprocal[i];
  return rint(fma(reciprocal[2], z, fma(reciprocal[1], y, reciprocal[0] * x)));
}

/* `part` without n of each edge. */
DEBYE_SHARED_MATH double
debye_ion_without(const DebyeNearestImage *image, int part, double difference, const double *n)
{
  return fma(-n[2], image->edge[2][part],
             fma(-n[1], image->edge[1][part], fma(-n[0], image->edge[0][part], difference)));
}

/* How much shorter squared a difference gets by a candidate, negative where it does. */
DEBYE_SHARED_MATH double
debye_ion_gain(const DebyeNearestImage *image, int candidate, double x, double y, double z)
{
  const double *vector = image->candidate[candidate];
  return fma(-2.0, fabs(fma(vector[2], z, fma(vector[1], y, vector[0] * x))), image->square[candidate]);
}
