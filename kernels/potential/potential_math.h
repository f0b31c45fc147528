/* SPDX-License-Identifier: MIT */
/* The mathematics of the direct sum that all its back ends share, in C and in CUDA.
 *
 * Distances don't change when grid and atoms are turned together. So every grid, however skew, is turned
 * until its first step lies along x and its second in the xy plane. A row of the grid then has one y and z
 * for all its points, and 1/d needs one subtraction and one multiply-add a pair: d² = (x − xᵢ)² + s with s =
 * (y − yᵢ)² + (z − zᵢ)² shared by the row.
 *
 * Float alone would not do: 100 Å from the origin a coordinate is only good to 4e-6 Å, which shows near an
 * atom. Turned coordinates are therefore kept as the sum of two floats and subtracted from a reference point
 * in the middle of the block at hand, so that the error of a difference is relative to the block and not to
 * the grid. */
#pragma once

#include "potential.h"
#include "kernels/shared_math.h"
#include "kernels/status.h"

DEBYE_BEGIN_DECLS

/* Atoms summed in one float before they are added to the total: the rounding error of a sum of n terms grows
 * as √n, and 512 terms keep it below 6e-7. */
#define DEBYE_DIRECT_TILE 512

/* Outside of these a float's square would leave its range, or the 1/d² of an atom would. */
#define DEBYE_DIRECT_FARTHEST 1e9
#define DEBYE_DIRECT_LEAST_CORE 1e-6
#define DEBYE_DIRECT_LARGEST_CORE 1e6

/* A grid in its turned frame, whose origin is the grid's: point (i, j, k) stands at
 * (i·step_x + j·row_x + k·plane_x, j·row_y + k·plane_y, k·plane_z). */
typedef struct {
  DebyeVec3 origin;
  DebyeVec3 axis[3]; /* the frame's unit vectors in the caller's coordinates */
  double step_x;
  double row_x, row_y;
  double plane_x, plane_y, plane_z;
  size_t shape[3];
} DebyeTurnedGrid;

/* Where turned atoms are written, each array with the same stride between atoms: either high, low and charge,
 * or exact and exact_charge. */
typedef struct {
  float *high[3], *low[3], *charge;
  double *exact[3], *exact_charge;
  size_t stride;
} DebyeTurnedAtoms;

/* INVALID with the reason where the settings make no sense. */
DebyeStatusCode debye_potential_settings_check(const DebyePotentialSettings *settings, DebyeStatus *status);
DebyeStatusCode debye_potential_slab_check(const DebyePotentialSettings *settings, DebyeSlab slab,
                                           const float *out, const double *out_double, DebyeStatus *status);
/* The grid must have passed the check of the settings. */
DebyeTurnedGrid debye_turned_grid(const DebyeGrid *grid);

/* The order of summation. A file may have all of its cations first: their sum in float would be hundreds of
 * times the potential that is left when the anions have been added, and its rounding, too. So the next atom
 * is one whose charge brings the sum of all charges so far towards zero, the first of its sign that was not
 * taken yet; where that sum is zero, the first atom of all. Molecules that are neutral keep their order. */
typedef struct {
  const DebyeCharges *charges;
  size_t next[2]; /* the first of each sign that was not taken yet; charges->n where none is left */
  double sum;
} DebyeBalancedOrder;

DebyeBalancedOrder debye_balanced_order(const DebyeCharges *charges);
/* As often as there are charges. */
size_t debye_balanced_order_next(DebyeBalancedOrder *order);
/* In that order. INVALID, naming the atom, where a number is not finite or out of the range of the sum. */
DebyeStatusCode debye_turned_atoms_set(const DebyeTurnedGrid *grid, const DebyeCharges *charges,
                                       size_t max_charges, const DebyeTurnedAtoms *atoms,
                                       DebyeStatus *status);

/* 1/√r2 without the unit for it, for the CPUs that have none and as the second source on those whose
 * unit is the bottleneck. A first guess from the exponent, y, by the well-known shift of the bits; then
 * y·p(r2·y²) with the cubic p that makes the largest relative error of the product least (4.1e-7). The
 * constant of the guess is the one for which r2·y² varies least (by a factor of 1.125), not the usual one
 * which makes the guess itself best. */
#define DEBYE_RSQRT_GUESS 0x5f200700
#define DEBYE_RSQRT_C0 2.45237119f
#define DEBYE_RSQRT_C1 -3.08087522f
#define DEBYE_RSQRT_C2 2.32093095f
#define DEBYE_RSQRT_C3 -0.69342436f

DEBYE_SHARED_MATH float
debye_rsqrt_guess(float r2)
{
#ifdef __CUDA_ARCH__
  return __int_as_float(DEBYE_RSQRT_GUESS - (__float_as_int(r2) >> 1));
#else
  union {
    float number;
    int bits;
  } view = {r2};
  view.bits = DEBYE_RSQRT_GUESS - (view.bits >> 1);
  return view.number;
#endif
}

/* p(t): what the guess is to be multiplied with, t = r2·guess². */
DEBYE_SHARED_MATH float
debye_rsqrt_correction(float t)
{
  return ((DEBYE_RSQRT_C3 * t + DEBYE_RSQRT_C2) * t + DEBYE_RSQRT_C1) * t + DEBYE_RSQRT_C0;
}

DEBYE_END_DECLS
