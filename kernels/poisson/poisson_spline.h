/* SPDX-License-Identifier: MIT */
/* Quadratic B-splines over 27 points of a grid: what charges are spread with and potentials read with; used by
 * poisson_charges.c and poisson_reaction.c. */
#pragma once

#include "kernels/surface/surface.h"

/* The points about a place: [first, first + 3) along each axis. */
typedef struct {
  size_t first[3];
  double weight[3][3];
} DebyePoissonSpline;

/* False where some are outer points, or none. */
static inline bool
debye_poisson_spline_at(const DebyeSurfaceGrid *grid, DebyeVec3 at, DebyePoissonSpline *spline)
{
  const double offset[3] = {at.x - grid->origin.x, at.y - grid->origin.y, at.z - grid->origin.z};
  for (int axis = 0; axis < 3; axis++) {
    const double place = offset[axis] / grid->step[axis], nearest = floor(place + 0.5), t = place - nearest;
    if (!(nearest >= 2.0 && nearest + 3.0 <= (double)grid->shape[axis]))
      return false;
    spline->first[axis] = (size_t)nearest - 1;
    spline->weight[axis][0] = 0.5 * (0.5 - t) * (0.5 - t);
    spline->weight[axis][1] = 0.75 - t * t;
    spline->weight[axis][2] = 0.5 * (0.5 + t) * (0.5 + t);
  }
  return true;
}
