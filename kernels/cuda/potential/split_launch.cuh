/* SPDX-License-Identifier: MIT */
/* Launch arguments that the kernels of Ewald's method and of multilevel summation share; split_sum.cuh fills them
 * in. */
#pragma once

#include "kernels/potential/ewald_math.h"

/* A frame's atoms on the device. */
struct DebyeSplitAtoms {
  const float *x, *y, *z, *charge;
  unsigned n;
  /* Of the fixed-point sums of charges times weights: with 62 bits for Σ|q| it is finer than a double's last
   * digit of a value. */
  double unit;
};

/* The map's grid, and the planes of it that a launch writes. */
struct DebyeSplitTarget {
  DebyeEwaldGrid grid;
  unsigned shape[2];
  size_t first_plane;
};
