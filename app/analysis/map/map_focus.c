/* SPDX-License-Identifier: MIT */
/* The larger grid of a focused boundary, of map_solvent.h. */
#include "map_solvent.h"

#include <math.h>

/* Of the larger grid. */
#define FOCUS_PADDING 20.0
#define FOCUS_POINTS 3e6
#define LEAST_FACTOR 2.0
#define MOST_POINTS 1e9 /* along an axis: far beyond, and no overflow */

/* With a spacing of `factor` times the map's; returns its points. */
static double
lay_outer(const DebyeSurfaceGrid *inner, DebyeVec3 low, DebyeVec3 high, double factor,
          DebyeSurfaceGrid *outer)
{
  double *const origin[3] = {&outer->origin.x, &outer->origin.y, &outer->origin.z};
  const double first[3] = {low.x, low.y, low.z}, last[3] = {high.x, high.y, high.z};
  const double begin[3] = {inner->origin.x, inner->origin.y, inner->origin.z};
  double points = 1.0;
  for (int axis = 0; axis < 3; axis++) {
    const double end = begin[axis] + inner->step[axis] * (double)(inner->shape[axis] - 1);
    /* Cubics need a point beyond the map's. */
    const double step = inner->step[axis] * factor;
    const double from = MIN(first[axis] - FOCUS_PADDING, begin[axis] - step);
    const double to = MAX(last[axis] + FOCUS_PADDING, end + step);
    outer->step[axis] = step;
    outer->shape[axis] = debye_poisson_round((gsize)MIN(ceil((to - from) / step), MOST_POINTS) + 1);
    *origin[axis] = 0.5 * (from + to) - 0.5 * step * (double)(outer->shape[axis] - 1);
    points *= (double)outer->shape[axis];
  }
  return points;
}

double
debye_map_poisson_focus(const DebyeSurfaceGrid *inner, DebyeVec3 low, DebyeVec3 high, DebyeSurfaceGrid *outer)
{
  double factor = LEAST_FACTOR;
  while (lay_outer(inner, low, high, factor, outer) > FOCUS_POINTS)
    factor *= 1.5;
  return factor;
}
