/* SPDX-License-Identifier: MIT */
/* Electrostatic potential on a grid. Everything in e/Å (the caller multiplies by its unit) and Å.
 *
 *   direct      V(r) = Σ_i q_i / d_i, O(grid × atoms): the oracle of the other methods. Open, or with the
 *               nearest image of each atom along the periodic axes.
 *   cutoff      V(r) = Σ_{d_i < rc} q_i · s(d_i)/d_i over all images in range; s is 1, (1 − d²/rc²)² or
 *               1 − d/rc. O(grid × atoms in the sphere).
 *   multilevel  The whole 1/d by multilevel summation (Skeel, Tezcan & Hardy, J. Comput. Chem. 23 (2002) 673;
 *               Hardy, Stone & Schulten, Parallel Comput. 35 (2009) 164), linear; open, or periodic along 1-3
 *               axes, to a tolerance.
 *   ewald       Periodic along all axes: smooth particle mesh Ewald (Essmann et al., J. Chem. Phys. 103
 *               (1995) 8577), the whole potential, or only its reciprocal part for a Gaussian of given width.
 *               A net charge has a uniform background that neutralises it; the mean over the cell is zero.
 *
 * d_i = max(|r − r_i|, core). In float the root mean square of the error of direct and cutoff is at most 5e-6
 * of the map's root mean square; that of multilevel and ewald is at most the tolerance. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/geometry.h"
#include "kernels/unpacking.h"

typedef enum {
  DEBYE_POTENTIAL_DIRECT,
  DEBYE_POTENTIAL_CUTOFF,
  DEBYE_POTENTIAL_MULTILEVEL,
  DEBYE_POTENTIAL_EWALD,
  DEBYE_POTENTIAL_N_METHODS,
} DebyePotentialMethod;

typedef enum {
  DEBYE_SMOOTHING_NONE,   /* 1/d, a step at the cutoff */
  DEBYE_SMOOTHING_SMOOTH, /* (1 − d²/rc²)²/d */
  DEBYE_SMOOTHING_SHIFT,  /* 1/d − 1/rc */
} DebyeSmoothing;

/* Axes of the cell, or'ed together. */
enum {
  DEBYE_PERIODIC_NONE = 0,
  DEBYE_PERIODIC_A = 1,
  DEBYE_PERIODIC_B = 2,
  DEBYE_PERIODIC_C = 4,
  DEBYE_PERIODIC_ALL = 7
};

/* Point charges, structure-of-arrays, borrowed and never written. x, y, z in Å, charge in e. */
typedef struct {
  const float *x, *y, *z;
  const float *charge;
  size_t n;
} DebyeCharges;

/* A frame's, borrowed. */
typedef struct {
  DebyeCharges charges;  /* none: a map of zeros. Of a packed frame only how many, and charge */
  const DebyeCell *cell; /* NULL where nothing is periodic */
  const DebyePackedCoordinates *packed; /* for plans that take such; NULL: the charges have places */
} DebyePotentialFrame;

/* A slab of a map: planes [first, first + count) of the grid's third axis. */
typedef struct {
  size_t first, count;
} DebyeSlab;

typedef struct {
  DebyePotentialMethod method;
  DebyeGrid grid;        /* of the whole map; skew allowed */
  double core_radius;    /* Å: a point nearer to an atom takes the value at this distance */
  bool double_precision; /* the checking path: sums in double, one ulp-exact square root a pair */
  size_t max_charges;    /* the most that set_charges will be given */
  size_t max_planes;     /* the thickest slab that execute will be asked for */
  /* Cores that the host threads of other devices' lanes need: the CPU leaves them alone unless it was
   * told how many threads to use. Sharing them delays a GPU by more than a core computes. */
  unsigned spare_cores;

  unsigned periodic; /* DEBYE_PERIODIC_*; the cell comes with each frame's charges */
  DebyeCell cell;    /* a typical frame's, to plan with; each frame may have another */

  double cutoff; /* Å; multilevel and ewald: of their short-range part, 0: chosen from the tolerance */
  DebyeSmoothing smoothing; /* cutoff only */
  double bin_size;       /* Å, edge of the bins that atoms are hashed into; 0: 4, more where they are few */
  unsigned bin_capacity; /* atoms in a bin; what doesn't fit the CPU sums. 0: all fit */
  /* Of all atoms, the most that a device may leave to the CPU: what it can sum while the device works.
   * Bins take the others all the same. 0: no limit for a kernel; lanes choose
   * then by the devices' scores. */
  double overflow_share;

  double tolerance;     /* multilevel, ewald: error, root mean square against the map's; 0: 1e-4 */
  unsigned order;       /* multilevel, ewald: of the interpolation; 0: chosen */
  size_t mesh[3];       /* ewald: points along the cell's axes; 0: chosen */
  double ewald_width;   /* ewald: σ of the Gaussians in Å (β = 1/(σ√2)); 0: chosen */
  bool reciprocal_only; /* ewald: the smooth part alone; needs ewald_width */

  /* Of frames that come packed, the atoms with charges, at most max_charges, and these, finite numbers; borrowed as long as a
   * plan lives. Not for direct, nor for multilevel with an open axis. */
  DebyePackedAtoms packed;
  const float *packed_charge;
} DebyePotentialSettings;

/* "direct", "cutoff", "multilevel", "ewald". */
const char *debye_potential_method_name(DebyePotentialMethod method);
/* How far pairs are summed, Å: as planned, where the method chooses it from a tolerance, which takes
 * milliseconds; infinite where all are. */
double debye_potential_reach(const DebyePotentialSettings *settings);
/* Roughly how many pairs of a point and an atom a map takes, in the measure of DebyeDeviceInfo.score; `reach`
 * is debye_potential_reach's. */
double debye_potential_pairs_within(const DebyePotentialSettings *settings, double reach, size_t n_charges);
double debye_potential_pairs(const DebyePotentialSettings *settings, size_t n_charges);
/* The same with what meshes and splines take besides, in that measure. */
double debye_potential_work(const DebyePotentialSettings *settings, size_t n_charges);
