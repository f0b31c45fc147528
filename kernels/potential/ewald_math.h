/* SPDX-License-Identifier: MIT */
/* The mathematics of particle mesh Ewald that all back ends share, in C and in CUDA; what it is for stands in
 * ewald.h. */
#pragma once

#include "ewald.h"
#include "pair_function.h"
#include "potential_math.h"

DEBYE_BEGIN_DECLS

/* What a frame's cell makes of the parameters. Plain data: a kernel gets a copy. */
typedef struct {
  DebyeVec3 inverse[3]; /* a*, b*, c* in 1/Å: their products with a position are its fractions of the cell */
  double scale;         /* 1/(πV) */
  double decay;         /* π²/β² */
  double zero;          /* factor of the mode m = 0: the neutralising background; 0 for the reciprocal part */
  unsigned order;
  int mesh[3];
  const double *factor[3]; /* of the splines, by mode along each axis (debye_ewald_factors) */
} DebyeEwaldFrame;

/* A place on the mesh: the first of the `order` points that its spline reaches (the others follow, around the
 * end), and how far it is from that one to the next. */
typedef struct {
  int first[3];
  double part[3];
} DebyeEwaldPlace;

/* A grid in units of the mesh's cell: the fractions of point (i, j, k) are
 * start + i·step[0] + j·step[1] + k·step[2]. */
typedef struct {
  double start[3];
  double step[3][3];
  /* A row keeps its place along the second and the third edge, as it does wherever grid and cell both begin
   * with an x axis. */
  bool straight;
} DebyeEwaldGrid;

/* U²/S² of the modes along an axis of n points, U = sincᵖ(πm/n) what the spline does to a mode, S = ΣU² over
 * the mode and its aliases. The mode at half the mesh, which has no sign, is dropped: 0. */
void debye_ewald_factors(unsigned order, size_t n, double *factor);
/* All but `factor`. */
void debye_ewald_frame_set(const DebyeEwald *ewald, const DebyeCell *cell, DebyeEwaldFrame *frame);
/* The short-range part: exact in double, in float good to a tenth of the tolerance. */
DebyeStatusCode debye_ewald_pair_function(const DebyeEwald *ewald, const DebyePotentialSettings *settings,
                                          DebyePairFunction *function, DebyeStatus *status);
/* INVALID where a frame has no cell that could be periodic. */
DebyeStatusCode debye_ewald_cell_check(const DebyeCell *cell, DebyeStatus *status);
DebyeEwaldGrid debye_ewald_grid(const DebyeEwaldFrame *frame, const DebyeGrid *grid);

DEBYE_SHARED_MATH void
debye_ewald_place(const int mesh[3], const double fraction[3], DebyeEwaldPlace *place)
{
  for (int axis = 0; axis < 3; axis++) {
    const double at = (fraction[axis] - floor(fraction[axis])) * (double)mesh[axis];
    /* What is less than zero by a rounding error is wrapped to the very end. */
    const int first = at < (double)mesh[axis] ? (int)at : 0;
    place->first[axis] = first;
    place->part[axis] = at < (double)mesh[axis] ? at - (double)first : 0.0;
  }
}

DEBYE_SHARED_MATH void
debye_ewald_fraction(const DebyeEwaldFrame *frame, double x, double y, double z, double fraction[3])
{
  for (int axis = 0; axis < 3; axis++)
    fraction[axis] = frame->inverse[axis].x * x + frame->inverse[axis].y * y + frame->inverse[axis].z * z;
}

DEBYE_SHARED_MATH void
debye_ewald_grid_fraction(const DebyeEwaldGrid *grid, double i, double j, double k, double fraction[3])
{
  for (int axis = 0; axis < 3; axis++)
    fraction[axis] =
        grid->start[axis] + i * grid->step[0][axis] + (j * grid->step[1][axis] + k * grid->step[2][axis]);
}

/* The number of a mode with its sign. */
DEBYE_SHARED_MATH int
debye_ewald_mode(int index, int n)
{
  return 2 * index <= n ? index : index - n;
}

/* m² in 1/Å² of the modes in a row of the half-space along the first axis is (row[0]·m₁ + row[1])·m₁ +
 * row[2]. */
DEBYE_SHARED_MATH void
debye_ewald_mode_row(const DebyeEwaldFrame *frame, int m2, int m3, double row[3])
{
  const DebyeVec3 *r = frame->inverse;
  const double x = m2 * r[1].x + m3 * r[2].x, y = m2 * r[1].y + m3 * r[2].y, z = m2 * r[1].z + m3 * r[2].z;
  row[0] = r[0].x * r[0].x + r[0].y * r[0].y + r[0].z * r[0].z;
  row[1] = 2.0 * (r[0].x * x + r[0].y * y + r[0].z * z);
  row[2] = x * x + y * y + z * z;
}

/* B-splines of `order` at the points first, first + 1 … of places with these parts, by the recursion in the
 * order (Essmann, eq. 3.4 and 4.1): weight[j·lanes + lane]. The places lie side by side, so that a compiler
 * can make vectors of them. */
#define DEBYE_EWALD_DEFINE_SPLINE(NAME, REAL)                                                           \
  DEBYE_SHARED_MATH void NAME(const int order, const int lanes, const REAL *part, REAL *weight)         \
  {                                                                                                     \
    for (int i = 0; i < lanes; i++) {                                                                   \
      weight[i] = (REAL)1 - part[i];                                                                    \
      weight[lanes + i] = part[i];                                                                      \
    }                                                                                                   \
    for (int k = 3; k <= order; k++) {                                                                  \
      const REAL over = (REAL)1 / (REAL)(k - 1);                                                        \
      for (int i = 0; i < lanes; i++)                                                                   \
        weight[(k - 1) * lanes + i] = over * part[i] * weight[(k - 2) * lanes + i];                     \
      for (int j = k - 2; j > 0; j--)                                                                   \
        for (int i = 0; i < lanes; i++)                                                                 \
          weight[j * lanes + i] = over * ((part[i] + (REAL)(k - 1 - j)) * weight[(j - 1) * lanes + i] + \
                                          ((REAL)(j + 1) - part[i]) * weight[j * lanes + i]);           \
      for (int i = 0; i < lanes; i++)                                                                   \
        weight[i] = over * ((REAL)1 - part[i]) * weight[i];                                             \
    }                                                                                                   \
  }
DEBYE_EWALD_DEFINE_SPLINE(debye_ewald_spline_float, float)
DEBYE_EWALD_DEFINE_SPLINE(debye_ewald_spline_double, double)

DEBYE_END_DECLS
