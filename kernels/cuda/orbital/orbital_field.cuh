/* SPDX-License-Identifier: MIT */
/* What the kernels of orbitals are told of a plan: orbital.cu, orbital_squares.cu. */
#pragma once

#include "kernels/orbital/orbital.h"

struct DebyeOrbitalPrimitive {
  float rate; /* −α log₂e */
  uint32_t first_coefficient;
  int degree;
};

struct DebyeOrbitalField {
  double origin[3], step[3];
  unsigned shape[3];
  unsigned n_tiles[3];
  uint32_t n_centres, n_primitives, n_coefficients;
  double *centres; /* x, y, z of each */
  uint32_t *first;
  DebyeOrbitalPrimitive *primitives;
  float *coefficients, *reach, *centre_reach; /* a row per function */
  DebyeOrbitalUse *uses;
  float *weights;
  float *map;
};
