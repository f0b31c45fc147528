/* SPDX-License-Identifier: MIT */
/* Finds which images of an atom can be the nearest; called by the direct sum and the placing of ions. */
#include "nearest_image.h"

#include <stdlib.h>
#include <string.h>

/* Coefficients to try: of a reduced cell's vectors none beyond 1 is ever needed. */
#define REACH 2

/* Shortens the longer of two edges by the other as often as that helps. */
static bool
shorten(DebyeVec3 *edge, DebyeVec3 by)
{
  double n = rint(debye_vec3_dot(*edge, by) / debye_vec3_dot(by, by));
  DebyeVec3 shorter = debye_vec3_subtract(*edge, debye_vec3_scale(by, n));
  if (n == 0.0 || !(debye_vec3_dot(shorter, shorter) < debye_vec3_dot(*edge, *edge) * (1.0 - 1e-12)))
    return false;
  *edge = shorter;
  return true;
}

/* Another set of edges of the same lattice, none of which gets shorter by adding others: rounding in it is
 * nearly right, and few images are left to try. */
static void
reduce(DebyeVec3 edge[3], const bool periodic[3])
{
  bool changed = true;
  while (changed) {
    changed = false;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        if (i != j && periodic[i] && periodic[j])
          changed = shorten(&edge[i], edge[j]) || changed;
    for (int i = 0; !changed && i < 3; i++)
      for (int sign = -1; sign <= 1; sign += 2) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        DebyeVec3 both = debye_vec3_add(edge[j], debye_vec3_scale(edge[k], sign));
        if (periodic[0] && periodic[1] && periodic[2])
          changed = shorten(&edge[i], both) || changed;
      }
  }
}

static void
store(double to[3], DebyeVec3 v, bool periodic)
{
  to[0] = periodic ? v.x : 0.0;
  to[1] = periodic ? v.y : 0.0;
  to[2] = periodic ? v.z : 0.0;
}

/* Whether some difference that rounding leaves alone gets shorter by ±vector: those lie in the box of half
 * edges, where p·L is at most half of Σ|edge·L|. */
static bool
can_be_nearer(const DebyeCellImages *cell, DebyeVec3 vector)
{
  double reach = 0.0;
  for (int i = 0; i < 3; i++)
    reach += cell->periodic[i] ? fabs(debye_vec3_dot(cell->edge[i], vector)) : 0.0;
  return reach > debye_vec3_dot(vector, vector) * (1.0 + 1e-12);
}

static void
find_candidates(DebyeNearestImage *image, const DebyeCellImages *cell)
{
  int reach[3];
  for (int i = 0; i < 3; i++)
    reach[i] = cell->periodic[i] ? REACH : 0;
  image->n_candidates = 0;
  for (int a = -reach[0]; a <= reach[0]; a++)
    for (int b = -reach[1]; b <= reach[1]; b++)
      for (int c = -reach[2]; c <= reach[2]; c++) {
        /* Of two opposite ones the one whose first coefficient is positive. */
        if (a < 0 || (a == 0 && b < 0) || (a == 0 && b == 0 && c <= 0))
          continue;
        DebyeVec3 vector = debye_vec3_scale(cell->edge[0], a);
        vector = debye_vec3_add(vector, debye_vec3_scale(cell->edge[1], b));
        vector = debye_vec3_add(vector, debye_vec3_scale(cell->edge[2], c));
        if (!can_be_nearer(cell, vector) || image->n_candidates == DEBYE_NEAREST_CANDIDATES)
          continue;
        image->square[image->n_candidates] = debye_vec3_dot(vector, vector);
        store(image->candidate[image->n_candidates++], vector, true);
      }
}

static DebyeVec3
lattice_vector(const DebyeCellImages *cell, const int n[3])
{
  DebyeVec3 vector = debye_vec3_scale(cell->edge[0], n[0]);
  vector = debye_vec3_add(vector, debye_vec3_scale(cell->edge[1], n[1]));
  return debye_vec3_add(vector, debye_vec3_scale(cell->edge[2], n[2]));
}

static double
square_of(const DebyeCellImages *cell, const int n[3])
{
  const DebyeVec3 vector = lattice_vector(cell, n);
  return debye_vec3_dot(vector, vector);
}

/* How far a point must be from another, whose nearest image is p, until the image across L may be its
 * nearest. p·A is at most |A|²/2 for any lattice vector A, so p·L is at most the least (|A|² + |L − A|²)/2;
 * the image across L is nearer only where p·L and the distance times |L| pass |L|²/2. */
static double
reach_of(const DebyeCellImages *cell, const int n[3])
{
  const double square = square_of(cell, n);
  double least = INFINITY;
  for (int part = 0; part < 27; part++) {
    const int a[3] = {part % 3 - 1, part / 3 % 3 - 1, part / 9 - 1},
              b[3] = {n[0] - a[0], n[1] - a[1], n[2] - a[2]};
    least = fmin(least, square_of(cell, a) + square_of(cell, b));
  }
  return 0.5 * (square - least) / sqrt(square);
}

/* One of each two opposite vectors along periodic edges. */
static bool
is_first(const DebyeCellImages *cell, const int n[3])
{
  for (int i = 0; i < 3; i++)
    if (n[i] != 0 && !cell->periodic[i])
      return false;
  return n[0] > 0 || (n[0] == 0 && (n[1] > 0 || (n[1] == 0 && n[2] > 0)));
}

/* Half of the vectors with coefficients −1, 0 and 1, among which those of neighbouring images all are, and
 * how far the others leave a point alone. Who goes from the nearest image of one point to that of another
 * comes from neighbour to neighbour, so that no coefficient passes 2 before it is 2. */
static void
find_neighbours(DebyeNearestImage *image, const DebyeCellImages *cell)
{
  int n_neighbours = 0;
  image->clear_reach = INFINITY;
  memset(image->neighbour, 0, sizeof image->neighbour);
  memset(image->neighbour_square, 0, sizeof image->neighbour_square);
  for (int number = 0; number < 125; number++) {
    const int n[3] = {number % 5 - 2, number / 5 % 5 - 2, number / 25 - 2};
    if (!is_first(cell, n))
      continue;
    if (abs(n[0]) > 1 || abs(n[1]) > 1 || abs(n[2]) > 1) {
      image->clear_reach = fmax(0.0, fmin(image->clear_reach, reach_of(cell, n)));
      continue;
    }
    image->neighbour_square[n_neighbours] = square_of(cell, n);
    store(image->neighbour[n_neighbours++], lattice_vector(cell, n), true);
  }
}

DebyeStatusCode
debye_nearest_image_set(DebyeNearestImage *image, const DebyeTurnedGrid *frame, unsigned periodic,
                        const DebyeCell *cell, DebyeStatus *status)
{
  DebyeCellImages images;
  if (debye_cell_images_set(&images, frame, periodic, cell, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  reduce(images.edge, images.periodic);
  const DebyeCell reduced = {images.edge[0], images.edge[1], images.edge[2]};
  const double volume = debye_cell_volume(&reduced);
  for (int i = 0; i < 3; i++) {
    DebyeVec3 across = debye_vec3_cross(images.edge[(i + 1) % 3], images.edge[(i + 2) % 3]);
    store(image->edge[i], images.edge[i], images.periodic[i]);
    store(image->reciprocal[i], debye_vec3_scale(across, 1.0 / volume), images.periodic[i]);
  }
  find_candidates(image, &images);
  find_neighbours(image, &images);
  return debye_status_ok(status);
}
