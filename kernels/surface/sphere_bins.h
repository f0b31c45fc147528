/* SPDX-License-Identifier: MIT */
/* Spheres in bins, so that those near a point or another sphere are found without looking at all; used by
 * reduced_surface.c and poisson_dots.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/geometry.h"
#include "kernels/shared_math.h"

DEBYE_BEGIN_DECLS

/* Borrowed and never written; Å, finite; radii at least 0. */
typedef struct {
  const float *x, *y, *z;
  const float *radius;
  size_t n;
} DebyeSpheres;

typedef struct {
  DebyeVec3 origin;
  double edge; /* Å */
  size_t shape[3];
  uint32_t *begin;  /* by bin, x fastest, and the end of the last: places in `sphere` */
  uint32_t *sphere; /* in the order of their bins */
} DebyeSphereBins;

/* Bins of at least `edge`, more where the spheres would have more than eight bins each. False, with nothing in them, on
 * exhausted memory. */
bool debye_sphere_bins_init(DebyeSphereBins *bins, const DebyeSpheres *spheres, double edge);
void debye_sphere_bins_clear(DebyeSphereBins *bins);
/* Bins [first, last] along each axis that a box touches; false where it touches none. */
bool debye_sphere_bins_range(const DebyeSphereBins *bins, DebyeVec3 center, double reach, size_t first[3],
                             size_t last[3]);

static inline DebyeVec3
debye_sphere_center(const DebyeSpheres *spheres, size_t i)
{
  return debye_vec3((double)spheres->x[i], (double)spheres->y[i], (double)spheres->z[i]);
}

DEBYE_END_DECLS
