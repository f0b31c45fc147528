/* SPDX-License-Identifier: MIT */
/* Periodic images, exactly, for any cell, however skew. One copy for C and CUDA.
 *
 * A lattice has many cells. All work is done in the reduced one (Minkowski: no vector of the cell can be made
 * shorter by adding the others), in which a few neighbouring images are enough; the caller's cell may be as
 * skew as it likes. Distances don't change when everything is turned, so the reduced cell is turned until its
 * first vector lies along x and its second in the xy plane. In that frame the lattice's points can be wrapped
 * into an upright box, whose boundaries are the cheapest there are: a skew cell costs nothing more than an
 * orthogonal one. A cell that already lies so keeps every bit.
 *
 * The nearest image is the one whose difference vector lies in the Voronoi cell around the origin. That is
 * decided by the vectors with coefficients −1, 0, 1 of the reduced cell, which contain all that bound the
 * Voronoi cell (Nguyen & Stehlé, ACM Trans. Algorithms 5 (2009) 46, for dimensions up to 3).
 *
 * Every operation is one IEEE operation in double, and where a multiplication meets an addition the fused one
 * is asked for by name. So all CPUs and devices agree to the last bit, whatever their compilers do. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "data/geometry.h"
#include "shared_math.h"

DEBYE_BEGIN_DECLS

/* Half of the vectors with coefficients −1, 0, 1, without the zero: of v and −v one. */
#define DEBYE_LATTICE_N_NEIGHBOURS 13

typedef struct {
  bool periodic;       /* false: nothing below but `axis` */
  double axis[3][3];   /* unit vectors of the turned frame, one a row */
  double vector[3][3]; /* the reduced cell there, one vector a row: zeros above the diagonal, which is
                          positive */
  double inverse[3];   /* of the diagonal */
  double shortest;     /* length of the shortest lattice vector that is not zero */
  int8_t step[DEBYE_LATTICE_N_NEIGHBOURS][3];
  double neighbour[DEBYE_LATTICE_N_NEIGHBOURS][3];
  double half_square[DEBYE_LATTICE_N_NEIGHBOURS]; /* |neighbour|²/2 */
} DebyeLattice;

/* `cell` NULL: an open system. False where the cell can't be used (debye_cell_is_valid). */
bool debye_lattice_init(DebyeLattice *lattice, const DebyeCell *cell);

DEBYE_SHARED_MATH double
debye_dot3(const double *u, const double *v)
{
  return fma(u[2], v[2], fma(u[1], v[1], u[0] * v[0]));
}

/* The lattice vector n. */
DEBYE_SHARED_MATH void
debye_lattice_shift(const DebyeLattice *lattice, const int *n, double *shift)
{
  const double a = (double)n[0], b = (double)n[1], c = (double)n[2];
  shift[0] = fma(c, lattice->vector[2][0], fma(b, lattice->vector[1][0], a * lattice->vector[0][0]));
  shift[1] = fma(c, lattice->vector[2][1], b * lattice->vector[1][1]);
  shift[2] = c * lattice->vector[2][2];
}

/* A position in the turned frame and, in a periodic system, in the box [0, vector[k][k]) there, to within the last
 * bits of a double. */
DEBYE_SHARED_MATH void
debye_lattice_place_exactly(const DebyeLattice *lattice, const double *given, double *place)
{
  for (int k = 0; k < 3; k++)
    place[k] = debye_dot3(lattice->axis[k], given);
  if (!lattice->periodic)
    return;
  const double c = -floor(place[2] * lattice->inverse[2]);
  place[2] = fma(c, lattice->vector[2][2], place[2]);
  place[1] = fma(c, lattice->vector[2][1], place[1]);
  place[0] = fma(c, lattice->vector[2][0], place[0]);
  const double b = -floor(place[1] * lattice->inverse[1]);
  place[1] = fma(b, lattice->vector[1][1], place[1]);
  place[0] = fma(b, lattice->vector[1][0], place[0]);
  const double a = -floor(place[0] * lattice->inverse[0]);
  place[0] = fma(a, lattice->vector[0][0], place[0]);
}

/* Of an atom. */
DEBYE_SHARED_MATH void
debye_lattice_place(const DebyeLattice *lattice, float x, float y, float z, double *place)
{
  const double given[3] = {(double)x, (double)y, (double)z};
  debye_lattice_place_exactly(lattice, given, place);
}

/* From j's image n to i, both placed: what every distance is made of. The other way round it is the exact
 * negative. */
DEBYE_SHARED_MATH void
debye_pair_difference(const DebyeLattice *lattice, const double *i, const double *j, const int *n,
                      double *difference)
{
  double shift[3];
  debye_lattice_shift(lattice, n, shift);
  for (int k = 0; k < 3; k++)
    difference[k] = (i[k] - j[k]) - shift[k];
}

/* From j's nearest image to i, the same bits as debye_pair_difference gives for that image; returns its square. */
DEBYE_SHARED_MATH double
debye_pair_nearest_difference(const DebyeLattice *lattice, const double *i, const double *j, double *d)
{
  int n[3] = {0, 0, 0};
  for (int axis = 0; axis < 3; axis++)
    d[axis] = i[axis] - j[axis];
  if (!lattice->periodic)
    return debye_dot3(d, d);
  for (int axis = 2; axis >= 0; axis--) {
    n[axis] = (int)rint(d[axis] * lattice->inverse[axis]);
    debye_pair_difference(lattice, i, j, n, d);
  }
  /* Within the sphere that fits into the Voronoi cell there is nothing to improve. Each step below shortens
   * the vector, so that it ends; the margin keeps rounding from going to and fro between equals. */
  bool improved = debye_dot3(d, d) > 0.25 * lattice->shortest * lattice->shortest;
  while (improved) {
    improved = false;
    for (int v = 0; v < DEBYE_LATTICE_N_NEIGHBOURS; v++) {
      double along = debye_dot3(d, lattice->neighbour[v]);
      if (!(fabs(along) > lattice->half_square[v] * (1.0 + 1e-12)))
        continue;
      for (int axis = 0; axis < 3; axis++)
        n[axis] += along > 0.0 ? lattice->step[v][axis] : -lattice->step[v][axis];
      debye_pair_difference(lattice, i, j, n, d);
      improved = true;
    }
  }
  return debye_dot3(d, d);
}

/* The squared distance of i to j's nearest image. */
DEBYE_SHARED_MATH double
debye_pair_nearest(const DebyeLattice *lattice, const double *i, const double *j)
{
  double d[3];
  return debye_pair_nearest_difference(lattice, i, j, d);
}

DEBYE_END_DECLS
