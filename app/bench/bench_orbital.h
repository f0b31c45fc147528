/* SPDX-License-Identifier: MIT */
/* C60 in 6-31G(d), which drawing orbitals is timed on: used by bench_case_orbital.c and bench_ladder_planes.c. */
#pragma once

#include "kernels/ladder/ladder_fullerene.h"
#include "kernels/ladder/ladder_orbital.h"

#include <glib.h>

/* 0.15 Å apart, as VMD's times are of. */
#define DEBYE_BENCH_ORBITAL_POINTS (104.0 * 104.0 * 104.0)
#define DEBYE_BENCH_ORBITAL_MAX_POINTS 1e9 /* as the teaching variants */

typedef struct {
  DebyeLadderFullerene molecule;
  double coefficients[DEBYE_FULLERENE_FUNCTIONS];
  DebyeGrid grid; /* of a cube round the molecule, in bohr */
} DebyeBenchOrbital;

/* About so many points, at most DEBYE_BENCH_ORBITAL_MAX_POINTS. */
DebyeBenchOrbital *debye_bench_orbital_new(double n_points);
/* Pairs of a point and a Gaussian that reaches so far, of which an evaluation is one; NAN: no memory. */
double debye_bench_orbital_count(const DebyeBenchOrbital *self, const DebyeGrid *grid);
/* The largest difference to the sum in double at some points of this grid, relative to the largest value there. */
double debye_bench_orbital_find_error(const DebyeBenchOrbital *self, const DebyeGrid *grid, const float *map);
