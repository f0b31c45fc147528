/* SPDX-License-Identifier: MIT */
/* The larger grid of a focused boundary, of map_solvent.h. */
#include "map_solvent.h"

#include <math.h>

/* Of the larger grid: some Debye lengths, at which the charges' own potential on its edge hardly
 * counts. Without ions, as in a membrane, a dipole's field reaches far, and the molecule's surface
 * changes it: the larger grid goes on by the molecule's length. */
#define FOCUS_PADDING 20.0
#define FOCUS_LENGTHS 2.5
#define FAR_PADDING 40.0
/* Few points if the map has all atoms well within it: its edge sees them from afar. */
#define FAR 5.0
#define FAR_SHARE 0.04
#define FAR_POINTS 1.2e5
#define NEAR_POINTS 3e6
#define LEAST_FACTOR 2.0
#define MOST_POINTS 1e9 /* along an axis: far beyond, and no overflow */

/* With a spacing of `factor` times the map's; returns its points. */
static double
lay_outer(const DebyeSurfaceGrid *inner, DebyeVec3 low, DebyeVec3 high, double padding, double factor,
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
    const double from = MIN(first[axis] - padding, begin[axis] - step);
    const double to = MAX(last[axis] + padding, end + step);
    outer->step[axis] = step;
    outer->shape[axis] = debye_poisson_round((gsize)MIN(ceil((to - from) / step), MOST_POINTS) + 1);
    *origin[axis] = 0.5 * (from + to) - 0.5 * step * (double)(outer->shape[axis] - 1);
    points *= (double)outer->shape[axis];
  }
  return points;
}

static gboolean
is_far(const DebyeSurfaceGrid *inner, DebyeVec3 low, DebyeVec3 high)
{
  const double last[3] = {inner->step[0] * (double)(inner->shape[0] - 1),
                          inner->step[1] * (double)(inner->shape[1] - 1),
                          inner->step[2] * (double)(inner->shape[2] - 1)};
  const DebyeVec3 below = debye_vec3_subtract(low, inner->origin),
                  above = debye_vec3_subtract(high, inner->origin);
  return MIN(below.x, MIN(below.y, below.z)) >= FAR && last[0] - above.x >= FAR && last[1] - above.y >= FAR &&
         last[2] - above.z >= FAR;
}

static double
choose_padding(const DebyePoissonMedium *medium, DebyeVec3 extent)
{
  const double farthest = MAX(FAR_PADDING, MAX(extent.x, MAX(extent.y, extent.z)));
  return medium->screening > 0.0 && !medium->membrane.is_there
             ? MIN(farthest, MAX(FOCUS_PADDING, FOCUS_LENGTHS * sqrt(medium->solvent / medium->screening)))
             : farthest;
}

/* Well within the map all atoms of all frames have the same larger grid: where they are doesn't matter. */
static void
take_map(const DebyeSurfaceGrid *inner, DebyeVec3 *low, DebyeVec3 *high)
{
  const DebyeVec3 edge = debye_vec3(FAR, FAR, FAR);
  const DebyeVec3 extent = debye_vec3(inner->step[0] * (double)(inner->shape[0] - 1),
                                      inner->step[1] * (double)(inner->shape[1] - 1),
                                      inner->step[2] * (double)(inner->shape[2] - 1));
  *low = debye_vec3_add(inner->origin, edge);
  *high = debye_vec3_subtract(debye_vec3_add(inner->origin, extent), edge);
}

double
debye_map_poisson_focus(const DebyePoissonMedium *medium, DebyeVec3 low, DebyeVec3 high,
                        DebyeSurfaceGrid *outer)
{
  const DebyeSurfaceGrid *inner = &medium->grid;
  const double points = (double)inner->shape[0] * (double)inner->shape[1] * (double)inner->shape[2];
  const gboolean far = is_far(inner, low, high);
  /* A membrane's layers bend the potential sharply at its edge. */
  const gboolean has_few = far && !medium->membrane.is_there;
  const double most = has_few ? MAX(FAR_SHARE * points, FAR_POINTS) : NEAR_POINTS;
  if (far)
    take_map(inner, &low, &high);
  const double padding = choose_padding(medium, debye_vec3_subtract(high, low));
  double factor = LEAST_FACTOR;
  while (lay_outer(inner, low, high, padding, factor, outer) > most)
    factor *= 1.2;
  return factor;
}
