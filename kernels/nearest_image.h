/* SPDX-License-Identifier: MIT */
/* The distance to an atom's nearest image, exactly, for any cell and any of its axes: what the direct sum
 * with minimum image does for every pair. In double, whatever the precision of the map: a difference as long
 * as the cell, of which an Å is left, would lose in float what the sum promises. One copy for C and CUDA. */
#pragma once

#include "cell_images.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Half of the lattice vectors that can be nearer than what rounding gives; more than any cell has. */
#define DEBYE_NEAREST_CANDIDATES 32

typedef struct {
  double edge[3][3];       /* the reduced cell's edges; 0 along axes that are not periodic */
  double reciprocal[3][3]; /* likewise */
  int n_candidates;
  double candidate[DEBYE_NEAREST_CANDIDATES][3];
  double square[DEBYE_NEAREST_CANDIDATES]; /* |candidate|² */
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

#ifdef __cplusplus
}
#endif
