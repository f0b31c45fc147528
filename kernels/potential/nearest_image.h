/* SPDX-License-Identifier: MIT */
/* The distance to an atom's nearest image, exactly, for any cell and any of its axes: what the direct sum
 * with minimum image does for every pair. One copy for C and CUDA.
 *
 * In double this is done for each pair. In float a difference as long as the cell, of which an Å is left,
 * would lose what the sum promises. So the nearest image is found in double once for the middle of a block of
 * points, and float has only what is left of the difference there. For most atoms that image is the nearest
 * for all points of the block; for the others it is known which lattice vectors may bring a nearer one, and
 * those alone are tried pair by pair: of atoms half a cell away, where float is good enough. */
#pragma once

#include "cell_images.h"

DEBYE_BEGIN_DECLS

/* Half of the lattice vectors that can be nearer than what rounding gives; more than any cell has. */
#define DEBYE_NEAREST_CANDIDATES 32
/* Sums of the reduced edges with coefficients −1, 0 and 1, half of them. */
#define DEBYE_NEAREST_NEIGHBOURS 13

typedef struct {
  double edge[3][3];       /* the reduced cell's edges; 0 along axes that are not periodic */
  double reciprocal[3][3]; /* likewise */
  int n_candidates;
  double candidate[DEBYE_NEAREST_CANDIDATES][3];
  double square[DEBYE_NEAREST_CANDIDATES]; /* |candidate|² */
  /* Those that may be nearer than the nearest one of another point, at most clear_reach away; 0 along axes
   * that are not periodic. */
  double neighbour[DEBYE_NEAREST_NEIGHBOURS][3], neighbour_square[DEBYE_NEAREST_NEIGHBOURS];
  double clear_reach; /* Å; 0: the cell is too flat for this */
} DebyeNearestImage;

DebyeStatusCode debye_nearest_image_set(DebyeNearestImage *image, const DebyeTurnedGrid *frame,
                                        unsigned periodic, const DebyeCell *cell, DebyeStatus *status);

/* Of the difference (x, y, z): the squared length of the shortest of its images. */
DEBYE_SHARED_MATH double
debye_nearest_distance2(const DebyeNearestImage *image, double x, double y, double z)
{
  double n[3];
  for (int i = 0; i < 3; i++)
    n[i] = rint(image->reciprocal[i][0] * x + image->reciprocal[i][1] * y + image->reciprocal[i][2] * z);
  for (int i = 0; i < 3; i++) {
    x -= n[i] * image->edge[i][0];
    y -= n[i] * image->edge[i][1];
    z -= n[i] * image->edge[i][2];
  }
  /* |p ± L|² = |p|² + |L|² ± 2p·L; the shorter of the two. */
  const double square = x * x + y * y + z * z;
  double least = 0.0;
  for (int i = 0; i < image->n_candidates; i++) {
    const double *candidate = image->candidate[i];
    const double along = fabs(candidate[0] * x + candidate[1] * y + candidate[2] * z);
    const double gain = image->square[i] - 2.0 * along;
    least = gain < least ? gain : least;
  }
  return square + least;
}

/* The shortest image of the difference p. */
DEBYE_SHARED_MATH void
debye_nearest_reduce(const DebyeNearestImage *image, double p[3])
{
  double n[3], best[3] = {0.0, 0.0, 0.0}, least = 0.0;
  for (int i = 0; i < 3; i++)
    n[i] = rint(image->reciprocal[i][0] * p[0] + image->reciprocal[i][1] * p[1] +
                image->reciprocal[i][2] * p[2]);
  for (int i = 0; i < 3; i++)
    for (int axis = 0; axis < 3; axis++)
      p[axis] -= n[i] * image->edge[i][axis];
  for (int i = 0; i < image->n_candidates; i++) {
    const double *candidate = image->candidate[i];
    const double along = candidate[0] * p[0] + candidate[1] * p[1] + candidate[2] * p[2];
    const double gain = image->square[i] - 2.0 * fabs(along);
    for (int axis = 0; axis < 3; axis++)
      best[axis] = gain < least ? copysign(1.0, along) * candidate[axis] : best[axis];
    least = gain < least ? gain : least;
  }
  for (int axis = 0; axis < 3; axis++)
    p[axis] -= best[axis];
}

/* Of a difference that was reduced, to the middle of a box with these half edges: bit i is set where the
 * image across ±neighbour i may be nearer to some point of the box. */
DEBYE_SHARED_MATH uint32_t
debye_nearest_doubts(const DebyeNearestImage *image, const double half[3], const double p[3])
{
  uint32_t doubts = 0;
  for (int i = 0; i < DEBYE_NEAREST_NEIGHBOURS; i++) {
    const double *neighbour = image->neighbour[i];
    const double along = fabs(neighbour[0] * p[0] + neighbour[1] * p[1] + neighbour[2] * p[2]);
    const double reach =
        fabs(neighbour[0]) * half[0] + fabs(neighbour[1]) * half[1] + fabs(neighbour[2]) * half[2];
    doubts |= (uint32_t)(2.0 * (along + reach) * (1.0 + 1e-6) > image->neighbour_square[i]) << i;
  }
  return doubts;
}

DEBYE_END_DECLS
