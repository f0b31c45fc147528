/* SPDX-License-Identifier: MIT */
/* Periodic images, exactly, for any cell, however skew. One copy for C and CUDA.
 *
 * A lattice has many cells. All work is done in the reduced one (Minkowski: no vector of the cell can be made
 * shorter by adding the others), in which a few neighbouring images are enough; the caller's cell may be as
 * skew as it likes. The nearest image is the one whose difference vector lies in the Voronoi cell around the
 * origin, which is decided by the vectors with coefficients −1, 0, 1 of the reduced cell: they contain all
 * vectors that bound the Voronoi cell (Nguyen & Stehlé, ACM Trans. Algorithms 5 (2009) 46, for dimensions up
 * to 3).
 *
 * Every operation is one IEEE operation in double, and where a multiplication meets an addition the fused one
 * is asked for by name. So all processors and devices agree to the last bit, whatever their compilers do.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "data/geometry.h"

#ifndef DEBYE_SHARED_MATH
#ifdef __CUDACC__
#define DEBYE_SHARED_MATH static __host__ __device__ __forceinline__
#else
#define DEBYE_SHARED_MATH static inline __attribute__((always_inline))
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Half of the vectors with coefficients −1, 0, 1, without the zero: of v and −v one. */
#define DEBYE_LATTICE_N_NEIGHBOURS 13

typedef struct {
  bool periodic;        /* false: nothing below but zeros */
  double vector[3][3];  /* the reduced cell, one vector a row */
  double inverse[3][3]; /* fraction i of a point p is Σ_k inverse[i][k]·p[k] */
  double width[3];      /* between opposite faces of the reduced cell */
  double shortest;      /* length of the shortest lattice vector that is not zero */
  double volume;        /* positive */
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
  for (int k = 0; k < 3; k++)
    shift[k] = fma((double)n[2], lattice->vector[2][k],
                   fma((double)n[1], lattice->vector[1][k], (double)n[0] * lattice->vector[0][k]));
}

/* Moves a point into the reduced cell at the origin, to within the last bits of a double. In an open system
 * it stays where it is. */
DEBYE_SHARED_MATH void
debye_lattice_wrap(const DebyeLattice *lattice, double *point)
{
  double n[3];
  if (!lattice->periodic)
    return;
  for (int i = 0; i < 3; i++)
    n[i] = floor(debye_dot3(lattice->inverse[i], point));
  for (int k = 0; k < 3; k++)
    point[k] = fma(-n[2], lattice->vector[2][k],
                   fma(-n[1], lattice->vector[1][k], fma(-n[0], lattice->vector[0][k], point[k])));
}

/* From j's image n to i: what every distance is made of. The other way round it is the exact negative. */
DEBYE_SHARED_MATH void
debye_pair_difference(const DebyeLattice *lattice, const double *i, const double *j, const int *n,
                      double *difference)
{
  double shift[3];
  debye_lattice_shift(lattice, n, shift);
  for (int k = 0; k < 3; k++)
    difference[k] = (i[k] - j[k]) - shift[k];
}

/* The squared distance of i to j's nearest image, the same bits as debye_pair_difference gives for that
 * image. */
DEBYE_SHARED_MATH double
debye_pair_nearest(const DebyeLattice *lattice, const double *i, const double *j)
{
  double d[3] = {i[0] - j[0], i[1] - j[1], i[2] - j[2]};
  int n[3] = {0, 0, 0};
  if (!lattice->periodic)
    return debye_dot3(d, d);
  for (int axis = 0; axis < 3; axis++)
    n[axis] = (int)rint(debye_dot3(lattice->inverse[axis], d));
  debye_pair_difference(lattice, i, j, n, d);
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

#ifdef __cplusplus
}
#endif
