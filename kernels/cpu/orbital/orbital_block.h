/* SPDX-License-Identifier: MIT */
/* The loops over a tile of points, one version for each instruction set. Who calls them: orbital.c.
 *
 * A tile is TILE_X points along x by rows: y fastest, then z. Of a primitive Q(x, y, z) exp(−αr²) the power a of x is
 * one term, a product of a column (exp(−αx²) xᵃ at the points along x) and a row factor (the rest, at each y and z):
 * so a tile is a product of two matrices, over all terms in reach. */
#pragma once

#include <stddef.h>

#include "kernels/cpu/common/cpu_level.h"

#define DEBYE_ORBITAL_TILE_X 16
#define DEBYE_ORBITAL_TILE_Y 8
#define DEBYE_ORBITAL_TILE_Z 8
#define DEBYE_ORBITAL_ROWS (DEBYE_ORBITAL_TILE_Y * DEBYE_ORBITAL_TILE_Z)
#define DEBYE_ORBITAL_TILE (DEBYE_ORBITAL_ROWS * DEBYE_ORBITAL_TILE_X)
/* The points along x, those along y and those along z, one after the other. */
#define DEBYE_ORBITAL_LINES (DEBYE_ORBITAL_TILE_X + DEBYE_ORBITAL_TILE_Y + DEBYE_ORBITAL_TILE_Z)

typedef struct {
  /* exp(−αd²) at each point of the lines, from the distances d to a centre. */
  void (*exponentials)(const double *distances, double exponent, float *values);
  /* Writes the degree + 1 terms of a primitive: columns of TILE_X, rows of ROWS values. */
  void (*write_terms)(int degree, const float *coefficients, const float *distances,
                      const float *exponentials, float *columns, float *rows);
  /* tile += Σ over terms of row · column. */
  void (*multiply)(const float *columns, const float *rows, size_t n_terms, float *tile);
} DebyeOrbitalBlock;

DEBYE_DECLARE_LEVELS(DebyeOrbitalBlock, debye_orbital_block)
