/* SPDX-License-Identifier: MIT */
/* The polarisation of a dielectric's surface as point charges: each edge of the grid that the surface cuts has one where it is
 * cut, from the flux through the edge. Used by poisson_reaction.c. */
#pragma once

#include "poisson_medium.h"

/* Between a point and its next neighbor along an axis. On the grid it is spread linearly over both. */
typedef struct {
  uint32_t point[3];
  uint32_t axis;
  float fraction; /* of the edge, from the point */
  float charge;   /* e */
} DebyePoissonInduced;

typedef struct {
  const DebyeSurfaceGrid *grid; /* borrowed */
  DebyePoissonInduced *induced; /* by the rows of their points, x upwards in each */
  size_t *begin;                /* by row: its first; and the end of the last */
} DebyePoissonPolarisation;

/* Of an equation that is solved. False, with nothing in it, on exhausted memory. */
bool debye_poisson_polarisation_init(DebyePoissonPolarisation *polarisation, const DebyePoissonMedium *medium,
                                     const DebyePoissonEquation *equation);
void debye_poisson_polarisation_clear(DebyePoissonPolarisation *polarisation);
/* Calls function with all that may be within a box of these half edges about a place, and some beyond it. */
void debye_poisson_polarisation_visit(const DebyePoissonPolarisation *polarisation, DebyeVec3 at,
                                      const double half[3],
                                      void (*function)(void *context, const DebyePoissonInduced *induced),
                                      void *context);

static inline DebyeVec3
debye_poisson_induced_place(const DebyeSurfaceGrid *grid, const DebyePoissonInduced *induced)
{
  double at[3];
  for (int axis = 0; axis < 3; axis++)
    at[axis] =
        ((double)induced->point[axis] + (induced->axis == (uint32_t)axis ? (double)induced->fraction : 0.0)) *
        grid->step[axis];
  return debye_vec3_add(grid->origin, debye_vec3(at[0], at[1], at[2]));
}
